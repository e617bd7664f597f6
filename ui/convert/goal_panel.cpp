// SPDX-License-Identifier: MIT
#include "ui/convert/goal_panel.h"

#include "core/convert/quantize/budget_plan.h"
#include "ui/convert/quality.h"
#include "ui/convert/quantize/split_panel.h"
#include "ui/widgets/types/type_row.h"
#include "ui/convert/size_edit.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/wheel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace wb::ui::convert {
namespace {

constexpr int copyItem = -1; // of the box of mixes, next to the numbers of file types

} // namespace

GoalPanel::GoalPanel(QuantizeChoices& choices, const PlanSession& plans, BudgetSession& budget, QWidget* parent)
    : QWidget(parent), m_choices(choices), m_plans(plans), m_budget(budget),
      m_byMix(new QRadioButton(tr("Quantization type"), this)),
      m_bySize(new QRadioButton(tr("Best quality for a file size"), this)),
      m_byMemory(new QRadioButton(tr("Best quality that fits in memory"), this)), m_mix(new QComboBox(this)),
      m_size(new SizeEdit(this)), m_memory(new SizeEdit(this)), m_context(new QSpinBox(this)), m_find(new QPushButton(this)),
      m_note(makeMutedLabel(this)), m_figures(makeMutedLabel(this)), m_matrix(new QLineEdit(this)),
      m_noMatrix(new QToolButton(this)), m_everyRow(new QCheckBox(tr("Measure all rows"), this)),
      m_pure(new QCheckBox(tr("Use one type for all tensors (pure)"), this)),
      m_requantize(new QCheckBox(tr("Allow requantizing"), this)), m_keepSplit(new QCheckBox(tr("Keep split files"), this)),
      m_split(new SplitPanel(choices, plans, this)) {
    makeMixes();
    makeSizes();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_byMix);
    layout->addWidget(m_mix);
    layout->addWidget(m_bySize);
    layout->addWidget(row({m_size}));
    layout->addWidget(m_byMemory);
    layout->addWidget(row({m_memory, m_context}));
    layout->addWidget(m_everyRow);
    layout->addWidget(m_find);
    layout->addWidget(m_note);
    layout->addWidget(m_figures);
    makeOptions();
    refresh();
}

QWidget* GoalPanel::row(const QList<QWidget*>& widgets) {
    auto* holder = new QWidget(this);
    auto* layout = new QHBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : widgets) layout->addWidget(widget, 1);
    return holder;
}

void GoalPanel::makeMixes() {
    m_byMix->setObjectName(QStringLiteral("byMix"));
    m_mix->setObjectName(QStringLiteral("mix"));
    nameBox(m_mix, tr("Quantization"));
    needFocusForWheel(m_mix);
    const auto add = [this](quant::FileType type) {
        m_mix->addItem(QString::fromLatin1(quant::info(type).name), static_cast<int>(type));
        markMatrixType(m_mix, quant::info(type).base);
    };
    for (const quant::FileType type : quantize::commonMixes()) add(type);
    m_mix->insertSeparator(m_mix->count());
    for (const quant::FileTypeInfo& info : quant::allFileTypes())
        if (m_mix->findData(static_cast<int>(info.type)) < 0) add(info.type);
    connect(m_mix, &QComboBox::activated, this, [this] {
        m_byMix->setChecked(true);
        const int type = m_mix->currentData().toInt();
        if (type != copyItem) m_choices.setMix(static_cast<quant::FileType>(type));
    });
}

