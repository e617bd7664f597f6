// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QFontMetrics>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

// Numbers as text. Displayed numbers follow the user's locale and is rounded; what is copied or exported is exact and has no
// locale.
namespace wb::ui {

// An element of a tensor; core/stats has the same type.
using ElementValue = std::variant<double, std::int64_t, std::uint64_t>;

QString text(const std::string& utf8);

QString shownCount(quint64 value);                               // "1,234,567"
QString shownShortCount(quint64 value);                          // "8.03 B"
QString bytesText(quint64 bytes);                                // of memory, "1.50 GiB": three significant digits
QString fileSizeText(quint64 bytes);                             // of files and disks, "1.61 GB", as hubs and disks count
QString shownNumber(double value);                               // six significant digits; -0 keeps its sign
QString shownNumber(const ElementValue& value);                  // integers whole
QString shownPercent(double fraction);                           // "12.3 %"; tiny fractions as "< 0.1 %", never a false zero
QString shownOptional(const std::optional<double>& value);       // "–" where undefined
QString shownOptional(const std::optional<ElementValue>& value); // "–" where undefined

// The number, rounded so far that it is at most so wide; "…" where it cannot be. A number that is cut anywhere is another number.
QString fittedNumber(const QString& shown, const QString& exact, const QFontMetrics& metrics, int width);

// Of files, "13.1 MB/s"; empty for zero.
QString speedText(double bytesPerSecond);

// "2 min 5 s", "41 s", "1 h 3 min": translated, for time left. Values below one second read as "1 s".
QString durationText(double seconds);

QString exactNumber(double value); // the shortest text that reads back as the same number
QString exactNumber(const ElementValue& value);
QString exactOptional(const std::optional<double>& value);       // empty where undefined
QString exactOptional(const std::optional<ElementValue>& value); // empty where undefined

// The font of columns of numbers: fixed pitch, in the size of the program's font.
QFont numberFont();

} // namespace wb::ui
