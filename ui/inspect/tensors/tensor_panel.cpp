// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/tensor_panel.h"

#include "core/model/checkpoint.h"

#include "ui/inspect/tensors/name_tree_model.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/search_line.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/inspect/tensors/tensor_views.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/tables/column_chooser.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace wb::ui::inspect {

TensorPanel::TensorPanel(const Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_tableModel(new TensorTableModel(document, this)), m_search(new SearchLine(this)),
      m_stack(new QStackedWidget(this)), m_table(makeTensorTable(m_tableModel, document.model(), this)),
      m_columns(new ColumnChooser(m_table)), m_footer(makeMutedLabel(this)) {
    m_stack->addWidget(m_table);
    m_footer->setObjectName(QStringLiteral("tensorFooter"));
    m_footer->setWordWrap(false);
    m_footer->setContentsMargins(4, 2, 4, 4);
    updateColumns(*m_columns, document);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 0);
    layout->setSpacing(6);
    layout->addWidget(makeTools());
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_footer);
    connect(m_search, &SearchLine::queryChanged, this, &TensorPanel::setQuery);
    connect(m_search, &SearchLine::resultsWanted, this, [this] {
        if (!view()->currentIndex().isValid()) view()->setCurrentIndex(view()->model()->index(0, 0));
        focusRows();
    });
    connect(&m_document, &Document::statisticsChanged, this, &TensorPanel::updateStatistics);
    connectView(m_table);
    sumShown();
    setComputing(false);
}

void TensorPanel::focusRows() { view()->setFocus(Qt::ShortcutFocusReason); }

QWidget* TensorPanel::makeTools() {
    auto* tools = new QWidget(this);
    m_flatButton = addTool(QStringLiteral("table"), tr("Table view"), {});
    m_treeButton = addTool(QStringLiteral("tree"), tr("Tree view"), QKeySequence(Qt::CTRL | Qt::Key_T));
    m_flatButton->setCheckable(true);
    m_treeButton->setCheckable(true);
    m_flatButton->setChecked(true);
    connect(m_flatButton, &QToolButton::clicked, this, [this] { setTree(false); });
    connect(m_treeButton, &QToolButton::clicked, this, [this] { setTree(true); });
    QToolButton* exportButton =
        addTool(QStringLiteral("export"), tr("Export listed tensors as CSV or JSON"), QKeySequence(Qt::CTRL | Qt::Key_E));
    connect(exportButton, &QToolButton::clicked, this, &TensorPanel::exportWanted);
    m_compute = new QPushButton(icon(QStringLiteral("sigma")), QString(), tools);
    m_compute->setObjectName(QStringLiteral("compute"));
    connect(m_compute, &QPushButton::clicked, this, &TensorPanel::computeWanted);

    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_search, 1, Qt::AlignTop);
    makeShownBox();
    if (m_shown) row->addWidget(m_shown, 0, Qt::AlignTop);
    for (QWidget* widget : {static_cast<QWidget*>(m_flatButton), static_cast<QWidget*>(m_treeButton),
                            static_cast<QWidget*>(exportButton), static_cast<QWidget*>(m_compute)})
        row->addWidget(widget, 0, Qt::AlignTop);
    return tools;
}

void TensorPanel::makeShownBox() {
    const auto& tensors = m_document.model().tensors;
    if (std::ranges::none_of(tensors, &TensorInfo::logical)) return;
    std::unordered_set<std::string_view> parts;
    for (const TensorInfo& tensor : tensors)
        if (tensor.logical && tensor.details) parts.insert(tensor.details->parts.begin(), tensor.details->parts.end());
    // In a checkpoint of several ranks every stored tensor is a share or a copy.
    const auto& checkpoint = m_document.model().checkpoint;
    const bool isJoined = checkpoint && checkpoint->isJoined;
    for (const TensorInfo& tensor : tensors) m_isPart.push_back(!tensor.logical && (isJoined || parts.contains(tensor.name)));
    m_shown = new QComboBox(this);
    m_shown->setObjectName(QStringLiteral("shownTensors"));
    nameBox(m_shown, tr("Tensors to list"));
    m_shown->setToolTip(tr("Logical weights, tensors as stored, or both"));
    m_shown->addItem(tr("All tensors"));
    m_shown->addItem(tr("Logical weights"));
    m_shown->addItem(tr("Stored tensors"));
    if (isJoined) setShown(Shown::Logical);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &TensorPanel::applyQuery);
}

void TensorPanel::setShown(Shown shown) {
    if (m_shown) m_shown->setCurrentIndex(static_cast<int>(shown));
}

