// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

class QAbstractItemView;
class QAction;
class QModelIndex;

namespace wb::ui::inspect {

// The cells as tab-separated lines in the order of the view, with exact values (ExactRole); line breaks and tabs inside a cell
// become spaces, so that a spreadsheet sees the table as it is.
QString asTsv(const QList<QModelIndex>& cells);

// Puts Ctrl+C on a view: copies the selected cells, or the current one.
QAction* addCopyAction(QAbstractItemView* view);

void copyText(const QString& text);

} // namespace wb::ui::inspect
