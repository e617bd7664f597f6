// SPDX-License-Identifier: MIT
#include "ui/widgets/tables/plain_table.h"

#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFocusEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace wb::ui {
namespace {

void chooseCurrentRow(QAbstractItemView* view) {
    const QItemSelectionModel* const selection = view->selectionModel();
    if (!selection || selection->hasSelection() || view->model()->rowCount(view->rootIndex()) == 0) return;
    const QModelIndex current = view->currentIndex();
    view->setCurrentIndex(current.isValid() ? current : view->model()->index(0, 0, view->rootIndex()));
}

class RowOnTab : public QObject {
public:
    explicit RowOnTab(QAbstractItemView* view) : QObject(view), m_view(view) { view->installEventFilter(this); }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::FocusIn) return false;
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) chooseCurrentRow(m_view);
        return false;
    }

private:
    QAbstractItemView* m_view;
};

} // namespace

int rowsHeight(const QTableView& table, int rows) {
    return table.horizontalHeader()->sizeHint().height() + rows * table.verticalHeader()->defaultSectionSize() +
           table.horizontalScrollBar()->sizeHint().height() + 2 * table.frameWidth();
}

void chooseRowOnTab(QAbstractItemView* view) { new RowOnTab(view); }

void addRowCopy(QTableView* table, int role) {
    auto* copy = new QAction(icon(QStringLiteral("copy")), QTableView::tr("Copy"), table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, table, [table, role] {
        QStringList lines;
        const QModelIndexList rows = table->selectionModel()->selectedRows();
        for (const QModelIndex& row : rows) {
            QStringList cells;
            for (int column = 0; column < table->model()->columnCount(); ++column)
                if (!table->isColumnHidden(column)) cells << row.siblingAtColumn(column).data(role).toString();
            lines << cells.join(u'\t');
        }
        QApplication::clipboard()->setText(lines.join(u'\n'));
    });
    table->addAction(copy);
    showActionsOnRightClick(table);
}

void leadDown(QLineEdit* from, QAbstractItemView* to) {
    auto* down = new QAction(from);
    down->setShortcut(Qt::Key_Down);
    down->setShortcutContext(Qt::WidgetShortcut);
    from->QWidget::addAction(down);
    QObject::connect(down, &QAction::triggered, to, [to] {
        chooseCurrentRow(to);
        to->setFocus(Qt::ShortcutFocusReason);
    });
}

void setUpTable(QTableView* table, int rowHeight) {
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setHighlightSections(false);
}

QSortFilterProxyModel* showSorted(QTableView* table, QAbstractItemModel* model, int sortRole) {
    auto* proxy = new QSortFilterProxyModel(table);
    proxy->setSourceModel(model);
    proxy->setSortRole(sortRole);
    table->setModel(proxy);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSortingEnabled(true);
    table->sortByColumn(0, Qt::AscendingOrder);
    return proxy;
}

QSortFilterProxyModel* tableProxy(const QTableView* table) { return static_cast<QSortFilterProxyModel*>(table->model()); }

} // namespace wb::ui
