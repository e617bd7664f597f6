// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/mixes_panel.h"

#include "ui/convert/quantize/mix_plot.h"
#include "ui/convert/size_edit.h"
#include "ui/shell/picture_actions.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/wheel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

TypeRow mixTypeRow(const MixSession& mixes, std::size_t at) {
    const MixRow& mix = mixes.table()->rows[at];
    TypeRow row;
    row.name = QString::fromLatin1(quant::info(mix.type).name);
    row.note = typeNote(mix.type);
    row.bytes = mix.bytes;
    row.bitsPerWeight = mix.bitsPerWeight;
    if (!mixes.table()->isQuantized) row.published = quant::publishedDivergence(mix.type); // which is of models in floats
    row.error = mix.relativeError;
    row.weightedError = mix.weightedError;
    if (mix.needsMatrix) row.missing = MixesPanel::tr("needs imatrix");
    if (const auto& need = mixes.needs()[at]) {
        row.need = need->bytes;
        row.fit = need->verdict;
    }
    if (mixes.advice() && mixes.advice()->row == at) row.mark = MixesPanel::tr("Recommended");
    return row;
}

} // namespace

MixesPanel::MixesPanel(MixSession& mixes, BudgetSession& budget, const Services& services, QWidget* parent)
    : QWidget(parent), m_mixes(mixes), m_budget(budget), m_model(new TypeTableModel(this)), m_memory(new SizeEdit(this)),
      m_context(new QSpinBox(this)), m_everyRow(new QCheckBox(tr("All rows"), this)), m_measure(new QPushButton(this)),
      m_take(new QPushButton(tr("Use this type"), this)), m_queue(new QPushButton(tr("Add to queue"), this)),
      m_advice(new QLabel(this)), m_plot(new MixPlot(mixes, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addWidget(makeTop());
    m_advice->setObjectName(QStringLiteral("mixAdvice"));
    m_advice->setWordWrap(true);
    m_advice->setTextFormat(Qt::PlainText);
    auto* advice = new QHBoxLayout;
    advice->addWidget(m_advice, 1);
    for (QPushButton* button : {m_measure, m_take, m_queue}) advice->addWidget(button, 0, Qt::AlignTop);
    layout->addLayout(advice);
    m_split = new QSplitter(Qt::Vertical, this);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(makeTable());
    m_split->addWidget(m_plot);
    m_split->setSizes({300, 200});
    keepRows(true);
    layout->addWidget(m_split, 1);
    addPictureActions(m_plot, services);
    connect(m_plot, &MixPlot::mixChosen, m_table, &TypeTableView::selectTypeRow);
    connect(&m_mixes, &MixSession::changed, this, [this] {
        showTypes();
        showState();
    });
    showTypes();
    refresh();
}

QWidget* MixesPanel::makeTop() {
    auto* top = new QWidget(this);
    m_memory->setObjectName(QStringLiteral("mixMemory"));
    m_memory->setAccessibleName(tr("Memory that the model must fit in"));
    m_memory->setToolTip(tr("For example 4.2 GB, 800 MB or 3.9 GiB"));
    m_memory->setMaximumWidth(110);
    m_context->setObjectName(QStringLiteral("mixContext"));
    m_context->setAccessibleName(tr("Context length"));
    m_context->setRange(256, 16'777'216);
    m_context->setGroupSeparatorShown(true);
    m_context->setSingleStep(1024);
    m_context->setSuffix(tr(" tokens"));
    needFocusForWheel(m_context);
    m_everyRow->setToolTip(
        tr("Exact errors instead of estimates from samples; takes about as long as quantizing the model to every type."));
    m_measure->setObjectName(QStringLiteral("measureMixes"));
    m_take->setObjectName(QStringLiteral("takeMix"));
    m_take->setToolTip(tr("Apply the selected quantization type to the plan"));
    m_queue->setObjectName(QStringLiteral("queueMixes"));
    m_queue->setToolTip(tr("Quantize the model to each selected type, one after another; use Ctrl or Shift to select several"));
    connect(m_queue, &QPushButton::clicked, this, [this] { emit queueWanted(selectedMixes()); });
    connect(m_memory, &QLineEdit::textEdited, this, &MixesPanel::keepGoal);
    connect(m_context, &QSpinBox::valueChanged, this, &MixesPanel::keepGoal);
    connect(m_measure, &QPushButton::clicked, this, &MixesPanel::measureOrStop);
    connect(m_everyRow, &QCheckBox::toggled, this, &MixesPanel::showState);
    connect(m_take, &QPushButton::clicked, this, &MixesPanel::takeSelected);
    auto* caption = new QLabel(tr("&Fits in"), top);
    caption->setBuddy(m_memory);
    auto* layout = new QHBoxLayout(top);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{caption, m_memory, m_context, m_everyRow}) layout->addWidget(widget);
    layout->addStretch(1);
    return top;
}

