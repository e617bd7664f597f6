// SPDX-License-Identifier: MIT
#include "ui/plots/series_colors.h"

#include "ui/widgets/theme.h"

namespace wb::ui {
namespace {

const std::array<QColor, 10> lightColors = {QColor("#2f6fde"), QColor("#d9691e"), QColor("#23915c"), QColor("#b5409b"),
                                            QColor("#9a7a00"), QColor("#1591a8"), QColor("#cf3f46"), QColor("#6b56d6"),
                                            QColor("#5b7a2e"), QColor("#7a6a5f")};
const std::array<QColor, 10> darkColors = {QColor("#6ea8ff"), QColor("#ff9d5c"), QColor("#5fd39a"), QColor("#e787d2"),
                                           QColor("#e3c355"), QColor("#58cfe3"), QColor("#ff8288"), QColor("#a998ff"),
                                           QColor("#b1d172"), QColor("#c4b2a6")};

} // namespace

std::span<const QColor> seriesColors(bool dark) { return dark ? darkColors : lightColors; }

std::span<const QColor> seriesColors() { return seriesColors(isDarkTheme()); }

Qt::PenStyle seriesDash(std::size_t series) {
    constexpr std::array styles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return styles[series / lightColors.size() % styles.size()];
}

} // namespace wb::ui
