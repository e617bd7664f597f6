// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/cost_panel.h"

#include "core/convert/quantize/quantize_run.h"
#include "core/io/disk_space.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QFormLayout>
#include <QLabel>
#include <QLocale>

namespace wb::ui::convert {

CostPanel::CostPanel(const PlanSession& plans, const SpeedEstimate& speeds, const BudgetSession& budget,
                     const WorkSettings& settings, QWidget* parent)
    : QWidget(parent), m_plans(plans), m_speeds(speeds), m_budget(budget), m_settings(settings), m_layout(new QFormLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(16);
    m_layout->setVerticalSpacing(5);
    m_size = addValue("outputSize", tr("Size"));
    m_bits = addValue("bits", tr("Bits per weight"));
    m_memory = addValue("peakMemory", tr("Memory to quantize"));
    m_disk = addValue("freeDisk", tr("Free disk space"));
    m_time = addValue("time", tr("Time"));
    m_gain = makeMutedLabel(this);
    m_gain->setObjectName(QStringLiteral("gain"));
    m_layout->addRow(m_gain);
}

QLabel* CostPanel::addValue(const char* objectName, const QString& caption) {
    auto* value = new QLabel(QStringLiteral("–"), this);
    value->setObjectName(QLatin1String(objectName));
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setAccessibleDescription(caption);
    value->setWordWrap(true);
    m_layout->addRow(caption, value);
    return value;
}

QString CostPanel::diskText(const QString& target) const {
    const auto space = io::freeSpace(fsPath(target));
    if (target.isEmpty() || !space) return tr("unknown");
    return *space >= m_plans.plan()->fileBytes() ? fileSizeText(*space) : tr("%1 – not enough").arg(fileSizeText(*space));
}

QString CostPanel::gainText() const {
    const auto result = m_budget.result();
    if (!result) return {};
    return (QStringList(comparison(*result)) + result->warnings).join(QLatin1Char('\n'));
}

QString CostPanel::comparison(const BudgetResult& result) {
    if (result.stock.isEmpty()) return tr("No llama.cpp quantization type is this small; these are the best types that fit.");
    const double less = result.stockError > 0 ? 100 * (1 - result.error / result.stockError) : 0;
    const QString shown = QLocale().toString(less, 'f', 1);
    return result.exact ? tr("%1% lower squared error than %2, the largest llama.cpp type that fits (measured on every row).")
                              .arg(shown, result.stock)
                        : tr("%1% lower squared error than %2, the largest llama.cpp type that fits (estimated from samples).")
                              .arg(shown, result.stock);
}

// In red where the file is larger than the goal allows, which forbids the run, or than the model, which few want who quantize it.
void CostPanel::showSize(const quantize::QuantizePlan& plan, quint64 source) {
    const auto allowed = m_budget.goalBytes();
    const bool isOver = allowed && plan.fileBytes() > *allowed;
    QString text = tr("%1 (was %2)").arg(sizeText(plan.fileBytes()), fileSizeText(source));
    const bool isLarger = !m_plans.plain() && plan.fileBytes() > source;
    if (isLarger) text = tr("%1, larger than the source (%2)").arg(sizeText(plan.fileBytes()), fileSizeText(source));
    if (isOver) text = tr("%1, over your limit of %2").arg(text, allowedText(*allowed));
    m_size->setText(text);
    setTone(m_size, isOver || isLarger ? Tone::Error : Tone::Normal);
}

// Also in the unit of the question: a size of "300 MiB" is not answered by "315 MB" alone.
QString CostPanel::sizeText(quint64 bytes) const {
    const Goal& goal = m_budget.goal();
    const bool isBinary =
        goal.kind == Goal::Kind::Memory || (goal.kind == Goal::Kind::Size && goal.size.contains(u'i', Qt::CaseInsensitive));
    return isBinary ? QStringLiteral("%1 (%2)").arg(fileSizeText(bytes), bytesText(bytes)) : fileSizeText(bytes);
}

// As it was typed, and what of a memory is left for the file.
QString CostPanel::allowedText(quint64 bytes) const {
    const Goal& goal = m_budget.goal();
    return goal.kind == Goal::Kind::Size ? QStringLiteral("%1 (%2)").arg(goal.size.trimmed(), fileSizeText(bytes))
                                         : bytesText(bytes);
}

void CostPanel::refresh(const QString& target) {
    const auto plan = m_plans.plan();
    if (!plan) {
        for (QLabel* label : {m_size, m_bits, m_memory, m_disk, m_time}) label->setText(QStringLiteral("–"));
        setTone(m_size, Tone::Normal);
        m_gain->clear();
        return;
    }
    quint64 source = 0;
    if (const auto conversion = m_plans.conversion()) source = conversion->sourceBytes();
    else
        for (const ModelFile& file : plan->model->files) source += file.bytes;
    showSize(*plan, source);
    m_bits->setText(QLocale().toString(plan->bitsPerWeight(), 'f', 4));
    m_memory->setText(tr("up to %1").arg(bytesText(quantize::peakMemory(*plan, m_settings.threads()))));
    m_disk->setText(diskText(target));
    const double seconds = m_speeds.planSeconds(*plan);
    m_time->setText(seconds < 0 ? tr("measuring…") : tr("about %1").arg(durationText(seconds)));
    m_gain->setText(gainText());
}

} // namespace wb::ui::convert
