// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <QString>

#include <optional>

// Numbers as text. What is shown follows the user's locale and is rounded; what is copied or exported is exact and has no locale.
namespace wb::ui::inspect {

QString text(const std::string& utf8);

QString shownCount(quint64 value);          // "1,234,567"
QString shownShortCount(quint64 value);     // "8.03 B"
QString shownBytes(quint64 value);          // "1.50 GiB"
QString shownNumber(double value);          // six significant digits; -0 keeps its sign
QString shownNumber(const stats::Element& value); // integers whole
QString shownPercent(double fraction);      // "12.3 %"; tiny fractions as "< 0.1 %", never a false zero
QString shownOptional(const std::optional<double>& value);         // "–" where undefined
QString shownOptional(const std::optional<stats::Element>& value); // "–" where undefined

QString exactNumber(double value); // the shortest text that reads back as the same number
QString exactNumber(const stats::Element& value);
QString exactOptional(const std::optional<double>& value);         // empty where undefined
QString exactOptional(const std::optional<stats::Element>& value); // empty where undefined

} // namespace wb::ui::inspect
