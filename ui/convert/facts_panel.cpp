// SPDX-License-Identifier: MIT
#include "ui/convert/facts_panel.h"

#include "core/io/disk_space.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"

#include <QFormLayout>
#include <QLabel>
#include <QLocale>

namespace wb::ui::convert {

FactsPanel::FactsPanel(const Wizard& wizard, unsigned threads, QWidget* parent)
    : QWidget(parent), m_wizard(wizard), m_threads(threads), m_layout(new QFormLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(16);
    m_layout->setVerticalSpacing(5);
    m_size = addFact("outputSize", tr("Size"));
    m_bits = addFact("bits", tr("Bits per weight"));
    m_memory = addFact("peakMemory", tr("Memory while it runs"));
    m_disk = addFact("freeDisk", tr("Free on the disk"));
    m_time = addFact("time", tr("Time"));
    m_gain = makeMutedLabel(this);
    m_gain->setObjectName(QStringLiteral("gain"));
    m_layout->addRow(m_gain);
}

QLabel* FactsPanel::addFact(const char* objectName, const QString& caption) {
    auto* value = new QLabel(QStringLiteral("–"), this);
    value->setObjectName(QLatin1String(objectName));
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setAccessibleDescription(caption);
    value->setWordWrap(true);
    m_layout->addRow(caption, value);
    return value;
}

QString FactsPanel::diskText(const QString& target) const {
    const auto room = io::freeSpace(fsPath(target));
    if (target.isEmpty() || !room) return tr("not known");
    return *room >= m_wizard.plan()->fileBytes() ? bytesText(*room) : tr("%1 – not enough").arg(bytesText(*room));
}

QString FactsPanel::gainText() const {
    const auto gain = m_wizard.gain();
    if (!gain) return {};
    return (QStringList(comparison(*gain)) + gain->remarks).join(QLatin1Char('\n'));
}

QString FactsPanel::comparison(const Gain& gain) {
    if (gain.stock.isEmpty()) return tr("No mix of llama.cpp is so small; these types are the best that fit.");
    const double less = gain.stockError > 0 ? 100 * (1 - gain.error / gain.stockError) : 0;
    const QString shown = QLocale().toString(less, 'f', 1);
    return gain.exact ? tr("%1 % less squared error than %2, the largest mix of llama.cpp that fits (measured on every row).")
                            .arg(shown, gain.stock)
                      : tr("%1 % less squared error than %2, the largest mix of llama.cpp that fits (estimated from samples).")
                            .arg(shown, gain.stock);
}

void FactsPanel::refresh(const QString& target) {
    const auto plan = m_wizard.plan();
    if (!plan) {
        for (QLabel* label : {m_size, m_bits, m_memory, m_disk, m_time}) label->setText(QStringLiteral("–"));
        m_gain->clear();
        return;
    }
    quint64 source = 0;
    for (const ModelFile& file : plan->model->files) source += file.bytes;
    m_size->setText(tr("%1 from %2").arg(bytesText(plan->fileBytes()), bytesText(source)));
    m_bits->setText(QLocale().toString(plan->bitsPerWeight(), 'f', 4));
    m_memory->setText(tr("up to %1").arg(bytesText(wb::convert::peakMemory(*plan, m_threads))));
    m_disk->setText(diskText(target));
    const double seconds = m_wizard.estimatedSeconds();
    m_time->setText(seconds < 0 ? tr("measuring…") : tr("about %1").arg(durationText(seconds)));
    m_gain->setText(gainText());
}

} // namespace wb::ui::convert
