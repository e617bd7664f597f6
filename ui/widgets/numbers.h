// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QString>

namespace wb::ui {

// "1.50 GiB": binary units, three significant digits.
QString bytesText(quint64 bytes);

// "12.5 MiB/s"; empty for zero.
QString speedText(double bytesPerSecond);

// "2 min 5 s", "41 s", "1 h 3 min": translated, for time left. Values below one second read as "1 s".
QString durationText(double seconds);

// The font of columns of numbers: fixed pitch, in the size of the program's font.
QFont numberFont();

} // namespace wb::ui