TensorPanel::Shown TensorPanel::shown() const { return m_shown ? static_cast<Shown>(m_shown->currentIndex()) : Shown::All; }

bool TensorPanel::isInView(std::uint32_t tensor) const {
    switch (shown()) {
    case Shown::Logical: return !m_isPart[tensor];
    case Shown::Stored: return !m_document.contents().tensor(tensor).logical;
    default: return true;
    }
}

QToolButton* TensorPanel::addTool(const QString& iconName, const QString& text, const QKeySequence& key) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(iconName));
    button->setObjectName(iconName);
    button->setAccessibleName(text);
    button->setToolTip(key.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    return button;
}

void TensorPanel::addSaveValues(QAbstractItemView* view) {
    auto* action = new QAction(icon(QStringLiteral("export")), tr("Save values of selected tensors…"), view);
    action->setObjectName(QStringLiteral("saveValues"));
    connect(action, &QAction::triggered, this, [this] {
        if (const auto tensors = selectedTensors(); !tensors.empty()) emit valuesWanted(tensors);
    });
    view->addAction(action);
}

std::vector<std::uint32_t> TensorPanel::selectedTensors() const {
    QModelIndexList rows = view()->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, [](const QModelIndex& row) { return row.row(); });
    std::vector<std::uint32_t> tensors;
    for (const QModelIndex& row : rows)
        if (const QVariant tensor = row.data(TensorRole); tensor.isValid()) tensors.push_back(tensor.toUInt());
    if (tensors.empty() && m_current) tensors.push_back(*m_current);
    return tensors;
}

void TensorPanel::connectView(QAbstractItemView* view) {
    addSaveValues(view);
    connect(view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TensorPanel::chooseCurrent);
    connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TensorPanel::updateFooter);
}

void TensorPanel::makeTree() {
    m_treeModel = new NameTreeModel(m_document, this);
    m_tree = makeTensorTree(m_treeModel, m_document.model(), this);
    m_stack->addWidget(m_tree);
    connectView(m_tree);
}

QAbstractItemView* TensorPanel::view() const { return isTree() ? static_cast<QAbstractItemView*>(m_tree) : m_table; }

const std::vector<std::uint32_t>& TensorPanel::shownTensors() const { return m_tableModel->rows(); }

bool TensorPanel::isTree() const { return m_stack->currentIndex() == 1; }

void TensorPanel::setTree(bool tree) {
    m_flatButton->setChecked(!tree);
    m_treeButton->setChecked(tree);
    if (tree && !m_tree) makeTree();
    m_stack->setCurrentIndex(tree ? 1 : 0);
    if (tree) fillTree();
    showCurrent();
    updateFooter();
}

// The tree is built when it is inspected; typing in the search line must not pay for it.
void TensorPanel::fillTree() {
    if (!m_isTreeStale || !isTree()) return;
    m_isTreeStale = false;
    m_treeModel->setTensors(m_tableModel->rows());
    constexpr std::size_t fewEnough = 200;
    if (m_tableModel->rows().size() <= fewEnough) m_tree->expandAll();
    else m_tree->expandToDepth(0);
}

void TensorPanel::setComputing(bool computing) {
    m_compute->setText(computing ? tr("Stop") : tr("Statistics"));
    m_compute->setIcon(icon(computing ? QStringLiteral("cancel") : QStringLiteral("sigma")));
    m_compute->setToolTip(computing ? tr("Stop computing; results so far are kept.")
                                    : tr("Compute statistics for all tensors of this model (Ctrl+Shift+S)"));
    m_compute->setAccessibleName(computing ? tr("Stop computing statistics") : tr("Compute statistics for the whole model"));
    updateFooter();
}

void TensorPanel::search(const QString& query) { m_search->setText(query); }

void TensorPanel::focusSearch() { m_search->focusSearch(); }

void TensorPanel::setQuery(const query::Query& query) {
    m_query = query;
    applyQuery();
}

void TensorPanel::applyQuery() {
    const stats::Contents& contents = m_document.contents();
    const std::string_view architecture = contents.model->architecture ? std::string_view(*contents.model->architecture) : "";
    m_tableModel->setFilter([&](std::uint32_t i) {
        const TensorInfo& tensor = contents.tensor(i);
        const auto& files = contents.model->files;
        const std::string_view file = tensor.file() < files.size() ? std::string_view(files[tensor.file()].name) : "";
        return isInView(i) && m_query.matches({tensor, architecture, file, contents.statistics(i)});
    });
    m_isTreeStale = true;
    sumShown();
    fillTree();
    showCurrent();
    updateFooter();
}

