// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include <QString>

#include <array>

namespace wb::ui::inspect {

// The columns of the tensor table, in order. Those from Min on are statistics: empty until computed.
enum class Column {
    Name,
    Type,
    Shape,
    Elements,
    Size,
    Share,
    Role,
    Layer,
    File,
    Min,
    Max,
    Mean,
    Std,
    AbsMax,
    Kurtosis,
    Zeros,
    NaN,
    Outliers
};
inline constexpr int columnCount = 18;

QString columnTitle(Column column);   // translated
QString columnToolTip(Column column); // one translated sentence
bool isStatistic(Column column);
bool isNumeric(Column column); // right-aligned

// A cell as shown (locale, rounded) and as copied (exact).
QString shownCell(const stats::Contents& contents, std::uint32_t tensor, Column column);
QString exactCell(const stats::Contents& contents, std::uint32_t tensor, Column column);

} // namespace wb::ui::inspect
