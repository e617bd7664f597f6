// SPDX-License-Identifier: MIT
#include "ui/inspect/map/model_map.h"

#include "core/stats/outliers.h"
#include "ui/widgets/numbers.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace wb::ui::inspect {
namespace {

QString localized(const char* sentence) { return QCoreApplication::translate("InspectModelMap", sentence); }

Cell number(double value, int tensor) {
    Cell cell;
    cell.shown = std::isinf(value) ? QStringLiteral("∞") : shownNumber(value);
    cell.exact = exactNumber(value);
    cell.number = true;
    cell.tensor = tensor;
    return cell;
}

void addOdd(const TrendLine& line, double k, std::vector<OddTensor>& odd) {
    std::vector<double> values;
    for (const TrendPoint& point : line.points) values.push_back(point.value);
    const stats::Outliers found = stats::findOutliers(values, k);
    for (const stats::Outlier& member : found.members)
        odd.push_back({line.title, line.points[member.index], found.median, member.score});
}

} // namespace

ModelMap mapModel(const Contents& contents, Column statistic, double k) {
    ModelMap map;
    map.lines = trendOf(contents, statistic, TrendGrouping::Part);
    for (const TrendLine& line : map.lines) {
        map.layers = std::max(map.layers, line.points.back().layer + 1);
        addOdd(line, k, map.odd);
    }
    std::ranges::stable_sort(map.odd, std::ranges::greater(), &OddTensor::score);
    return map;
}

TableContent oddTable(const ModelMap& map) {
    TableContent table{
        {localized(QT_TRANSLATE_NOOP("InspectModelMap", "Part")), localized(QT_TRANSLATE_NOOP("InspectModelMap", "Layer")),
         localized(QT_TRANSLATE_NOOP("InspectModelMap", "Value")), localized(QT_TRANSLATE_NOOP("InspectModelMap", "Median")),
         localized(QT_TRANSLATE_NOOP("InspectModelMap", "Deviations"))},
        {}};
    for (const OddTensor& odd : map.odd) {
        const auto tensor = static_cast<int>(odd.point.tensor);
        Cell part;
        part.shown = odd.part;
        part.tensor = tensor;
        Cell score = number(odd.score, tensor);
        if (std::isfinite(odd.score)) score.shown = QLocale().toString(odd.score, 'f', 1);
        table.rows.push_back(
            {part, number(odd.point.layer, tensor), number(odd.point.value, tensor), number(odd.median, tensor), score});
    }
    return table;
}

} // namespace wb::ui::inspect
