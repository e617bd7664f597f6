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

struct InspectModelMap {
    Q_DECLARE_TR_FUNCTIONS(InspectModelMap)
};

Cell number(double value, int tensor) {
    Cell cell;
    cell.shown = std::isinf(value) ? QStringLiteral("∞") : shownNumber(value);
    cell.exact = exactNumber(value);
    cell.number = true;
    cell.tensor = tensor;
    return cell;
}

void addOutliers(const TrendLine& line, double k, std::vector<OutlierTensor>& outliers) {
    std::vector<double> values;
    for (const TrendPoint& point : line.points) values.push_back(point.value);
    const stats::Outliers found = stats::findOutliers(values, k);
    for (const stats::Outlier& member : found.members)
        outliers.push_back({line.title, line.points[member.index], found.median, member.score});
}

} // namespace

ModelMap mapModel(const stats::Contents& contents, Column statistic, double k) {
    ModelMap map;
    map.lines = computeTrend(contents, statistic, TrendGrouping::Part);
    for (const TrendLine& line : map.lines) {
        map.layers = std::max(map.layers, static_cast<std::uint32_t>(line.points.back().position) + 1);
        addOutliers(line, k, map.outliers);
    }
    std::ranges::stable_sort(map.outliers, std::ranges::greater(), &OutlierTensor::score);
    return map;
}

TableContent outlierTable(const ModelMap& map) {
    TableContent table{{InspectModelMap::tr("Module"), InspectModelMap::tr("Layer"), InspectModelMap::tr("Value"),
                        InspectModelMap::tr("Median"), InspectModelMap::tr("Deviation (× MAD)")},
                       {}};
    for (const OutlierTensor& outlier : map.outliers) {
        const auto tensor = static_cast<int>(outlier.point.tensor);
        Cell part;
        part.shown = outlier.part;
        part.tensor = tensor;
        Cell score = number(outlier.score, tensor);
        if (std::isfinite(outlier.score)) score.shown = QLocale().toString(outlier.score, 'f', 1);
        table.rows.push_back({part, number(static_cast<double>(outlier.point.position), tensor),
                              number(outlier.point.value, tensor), number(outlier.median, tensor), score});
    }
    return table;
}

} // namespace wb::ui::inspect
