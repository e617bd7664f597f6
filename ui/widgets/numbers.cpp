// SPDX-License-Identifier: MIT
#include "ui/widgets/numbers.h"

#include "core/base/text.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QGuiApplication>

#include <cmath>

namespace wb::ui {

QString bytesText(quint64 bytes) { return QString::fromStdString(humanBytes(bytes)); }

QString speedText(double bytesPerSecond) {
    if (!(bytesPerSecond >= 1)) return {};
    return QCoreApplication::translate("Numbers", "%1/s").arg(bytesText(static_cast<quint64>(bytesPerSecond)));
}

QString durationText(double seconds) {
    const qint64 whole = std::max<qint64>(1, std::llround(std::min(seconds, 1e9)));
    if (whole < 60) return QCoreApplication::translate("Numbers", "%1 s").arg(whole);
    if (whole < 3600) return QCoreApplication::translate("Numbers", "%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QCoreApplication::translate("Numbers", "%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QFont numberFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QGuiApplication::font().pointSizeF());
    return font;
}

} // namespace wb::ui
