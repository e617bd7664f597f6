// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/copy.h"

#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QTableView>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

// The rows above, innermost last: tree rows compare from the root down.
QList<int> indexPlace(QModelIndex index) {
    QList<int> place;
    for (; index.isValid(); index = index.parent()) place.prepend(index.row());
    return place;
}

bool isBefore(const QModelIndex& a, const QModelIndex& b) {
    if (a.parent() != b.parent()) return indexPlace(a) < indexPlace(b);
    return a.row() != b.row() ? a.row() < b.row() : a.column() < b.column();
}

QString cellText(const QModelIndex& index) {
    const QVariant exact = index.data(ExactRole);
    QString text = exact.isValid() ? exact.toString() : index.data(Qt::DisplayRole).toString();
    for (const QChar separator : {QChar('\t'), QChar('\n'), QChar('\r')}) text.replace(separator, QLatin1Char(' '));
    return text;
}

QModelIndexList chosenCells(const QAbstractItemView* view) {
    QModelIndexList cells = view->selectionModel() ? view->selectionModel()->selectedIndexes() : QModelIndexList();
    if (cells.isEmpty() && view->currentIndex().isValid()) cells = {view->currentIndex()};
    const auto* table = qobject_cast<const QTableView*>(view);
    if (table) cells.removeIf([&](const QModelIndex& cell) { return table->isColumnHidden(cell.column()); });
    return cells;
}

} // namespace

QString asTsv(const QList<QModelIndex>& cells) {
    QModelIndexList ordered = cells;
    std::ranges::sort(ordered, isBefore);
    QString text;
    for (qsizetype i = 0; i < ordered.size(); ++i) {
        const bool sameRow = i > 0 && ordered[i].row() == ordered[i - 1].row() && ordered[i].parent() == ordered[i - 1].parent();
        if (i > 0) text += sameRow ? QLatin1Char('\t') : QLatin1Char('\n');
        text += cellText(ordered[i]);
    }
    return text;
}

QAction* addCopyAction(QAbstractItemView* view) {
    auto* action = new QAction(icon(QStringLiteral("copy")), QCoreApplication::translate("Copy", "Copy"), view);
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, view, [view] { copyText(asTsv(chosenCells(view))); });
    view->addAction(action);
    showActionsOnRightClick(view);
    return action;
}

void copyText(const QString& text) { QGuiApplication::clipboard()->setText(text); }

} // namespace wb::ui::inspect