void TensorPanel::chooseCurrent(const QModelIndex& index) {
    const QVariant tensor = index.data(TensorRole);
    if (!tensor.isValid() || m_current == tensor.toUInt()) return;
    m_current = tensor.toUInt();
    emit currentTensorChanged();
}

void TensorPanel::chooseTensor(std::uint32_t tensor) {
    if (m_tableModel->rowOf(tensor) < 0) setShown(Shown::All);
    if (m_tableModel->rowOf(tensor) < 0) search(QString());
    m_current = tensor;
    showCurrent();
    emit currentTensorChanged();
}

void TensorPanel::showCurrent() {
    if (!m_current) return;
    const int row = m_tableModel->rowOf(*m_current);
    const QModelIndex index = isTree() ? m_treeModel->indexOf(*m_current) : m_tableModel->index(row, 0);
    if (!index.isValid() || index == view()->currentIndex().siblingAtColumn(0)) return;
    view()->setCurrentIndex(index);
    view()->scrollTo(index);
}

void TensorPanel::updateStatistics() {
    updateColumns(*m_columns, m_document);
    if (m_query.needsStatistics()) applyQuery();
    updateFooter();
}

int TensorPanel::selectedCount() const {
    int rows = 0;
    for (const QItemSelectionRange& range : view()->selectionModel()->selection()) rows += range.height();
    return rows;
}

void TensorPanel::sumShown() {
    m_shownBytes = 0;
    const bool isLogical = shown() == Shown::Logical; // then without the parts
    for (const std::uint32_t number : shownTensors()) {
        const TensorInfo& tensor = m_document.contents().tensor(number);
        if (!tensor.isUncounted() || (isLogical && tensor.logical)) m_shownBytes += tensor.bytes();
    }
}

void TensorPanel::updateFooter() {
    const auto& tensors = m_document.model().tensors;
    const auto logical = std::ranges::count_if(tensors, &TensorInfo::logical);
    const QString all = shownCount(tensors.size());
    const bool isWhole = shownTensors().size() == tensors.size();
    QStringList parts{!isWhole              ? tr("%1 of %2 tensors").arg(shownCount(shownTensors().size()), all)
                      : tensors.size() == 1 ? tr("1 tensor")
                                            : tr("All %1 tensors").arg(all)};
    if (isWhole && logical > 0) parts << tr("%1 of them logical").arg(shownCount(static_cast<quint64>(logical)));
    parts << bytesText(m_shownBytes);
    if (const int selected = selectedCount(); selected > 1) parts << tr("%n selected", nullptr, selected);
    if (m_document.computedCount() > 0) parts << tr("%1 with statistics").arg(shownCount(m_document.computedCount()));
    m_footer->setText(parts.join(QStringLiteral(" · ")));
}

QJsonObject TensorPanel::save() const {
    const QHeaderView* header = m_table->horizontalHeader();
    QJsonObject state{{QStringLiteral("filter"), m_search->text()},
                      {QStringLiteral("tree"), isTree()},
                      {QStringLiteral("hidden"), m_columns->save()},
                      {QStringLiteral("shown"), static_cast<int>(shown())},
                      {QStringLiteral("sortColumn"), header->sortIndicatorSection()},
                      {QStringLiteral("sortDescending"), header->sortIndicatorOrder() == Qt::DescendingOrder}};
    if (m_current) state.insert(QStringLiteral("tensor"), text(m_document.contents().tensor(*m_current).name));
    return state;
}

void TensorPanel::restore(const QJsonObject& state) {
    const int column = state.value(QStringLiteral("sortColumn")).toInt(-1);
    const bool descending = state.value(QStringLiteral("sortDescending")).toBool();
    if (column >= 0 && column < columnCount) m_table->sortByColumn(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_columns->restore(state.value(QStringLiteral("hidden")).toArray());
    setShown(static_cast<Shown>(std::clamp(state.value(QStringLiteral("shown")).toInt(), 0, 2)));
    if (const QString filter = state.value(QStringLiteral("filter")).toString(); !filter.isEmpty()) search(filter);
    setTree(state.value(QStringLiteral("tree")).toBool());
    const std::string name = state.value(QStringLiteral("tensor")).toString().toStdString();
    const auto& tensors = m_document.model().tensors;
    const auto found = std::ranges::find(tensors, name, &TensorInfo::name);
    if (!name.empty() && found != tensors.end()) chooseTensor(static_cast<std::uint32_t>(found - tensors.begin()));
}

} // namespace wb::ui::inspect
