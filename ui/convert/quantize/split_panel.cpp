// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/split_panel.h"

#include "ui/convert/size_edit.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/wheel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace wb::ui::convert {

using quantize::CopyMode;
using quantize::FileSplit;

SplitPanel::SplitPanel(QuantizeChoices& choices, const PlanSession& plans, QWidget* parent)
    : QWidget(parent), m_choices(choices), m_plans(plans), m_copies(new QCheckBox(tr("Copy without quantizing"), this)),
      m_limit(new QComboBox(this)), m_bytes(new SizeEdit(this)), m_tensors(new QSpinBox(this)), m_note(makeMutedLabel(this)) {
    constexpr quint64 usualBytes = 5'000'000'000;
    constexpr int usualTensors = 128, maxTensors = 1'000'000;
    m_copies->setObjectName(QStringLiteral("copyOnly"));
    m_copies->setToolTip(tr("Only splits or joins the file; every tensor keeps its type and bytes"));
    m_limit->setObjectName(QStringLiteral("splitLimit"));
    m_limit->addItems({tr("One output file"), tr("Split by file size"), tr("Split by number of tensors")});
    nameBox(m_limit, tr("Output files"));
    needFocusForWheel(m_limit);
    m_bytes->setObjectName(QStringLiteral("splitBytes"));
    m_bytes->setAccessibleName(tr("Maximum file size"));
    m_bytes->setToolTip(tr("Maximum size of the tensors of one file, for example 5 GB"));
    m_bytes->setBytes(usualBytes);
    m_tensors->setObjectName(QStringLiteral("splitTensors"));
    m_tensors->setAccessibleName(tr("Maximum tensors per file"));
    m_tensors->setRange(1, maxTensors);
    m_tensors->setGroupSeparatorShown(true);
    m_tensors->setValue(usualTensors);
    m_tensors->setKeyboardTracking(false);
    needFocusForWheel(m_tensors);
    m_note->setObjectName(QStringLiteral("splitNote"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->setSpacing(6);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_copies, m_limit, m_bytes, m_tensors, m_note})
        layout->addWidget(widget);
    connect(m_copies, &QCheckBox::toggled, this, &SplitPanel::setCopies);
    connect(m_limit, &QComboBox::activated, this, &SplitPanel::choose);
    connect(m_bytes, &QLineEdit::editingFinished, this, &SplitPanel::choose);
    connect(m_tensors, &QSpinBox::valueChanged, this, &SplitPanel::choose);
}

bool SplitPanel::isSplit() const { return m_plans.model() && m_plans.model()->files.size() > 1; }

// One file of a split is joined as llama-gguf-split joins it.
void SplitPanel::setCopies(bool copies) {
    const bool joins = isSplit() && m_choices.request().split.isNone();
    m_choices.setCopies(!copies ? CopyMode::None : joins ? CopyMode::Join : CopyMode::Keep);
}

void SplitPanel::choose() {
    FileSplit split;
    if (m_limit->currentIndex() == Bytes) split.bytes = m_bytes->bytes().value_or(0);
    if (m_limit->currentIndex() == Tensors) split.tensors = static_cast<quint64>(m_tensors->value());
    if (split == m_choices.request().split) return refresh();
    m_choices.setSplit(split);
    if (m_choices.request().copies != CopyMode::None) setCopies(true);
}

void SplitPanel::refresh() {
    const bool isGguf = m_plans.model() && !m_plans.isFolder();
    setVisible(isGguf);
    if (!isGguf) return;
    const FileSplit& split = m_choices.request().split;
    const QSignalBlocker copies(m_copies), limit(m_limit), tensors(m_tensors);
    m_copies->setChecked(m_choices.request().copies != CopyMode::None);
    const int shown = m_limit->currentIndex();
    if (split.bytes > 0) {
        m_limit->setCurrentIndex(Bytes);
        if (m_bytes->bytes() != split.bytes) m_bytes->setBytes(split.bytes);
    }
    if (split.tensors > 0) {
        m_limit->setCurrentIndex(Tensors);
        m_tensors->setValue(static_cast<int>(split.tensors));
    }
    if (split.isNone() && (shown != Bytes || m_bytes->bytes().value_or(0) > 0)) m_limit->setCurrentIndex(None);
    m_bytes->setVisible(m_limit->currentIndex() == Bytes);
    m_tensors->setVisible(m_limit->currentIndex() == Tensors);
    const bool lacksSize = m_limit->currentIndex() == Bytes && split.bytes == 0;
    const auto plan = m_plans.plan();
    const bool isDivided = plan && plan->keepSplit && !split.isNone();
    m_note->setText(lacksSize   ? tr("Enter a size with a unit, for example 5 GB or 800 MB.")
                    : isDivided ? tr("%n output file(s)", nullptr, static_cast<int>(plan->files.size()))
                    : m_choices.request().copies == CopyMode::Join ? tr("The split files are joined into one file.")
                                                                   : QString());
    m_note->setVisible(!m_note->text().isEmpty());
}

} // namespace wb::ui::convert
