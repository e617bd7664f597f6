// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/rows_model.h"

#include <QString>

namespace wb::ui::memory {

// Tables of the tab for the clipboard, with their titles.
enum class ReportForm { Text, Markdown, Json, Csv };

// `heading` is the sentence of the total. JSON has the rows as objects named by the titles; the numbers in it are the bytes.
QString report(const QString& heading, const RowsModel& rows, ReportForm form);

} // namespace wb::ui::memory
