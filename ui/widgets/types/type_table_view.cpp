// SPDX-License-Identifier: MIT
#include "ui/widgets/types/type_table_view.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/tables/plain_table.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace wb::ui {
namespace {

// A number that is cut anywhere is another number: a narrow cell rounds it.
class TypeCells : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        constexpr int margins = 8;
        if (option->displayAlignment & Qt::AlignRight)
            option->text = fittedNumber(option->text, index.data(TypeTableModel::ExactRole).toString(), option->fontMetrics,
                                        option->rect.width() - margins);
    }
};

} // namespace

TypeTableView::TypeTableView(TypeTableModel* model, std::initializer_list<TypeTableModel::Column> shown,
                             TypeTableModel::Column sorted, Qt::SortOrder order, QWidget* parent)
    : FrozenTableView(parent), m_model(model) {
    setItemDelegate(new TypeCells(this));
    showSorted(this, model, TypeTableModel::SortRole);
    sortByColumn(sorted, order);
    setUpTable(this, fontMetrics().height() + 10);
    setHorizontalScrollMode(ScrollPerPixel);
    setEditTriggers(NoEditTriggers);
    for (int column = 0; column < TypeTableModel::columns; ++column)
        setColumnHidden(column, std::ranges::find(shown, column) == shown.end());
    QHeaderView* const header = horizontalHeader();
    header->setStretchLastSection(true);
    // Whether a type fits is read before any other figure.
    for (const auto& [column, place] : {std::pair(TypeTableModel::Need, 3), std::pair(TypeTableModel::Fit, 4)})
        header->moveSection(header->visualIndex(column), place);
    fitColumns();
    connect(model, &QAbstractItemModel::headerDataChanged, this, &TypeTableView::fitColumns);
    connect(model, &QAbstractItemModel::modelReset, this, &TypeTableView::fitColumns);
    addRowCopy(this, TypeTableModel::ExactRole);
    new FrozenColumn(this);
}

// Numbers change while they are measured, so that a column is as wide as the longest that is to be expected.
// A marked row is bold.
void TypeTableView::fitColumns() {
    const QFontMetrics metrics = fontMetrics();
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics boldMetrics(bold);
    const int usual = metrics.horizontalAdvance(QStringLiteral("0.000123456"));
    constexpr int arrow = 30, padding = 16;
    for (int column = 0; column < TypeTableModel::columns; ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal).toString();
        int width = std::max(metrics.horizontalAdvance(title) + arrow, usual + padding);
        for (int row = 0; row < m_model->rowCount(); ++row)
            width = std::max(width, boldMetrics.horizontalAdvance(m_model->index(row, column).data().toString()) + padding);
        setColumnWidth(column, width);
    }
}

QList<int> TypeTableView::shownColumns() const {
    QList<int> shown;
    for (int column = 0; column < TypeTableModel::columns; ++column)
        if (!isColumnHidden(column)) shown << column;
    return shown;
}

int TypeTableView::currentRow() const { return tableProxy(this)->mapToSource(currentIndex()).row(); }

QList<int> TypeTableView::selectedRows() const {
    QList<int> rows;
    for (int row = 0; row < tableProxy(this)->rowCount(); ++row)
        if (selectionModel()->isRowSelected(row, {})) rows << tableProxy(this)->mapToSource(tableProxy(this)->index(row, 0)).row();
    return rows;
}

void TypeTableView::selectTypeRow(int row) {
    const QModelIndex index = tableProxy(this)->mapFromSource(m_model->index(row, 0));
    selectRow(index.row());
    scrollTo(index);
}

} // namespace wb::ui
