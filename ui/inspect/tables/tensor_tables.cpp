// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/tensor_tables.h"

#include "ui/inspect/distribution/histogram.h"
#include "ui/inspect/tensors/tensor_column.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/document/problem_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <map>

namespace wb::ui::inspect {
namespace {

struct InspectTables {
    Q_DECLARE_TR_FUNCTIONS(InspectTables)
};

Cell label(const QString& shown, const QString& toolTip = {}) {
    Cell cell;
    cell.shown = shown;
    cell.toolTip = toolTip;
    return cell;
}

Cell number(const QString& shown, const QString& exact) {
    Cell cell;
    cell.shown = shown;
    cell.exact = exact;
    cell.toolTip = exact;
    cell.number = true;
    return cell;
}

Cell count(quint64 value) { return number(shownCount(value), QString::number(value)); }

// The count and what part of all elements that is.
Cell countFromValue(quint64 value, quint64 all) {
    if (value == 0 || all == 0) return count(value);
    const double fraction = static_cast<double>(value) / static_cast<double>(all);
    return number(QStringLiteral("%1 (%2)").arg(shownCount(value), shownPercent(fraction)), QString::number(value));
}

template <typename Value>
Cell optional(const std::optional<Value>& value) {
    return number(shownOptional(value), exactOptional(value));
}

QString coordinateText(const Shape& shape, std::uint64_t index) {
    QStringList parts;
    for (const std::uint64_t coordinate : shape.coordinates(index)) parts << QString::number(coordinate);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

namespace {

// "gpu:1"; why there is in the tooltip, and where a device failed also marked and copied.
Cell statsDevice(const stats::TensorStats& stats) {
    const QString device = text(stats.device);
    if (!stats.deviceNote) return label(device);
    Cell cell = label(device, problemText(*stats.deviceNote));
    if (stats.deviceNote->severity == Severity::Note) return cell;
    cell.severity = stats.deviceNote->severity;
    cell.exact = QStringLiteral("%1: %2").arg(device, cell.toolTip);
    return cell;
}

} // namespace

TableContent scalarTable(const stats::TensorStats& stats) {
    const quint64 all = stats.count;
    return {{InspectTables::tr("Statistic"), InspectTables::tr("Value")},
            {{label(InspectTables::tr("Elements")), count(all)},
             {label(InspectTables::tr("Minimum")), optional(stats.min)},
             {label(InspectTables::tr("Maximum")), optional(stats.max)},
             {label(InspectTables::tr("Max absolute value")), optional(stats.absmax)},
             {label(InspectTables::tr("Mean")), optional(stats.mean)},
             {label(InspectTables::tr("Standard deviation")), optional(stats.std)},
             {label(InspectTables::tr("Root mean square")), optional(stats.rms)},
             {label(InspectTables::tr("Skewness")), optional(stats.skew)},
             {label(columnTitle(Column::Kurtosis)), optional(stats.kurtosis)},
             {label(InspectTables::tr("Beyond 6 σ")), countFromValue(stats.outliers6, all)},
             {label(InspectTables::tr("Zeros")), countFromValue(stats.zeros, all)},
             {label(InspectTables::tr("Subnormal")), countFromValue(stats.denormal, all)},
             {label(InspectTables::tr("NaN")), countFromValue(stats.nan, all)},
             {label(InspectTables::tr("Infinite")), countFromValue(stats.inf, all)},
             {label(InspectTables::tr("Computed on")), statsDevice(stats)}}};
}

TableContent percentileTable(const stats::TensorStats& stats) {
    TableContent table{{InspectTables::tr("Percentile"), InspectTables::tr("Value")}, {}};
    if (!stats.percentiles) return table;
    for (std::size_t i = 0; i < stats::percentileLevels.size(); ++i) {
        const double level = stats::percentileLevels[i];
        const stats::Element& value = (*stats.percentiles)[i];
        table.rows.push_back({number(QStringLiteral("%1%").arg(shownNumber(level)), exactNumber(level)),
                              number(shownNumber(value), exactNumber(value))});
    }
    return table;
}

TableContent topTable(std::span<const stats::TopElement> top, const Shape& shape, const stats::TensorStats* stats) {
    TableContent table{{InspectTables::tr("Coordinates"), InspectTables::tr("Value"), InspectTables::tr("Distance from mean (σ)")},
                       {}};
    const bool hasDistance = stats && stats->mean && stats->std && *stats->std > 0;
    for (const stats::TopElement& element : top) {
        const std::optional<double> distance =
            hasDistance ? std::optional((stats::asDouble(element.value) - *stats->mean) / *stats->std) : std::nullopt;
        Cell distanceCell = optional(distance);
        if (distance) distanceCell.shown = QLocale().toString(*distance, 'f', 1);
        table.rows.push_back({label(coordinateText(shape, element.index)),
                              number(shownNumber(element.value), exactNumber(element.value)), distanceCell});
    }
    return table;
}

TableContent histogramTable(const stats::Histogram& histogram) {
    TableContent table{{InspectTables::tr("Source"), InspectTables::tr("To"), InspectTables::tr("Count")}, {}};
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const auto [low, high] = binRange(histogram, bin);
        table.rows.push_back({number(shownNumber(low), exactNumber(low)), number(shownNumber(high), exactNumber(high)),
                              count(histogram.counts[bin])});
    }
    return table;
}

TableContent totalsTable(const std::vector<Total>& totals, const QString& title) {
    TableContent table{
        {title, InspectTables::tr("Share"), InspectTables::tr("Size"), InspectTables::tr("Tensors"), InspectTables::tr("Elements")},
        {}};
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const Total& total = totals[i];
        Cell name = label(total.title, total.explanation);
        name.series = i;
        table.rows.push_back({name, number(shownPercent(total.share), exactNumber(total.share)),
                              number(bytesText(total.bytes), QString::number(total.bytes)), count(total.tensors),
                              number(shownShortCount(total.elements), QString::number(total.elements))});
    }
    return table;
}

TableContent trendTable(const std::vector<TrendLine>& lines) {
    TableContent table{{InspectTables::tr("Layer")}, {}};
    std::map<std::uint64_t, std::vector<Cell>> rows;
    for (std::size_t column = 0; column < lines.size(); ++column) {
        table.headers << lines[column].title;
        for (const TrendPoint& point : lines[column].points) {
            std::vector<Cell>& row = rows[point.position];
            row.resize(lines.size() + 1);
            row[column + 1] = number(shownNumber(point.value), exactNumber(point.value));
            row[column + 1].tensor = static_cast<int>(point.tensor);
        }
    }
    for (auto& [layer, row] : rows) {
        row[0] = number(QString::number(layer), QString::number(layer));
        table.rows.push_back(std::move(row));
    }
    return table;
}

TableContent problemTable(const std::vector<Problem>& problems) {
    TableContent table{{InspectTables::tr("Problem"), InspectTables::tr("Severity"), InspectTables::tr("Location")}, {}};
    for (const Problem& problem : problems) {
        const QString severity = severityTitle(problem.severity);
        const QString where = problemPlace(problem);
        Cell sentence = label(problemText(problem));
        sentence.severity = problem.severity;
        sentence.exact = QStringLiteral("%1: %2").arg(severity, sentence.shown);
        if (!where.isEmpty()) sentence.exact += QStringLiteral(" (%1)").arg(where);
        table.rows.push_back({sentence, label(severity), label(where)});
    }
    return table;
}

} // namespace wb::ui::inspect