QWidget* MixesPanel::makeTable() {
    using Table = TypeTableModel;
    m_table = new TypeTableView(
        m_model, {Table::Type, Table::Bits, Table::Size, Table::Error, Table::Plain, Table::WithMatrix, Table::Need, Table::Fit},
        Table::Size, Qt::DescendingOrder, this);
    m_table->setObjectName(QStringLiteral("mixTable"));
    m_table->setAccessibleName(tr("Quantization types of this model"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    chooseRowOnTab(m_table);
    connect(m_table, &QTableView::activated, this, &MixesPanel::takeSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MixesPanel::showState);
    return m_table;
}

// Where the page is low and wide, the plot is next to the table: below it, it would be out of sight. Where it is narrow, too, the
// columns of the table need the whole width, and the page is scrolled.
void MixesPanel::setRoom(QSize room) {
    constexpr int lowHeight = 500, leastWidth = 700;
    const Qt::Orientation orientation = room.height() < lowHeight && room.width() >= leastWidth ? Qt::Horizontal : Qt::Vertical;
    if (orientation == m_split->orientation()) return;
    m_split->setOrientation(orientation);
    keepRows(orientation == Qt::Vertical);
    m_split->setSizes(orientation == Qt::Horizontal ? QList{width(), 1} : QList{300, 200}); // the columns need the width
}

// One below the other, both keep a useful height, and the page is scrolled.
void MixesPanel::keepRows(bool isBelow) {
    m_table->setMinimumHeight(isBelow ? 9 * (fontMetrics().height() + 10) : 0);
    m_plot->setMinimumHeight(isBelow ? 180 : 0);
}

void MixesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void MixesPanel::refresh() {
    const Goal& goal = m_budget.goal();
    const QSignalBlocker blocked(m_context);
    if (m_memory->text() != goal.memory) m_memory->setText(goal.memory);
    m_context->setValue(goal.context);
    if (isVisible() && m_mixes.isStale()) m_mixes.measure(m_everyRow->isChecked());
    showState();
}

void MixesPanel::keepGoal() {
    Goal goal = m_budget.goal();
    goal.memory = m_memory->text();
    goal.context = m_context->value();
    m_budget.setGoal(goal);
}

void MixesPanel::measureOrStop() {
    if (m_mixes.isMeasuring()) m_mixes.stop();
    else m_mixes.measure(m_everyRow->isChecked());
}

QString MixesPanel::adviceText() const {
    if (!m_mixes.failure().isEmpty()) return m_mixes.failure();
    if (m_mixes.isMeasuring()) return tr("Measuring the loss of each quantization type…");
    const MixTable* const table = m_mixes.table();
    if (!table) return tr("Not measured yet.");
    if (table->isQuantized) return tr("The model is already quantized and would lose more quality; no type is recommended.");
    if (!m_mixes.advice()) return tr("No smaller quantization type fits in this memory; none is recommended.");
    const MixRow& row = table->rows[m_mixes.advice()->row];
    const double error = (table->isWeighted ? row.weightedError : row.relativeError).value_or(0);
    const QString name = QString::fromLatin1(quant::info(row.type).name), shown = QLocale().toString(error * 100, 'g', 3);
    return m_mixes.advice()->why == MixAdvice::Why::Unnoticed
               ? tr("Recommended: %1, the smallest type that fits with a barely noticeable error (%2%).").arg(name, shown)
               : tr("Recommended: %1, the lowest error of the types that fit (%2%).").arg(name, shown);
}

void MixesPanel::showState() {
    const bool isMeasuring = m_mixes.isMeasuring();
    m_advice->setText(adviceText());
    setTone(m_advice, m_mixes.failure().isEmpty() ? Tone::Normal : Tone::Error);
    m_measure->setText(isMeasuring ? tr("Stop") : tr("Measure"));
    m_measure->setIcon(icon(isMeasuring ? QStringLiteral("cancel") : QStringLiteral("sigma")));
    m_everyRow->setEnabled(!isMeasuring);
    const auto selected = m_table->selectionModel()->selectedRows().size();
    m_take->setEnabled(selected == 1);
    m_queue->setEnabled(selected > 0);
    m_table->setShown(TypeTableModel::Weighted, m_mixes.table() && m_mixes.table()->isWeighted);
}

void MixesPanel::showTypes() {
    std::vector<TypeRow> rows;
    const MixTable* const table = m_mixes.table();
    for (std::size_t i = 0; table && i < table->rows.size(); ++i) rows.push_back(mixTypeRow(m_mixes, i));
    m_model->setRows(std::move(rows));
}

// In the order of the table.
std::vector<quant::FileType> MixesPanel::selectedMixes() const {
    std::vector<quant::FileType> types;
    const QList<int> rows = m_table->selectedRows();
    for (const int row : rows) types.push_back(m_mixes.table()->rows[static_cast<std::size_t>(row)].type);
    return types;
}

void MixesPanel::takeSelected() {
    const auto types = selectedMixes();
    if (types.size() == 1) emit mixWanted(types.front());
}

} // namespace wb::ui::convert