void GoalPanel::makeSizes() {
    m_bySize->setObjectName(QStringLiteral("bySize"));
    m_byMemory->setObjectName(QStringLiteral("byMemory"));
    m_size->setObjectName(QStringLiteral("size"));
    m_size->setAccessibleName(tr("File size"));
    m_size->setToolTip(tr("For example 4.2 GB, 800 MB or 3.9 GiB"));
    m_memory->setObjectName(QStringLiteral("memory"));
    m_memory->setAccessibleName(tr("Memory"));
    m_memory->setToolTip(m_size->toolTip());
    m_context->setObjectName(QStringLiteral("context"));
    m_context->setAccessibleName(tr("Context length"));
    m_context->setRange(1, 16'777'216);
    m_context->setGroupSeparatorShown(true);
    m_context->setSingleStep(1024);
    m_context->setSuffix(tr(" tokens"));
    needFocusForWheel(m_context);
    m_note->setObjectName(QStringLiteral("mixNote"));
    m_figures->setObjectName(QStringLiteral("mixFigures"));
    m_everyRow->setObjectName(QStringLiteral("everyRow"));
    m_everyRow->setToolTip(
        tr("Exact errors instead of estimates from samples; takes about as long as quantizing the model to every type."));
    m_find->setObjectName(QStringLiteral("find"));
    connect(m_find, &QPushButton::clicked, this, &GoalPanel::chooseByGoal);
    const Goal& goal = m_budget.goal();
    m_size->setText(goal.size);
    m_memory->setText(goal.memory);
    m_context->setValue(goal.context);
    m_everyRow->setChecked(goal.everyRow);
    (goal.kind == Goal::Kind::Size ? m_bySize : goal.kind == Goal::Kind::Memory ? m_byMemory : m_byMix)->setChecked(true);
    for (QRadioButton* button : {m_byMix, m_bySize, m_byMemory})
        connect(button, &QRadioButton::toggled, this, &GoalPanel::keepGoal);
    for (SizeEdit* size : {m_size, m_memory}) {
        connect(size, &QLineEdit::textChanged, this, &GoalPanel::keepGoal);
        connect(size, &QLineEdit::returnPressed, this, &GoalPanel::measureForGoal);
    }
    connect(m_context, &QSpinBox::valueChanged, this, &GoalPanel::keepGoal);
    connect(m_everyRow, &QCheckBox::toggled, this, &GoalPanel::keepGoal);
}

void GoalPanel::keepGoal() {
    const Goal::Kind kind = m_byMix->isChecked() ? Goal::Kind::Mix : m_bySize->isChecked() ? Goal::Kind::Size : Goal::Kind::Memory;
    if (kind != m_budget.goal().kind) m_budget.stop(); // its choices are no longer requested
    Goal goal = m_budget.goal();
    goal.kind = kind;
    goal.size = m_size->text();
    goal.memory = m_memory->text();
    goal.context = m_context->value();
    goal.everyRow = m_everyRow->isChecked();
    m_budget.setGoal(goal);
    // Types that were chosen for a size are not among a mix: to go back to a mix is to choose it.
    const quant::MixOptions& mix = m_choices.request().mix;
    if (kind == Goal::Kind::Mix && m_choices.chosenSize() && !mix.copy) m_choices.setMix(mix.fileType);
    refresh();
}

void GoalPanel::makeOptions() {
    m_matrix->setObjectName(QStringLiteral("matrix"));
    m_matrix->setReadOnly(true);
    m_matrix->setPlaceholderText(tr("No importance matrix"));
    m_matrix->setAccessibleName(tr("Importance matrix (imatrix)"));
    m_matrix->setToolTip(tr("Importance of each input column, measured by llama-imatrix; required for low-bit types"));
    auto* choose = new QToolButton(this);
    choose->setIcon(icon(QStringLiteral("folder")));
    choose->setAccessibleName(tr("Choose an importance matrix"));
    choose->setToolTip(choose->accessibleName());
    m_noMatrix->setIcon(icon(QStringLiteral("close")));
    m_noMatrix->setAccessibleName(tr("Clear importance matrix"));
    m_noMatrix->setToolTip(m_noMatrix->accessibleName());
    connect(choose, &QToolButton::clicked, this, &GoalPanel::askForMatrix);
    connect(m_noMatrix, &QToolButton::clicked, this, [this] { m_choices.setMatrix({}); });
    auto* matrix = new QWidget(this);
    auto* matrixLayout = new QHBoxLayout(matrix);
    matrixLayout->setContentsMargins(0, 6, 0, 0);
    matrixLayout->addWidget(m_matrix, 1);
    matrixLayout->addWidget(choose);
    matrixLayout->addWidget(m_noMatrix);
    m_pure->setObjectName(QStringLiteral("pure"));
    m_requantize->setObjectName(QStringLiteral("requantize"));
    m_keepSplit->setObjectName(QStringLiteral("keepSplit"));
    connect(m_pure, &QCheckBox::toggled, &m_choices, &QuantizeChoices::setPure);
    connect(m_requantize, &QCheckBox::toggled, &m_choices, &QuantizeChoices::setAllowRequantize);
    connect(m_keepSplit, &QCheckBox::toggled, &m_choices, &QuantizeChoices::setKeepSplit);
    layout()->addWidget(matrix);
    layout()->addWidget(m_pure);
    layout()->addWidget(m_requantize);
    layout()->addWidget(m_keepSplit);
    layout()->addWidget(m_split);
}

