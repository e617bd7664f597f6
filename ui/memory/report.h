// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/rows_model.h"

#include <QList>
#include <QString>

namespace wb::ui::memory {

// Tables of the tab for the clipboard, with their titles.
enum class ReportForm { Text, Markdown, Json, Csv };

// `heading` is the sentence of the total. JSON has the rows as objects named by the titles; its numbers are exact,
// unknown ones null. Cells are sorted by KeyRole.
QString report(const QString& heading, const QAbstractItemModel& rows, const QList<int>& columns, ReportForm form);

} // namespace wb::ui::memory
