// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/tensor_views.h"

#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/tensors/name_tree_model.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/tables/column_chooser.h"
#include "ui/widgets/tables/frozen_column.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/tensor_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <set>

namespace wb::ui::inspect {
namespace {

// Texts as wide as a column usually needs; sections are never sized by their contents, which would ask for every row.
constexpr std::array<const char*, columnCount> samples = {"blk.00.attn_output.weight",
                                                          "IQ3_XXS",
                                                          "49152 × 5760",
                                                          "622,329,856",
                                                          "1,023 MiB",
                                                          "< 100.0 %_______",
                                                          "Convolution",
                                                          "Layer",
                                                          "model.gguf",
                                                          "-0.000123456",
                                                          "-0.000123456",
                                                          "-0.000123456",
                                                          "-0.000123456",
                                                          "-0.000123456",
                                                          "Excess kurtosis__", // the title
                                                          "1,234,567",
                                                          "1,234,567",
                                                          "1,234,567"};

constexpr int namesMeasured = 300; // enough to know how long the names of a model are
constexpr int filesMeasured = 300;
constexpr int widestName = 360;

int viewWidth(const QWidget* view, Column column) {
    const QString sample = QString::fromUtf8(samples[static_cast<std::size_t>(column)]);
    return view->fontMetrics().horizontalAdvance(sample) + 2 * CellDelegate::padding + 2;
}

int nameWidth(const QTableView* table) {
    int width = viewWidth(table, Column::Name);
    const int rows = std::min(table->model()->rowCount(), namesMeasured);
    for (int row = 0; row < rows; ++row) {
        const QString name = table->model()->index(row, static_cast<int>(Column::Name)).data().toString();
        width = std::max(width, table->fontMetrics().horizontalAdvance(name) + 2 * CellDelegate::padding + 2);
    }
    return std::min(width, widestName);
}

// The schemes of logical weights have longer names than types; logical weights may be the last of many tensors.
int typeWidth(const QWidget* view, const Model& model) {
    std::set<std::string> schemes;
    for (const TensorInfo& info : model.tensors)
        if (info.logical && info.details) schemes.insert(info.details->scheme);
    int width = viewWidth(view, Column::Type);
    for (const std::string& scheme : schemes)
        width = std::max(width, view->fontMetrics().horizontalAdvance(schemeText(scheme)) + 2 * CellDelegate::padding + 2);
    return std::min(width, widestName);
}

// Names of shards differ near their ends, so they are shown whole.
int fileWidth(const QTableView* table, const Model& model) {
    int width = viewWidth(table, Column::File);
    for (const ModelFile& file : std::span(model.files).first(std::min<std::size_t>(model.files.size(), filesMeasured)))
        width = std::max(width, table->fontMetrics().horizontalAdvance(text(file.name)) + 2 * CellDelegate::padding + 2);
    return std::min(width, widestName);
}

void addCellCopy(QAbstractItemView* view) {
    auto* action = new QAction(icon(QStringLiteral("copy")), QCoreApplication::translate("Copy", "Copy cell"), view);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, view, [view] {
        if (view->currentIndex().isValid()) copyText(view->currentIndex().data(ExactRole).toString());
    });
    view->addAction(action);
}

void setUpSelection(QAbstractItemView* view) {
    view->setItemDelegate(new CellDelegate(view));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    chooseRowOnTab(view);
    addCopyAction(view)->setText(QCoreApplication::translate("Copy", "Copy rows"));
    addCellCopy(view);
}

} // namespace

QTableView* makeTensorTable(TensorTableModel* model, const Model& files, QWidget* parent) {
    auto* table = new FrozenTableView(parent);
    table->setObjectName(QStringLiteral("tensorTable"));
    table->setAccessibleName(QCoreApplication::translate("TensorPanel", "Tensors"));
    table->setModel(model);
    setUpTable(table, CellDelegate::rowHeight(table));
    table->setTextElideMode(Qt::ElideMiddle);
    QHeaderView* header = table->horizontalHeader();
    header->setSectionsMovable(true);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    table->setSortingEnabled(true);
    for (int column = 0; column < columnCount; ++column)
        header->resizeSection(column, viewWidth(table, static_cast<Column>(column)));
    header->resizeSection(static_cast<int>(Column::Name), nameWidth(table));
    header->resizeSection(static_cast<int>(Column::Type), typeWidth(table, files));
    header->resizeSection(static_cast<int>(Column::File), fileWidth(table, files));
    setUpSelection(table);
    new FrozenColumn(table);
    return table;
}

QTreeView* makeTensorTree(NameTreeModel* model, const Model& files, QWidget* parent) {
    auto* tree = new QTreeView(parent);
    tree->setObjectName(QStringLiteral("tensorTree"));
    tree->setAccessibleName(QCoreApplication::translate("TensorPanel", "Tensors grouped by name"));
    tree->setModel(model);
    tree->setUniformRowHeights(true);
    tree->setTextElideMode(Qt::ElideMiddle);
    constexpr std::array columns = {Column::Name, Column::Type, Column::Shape, Column::Elements, Column::Size, Column::Share};
    for (std::size_t i = 1; i < columns.size(); ++i)
        tree->header()->resizeSection(static_cast<int>(i), viewWidth(tree, columns[i]));
    tree->header()->resizeSection(1, typeWidth(tree, files)); // of Column::Type
    tree->header()->resizeSection(NameTreeModel::Name, 250);
    setUpSelection(tree);
    return tree;
}

void updateColumns(ColumnChooser& columns, const Document& document) {
    columns.setOffered(static_cast<int>(Column::File), document.model().files.size() > 1);
    for (int column = static_cast<int>(Column::Min); column < columnCount; ++column)
        columns.setOffered(column, document.computedCount() > 0);
}

} // namespace wb::ui::inspect