void GoalPanel::askForMatrix() {
    const QString folder = QFileInfo(m_plans.path()).path();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Choose an importance matrix"), folder);
    });
    if (!path.isEmpty()) m_choices.setMatrix(path);
}

void GoalPanel::chooseByGoal() {
    if (m_budget.isMeasuring()) m_budget.stop();
    else measureForGoal();
}

void GoalPanel::measureForGoal() {
    const auto bytes = sizeInUse()->bytes();
    if (!m_find->isEnabled()) return;
    if (bytes && m_bySize->isChecked()) m_budget.chooseUnder(*bytes);
    else if (bytes) m_budget.chooseFitting(*bytes, static_cast<quint64>(m_context->value()));
}

SizeEdit* GoalPanel::sizeInUse() const { return m_bySize->isChecked() ? m_size : m_memory; }

// The size again in the other kind of units, then what will be done with it.
QString GoalPanel::sizeNote() const {
    const auto bytes = sizeInUse()->bytes();
    if (!bytes) return tr("Enter a size with a unit, for example 4.2 GB, 800 MB or 3.9 GiB.");
    QStringList notes{
        tr("Equals %1.").arg(sizeInUse()->text().contains(u'i', Qt::CaseInsensitive) ? fileSizeText(*bytes) : bytesText(*bytes)),
        goalNote()};
    if (m_plans.isCurrent() && !m_budget.isMeasuring() && m_budget.goalBytes() && !m_budget.isMet())
        notes << tr("The plan does not match this size yet: click Find best types, then Quantize.");
    return joined(notes);
}

QString GoalPanel::goalNote() const {
    if (m_bySize->isChecked() && m_budget.goal().everyRow)
        return tr("Tries every type on all rows of each tensor and picks the types with the lowest loss that fit the size.");
    if (m_bySize->isChecked())
        return tr("Tries every type on a sample of each tensor's rows and picks the types with the lowest loss that fit the size.");
    const auto cache = m_budget.cacheBytes(static_cast<quint64>(m_context->value()));
    if (!cache) return tr("The model does not specify its KV cache size; choose a file size instead.");
    const quint64 buffers = m_budget.bufferBytes(static_cast<quint64>(m_context->value()));
    const bool hasRest = sizeInUse()->bytes().value_or(0) > *cache + buffers;
    return (hasRest ? tr("KV cache for %L1 tokens: %2 (f16); compute buffers: %3; the rest is available for the weights.")
                    : tr("KV cache for %L1 tokens: %2 (f16); compute buffers: %3; no memory is left for the weights."))
        .arg(m_context->value())
        .arg(bytesText(*cache), bytesText(buffers));
}

// A quantization type with changed tensor types has no published quality.
QString GoalPanel::mixNote() const {
    if (m_choices.request().copies != quantize::CopyMode::None) return tr("Every tensor keeps its type and bytes.");
    if (m_choices.request().mix.copy) return tr("Copies every tensor as is. Choose a quantization type to make the model smaller.");
    if (!m_plans.hasOwnTypes()) return typeNote(m_choices.request().mix.fileType);
    return m_budget.result()
               ? tr("Types were chosen for a file size and differ from the quantization type; its published figures do not apply.")
               : tr("Types were changed manually and differ from the quantization type; its published figures do not apply.");
}

