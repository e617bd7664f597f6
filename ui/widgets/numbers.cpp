// SPDX-License-Identifier: MIT
#include "ui/widgets/numbers.h"

#include "ui/widgets/fonts.h"

#include "core/base/text.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace wb::ui {
namespace {

constexpr int significantDigits = 6;

QString undefined() { return QStringLiteral("–"); }

} // namespace

QString text(const std::string& utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

QString shownCount(quint64 value) { return QLocale().toString(static_cast<qulonglong>(value)); }

QString shownShortCount(quint64 value) {
    constexpr std::array units = {"", " K", " M", " B", " T", " P", " E"};
    auto scaled = static_cast<double>(value);
    std::size_t unit = 0;
    for (; scaled >= 999.5 && unit + 1 < units.size(); ++unit) scaled /= 1000;
    if (unit == 0) return shownCount(value);
    const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
    return QLocale().toString(scaled, 'f', decimals) + QLatin1String(units[unit]);
}

QString bytesText(quint64 value) {
    constexpr std::array units = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    auto scaled = static_cast<double>(value);
    std::size_t unit = 0;
    for (; scaled >= 1023.5 && unit + 1 < units.size(); ++unit) scaled /= 1024;
    const int decimals = unit == 0 || scaled >= 99.95 ? 0 : scaled < 9.995 ? 2 : 1;
    return QLocale().toString(scaled, 'f', decimals) + QLatin1String(units[unit]);
}

QString fileSizeText(quint64 bytes) {
    const auto size = static_cast<double>(bytes);
    if (bytes < 1000) return QLocale().toString(bytes) + QStringLiteral(" B");
    if (bytes < 1'000'000) return QLocale().toString(size / 1e3, 'f', 1) + QStringLiteral(" kB");
    if (bytes < 1'000'000'000) return QLocale().toString(size / 1e6, 'f', 1) + QStringLiteral(" MB");
    return QLocale().toString(size / 1e9, 'f', 2) + QStringLiteral(" GB");
}

QString shownNumber(double value) {
    if (!std::isfinite(value)) return exactNumber(value);
    if (value == 0) return QLatin1String(std::signbit(value) ? "-0" : "0");
    return QLocale().toString(value, 'g', significantDigits);
}

QString shownNumber(const ElementValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return shownNumber(*number);
    if (const auto* number = std::get_if<std::int64_t>(&value)) return QLocale().toString(static_cast<qlonglong>(*number));
    return shownCount(std::get<std::uint64_t>(value));
}

QString shownPercent(double fraction) {
    const double percent = fraction * 100;
    if (percent > 0 && percent < 0.1) return QStringLiteral("< %1%").arg(QLocale().toString(0.1, 'f', 1));
    return QStringLiteral("%1%").arg(QLocale().toString(percent, 'f', 1));
}

QString shownOptional(const std::optional<double>& value) { return value ? shownNumber(*value) : undefined(); }

QString shownOptional(const std::optional<ElementValue>& value) { return value ? shownNumber(*value) : undefined(); }

QString exactNumber(double value) { return text(shortest(value)); }

QString exactNumber(const ElementValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return exactNumber(*number);
    if (const auto* number = std::get_if<std::int64_t>(&value)) return QString::number(*number);
    return QString::number(std::get<std::uint64_t>(value));
}

QString exactOptional(const std::optional<double>& value) { return value ? exactNumber(*value) : QString(); }

QString exactOptional(const std::optional<ElementValue>& value) { return value ? exactNumber(*value) : QString(); }

QString fittedNumber(const QString& shown, const QString& exact, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(shown) <= width) return shown;
    bool isShownPlainly = false, isNumber = false;
    QLocale().toDouble(shown, &isShownPlainly); // no percentage and no size, whose exact values have other units
    const double value = exact.toDouble(&isNumber);
    for (int digits = significantDigits - 1; isShownPlainly && isNumber && digits > 0; --digits)
        if (const QString shorter = QLocale().toString(value, 'g', digits); metrics.horizontalAdvance(shorter) <= width)
            return shorter;
    return QStringLiteral("…");
}

QString speedText(double bytesPerSecond) {
    if (!(bytesPerSecond >= 1)) return {};
    return QCoreApplication::translate("All values", "%1/s").arg(fileSizeText(static_cast<quint64>(bytesPerSecond)));
}

QString durationText(double seconds) {
    const qint64 whole = std::max<qint64>(1, std::llround(std::min(seconds, 1e9)));
    if (whole < 60) return QCoreApplication::translate("All values", "%1 s").arg(whole);
    if (whole < 3600) return QCoreApplication::translate("All values", "%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QCoreApplication::translate("All values", "%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QFont numberFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QGuiApplication::font().pointSizeF());
    return withChinese(font); // names of tensors and words are in such columns, too
}

} // namespace wb::ui