QString GoalPanel::figures() const {
    const auto plan = m_plans.plan();
    return plan && !m_plans.hasOwnTypes() ? qualityFigures(m_choices.request(), *plan) : QString();
}

// COPY comes with a kept plan only, and is in the list while it is the current plan.
void GoalPanel::refreshMix() {
    const quant::MixOptions& mix = m_choices.request().mix;
    const int copy = m_mix->findData(copyItem);
    if (mix.copy && copy < 0) m_mix->addItem(QString::fromLatin1(quant::copyTarget), copyItem);
    if (!mix.copy && copy >= 0) m_mix->removeItem(copy);
    m_mix->setCurrentIndex(m_mix->findData(mix.copy ? copyItem : static_cast<int>(mix.fileType)));
    m_figures->setText(m_byMix->isChecked() ? figures() : QString());
    m_figures->setVisible(!m_figures->text().isEmpty());
}

void GoalPanel::refresh() {
    QRadioButton* const chosen = m_budget.goal().kind == Goal::Kind::Size     ? m_bySize
                                 : m_budget.goal().kind == Goal::Kind::Memory ? m_byMemory
                                                                              : m_byMix;
    if (!chosen->isChecked()) chosen->setChecked(true); // it was set elsewhere; keepGoal follows
    if (m_memory->text() != m_budget.goal().memory) m_memory->setText(m_budget.goal().memory);
    if (m_context->value() != m_budget.goal().context) m_context->setValue(m_budget.goal().context);
    const bool byMix = m_byMix->isChecked();
    m_mix->setEnabled(m_choices.request().copies == quantize::CopyMode::None);
    m_mix->setVisible(byMix);
    m_size->parentWidget()->setVisible(m_bySize->isChecked());
    m_memory->parentWidget()->setVisible(m_byMemory->isChecked());
    m_find->setVisible(!byMix);
    m_find->setEnabled(m_budget.isMeasuring() || (m_budget.canMeasure() && sizeInUse()->bytes()));
    m_everyRow->setVisible(!byMix);
    m_everyRow->setEnabled(!m_budget.isMeasuring());
    m_find->setText(m_budget.isMeasuring() ? tr("Stop") : tr("Find best types"));
    m_find->setIcon(icon(m_budget.isMeasuring() ? QStringLiteral("cancel") : QStringLiteral("sigma")));
    refreshMix();
    m_note->setText(byMix ? mixNote() : sizeNote());
    m_matrix->setText(m_choices.matrixPath().isEmpty() ? QString() : shortPath(m_choices.matrixPath()));
    const QSignalBlocker pure(m_pure);
    const QSignalBlocker requantize(m_requantize);
    m_pure->setVisible(byMix);
    m_pure->setChecked(m_choices.request().mix.pure);
    const QSignalBlocker keepSplit(m_keepSplit);
    m_requantize->setChecked(m_choices.request().allowRequantize);
    m_keepSplit->setChecked(m_choices.request().keepSplit);
    m_keepSplit->setVisible(m_plans.model() && !m_plans.isFolder() && m_plans.model()->files.size() > 1 &&
                            m_choices.request().split.isNone() && m_choices.request().copies == quantize::CopyMode::None);
    m_split->refresh();
    m_noMatrix->setEnabled(!m_choices.matrixPath().isEmpty());
    if (m_plans.plan() && m_budget.goal().sizedFor != m_plans.path()) {
        Goal goal = m_budget.goal();
        goal.sizedFor = m_plans.path();
        const int usual = m_budget.usualContext();
        if (goal.context == goal.usualContext) goal.context = usual;
        goal.usualContext = usual;
        m_budget.setGoal(goal);
        m_size->setBytes(m_plans.plan()->fileBytes());
    }
}

} // namespace wb::ui::convert
