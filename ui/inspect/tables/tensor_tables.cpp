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

QString localized(const char* sentence) { return QCoreApplication::translate("InspectTables", sentence); }

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
    return {{localized(QT_TRANSLATE_NOOP("InspectTables", "Statistic")), localized(QT_TRANSLATE_NOOP("InspectTables", "Value"))},
            {{label(localized(QT_TRANSLATE_NOOP("InspectTables", "Elements"))), count(all)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Minimum"))), optional(stats.min)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Maximum"))), optional(stats.max)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Max absolute value"))), optional(stats.absmax)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Mean"))), optional(stats.mean)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Standard deviation"))), optional(stats.std)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Root mean square"))), optional(stats.rms)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Skewness"))), optional(stats.skew)},
             {label(columnTitle(Column::Kurtosis)), optional(stats.kurtosis)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Beyond 6 σ"))), countFromValue(stats.outliers6, all)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Zeros"))), countFromValue(stats.zeros, all)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Subnormal"))), countFromValue(stats.denormal, all)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "NaN"))), countFromValue(stats.nan, all)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Infinite"))), countFromValue(stats.inf, all)},
             {label(localized(QT_TRANSLATE_NOOP("InspectTables", "Computed on"))), statsDevice(stats)}}};
}

TableContent percentileTable(const stats::TensorStats& stats) {
    TableContent table{
        {localized(QT_TRANSLATE_NOOP("InspectTables", "Percentile")), localized(QT_TRANSLATE_NOOP("InspectTables", "Value"))}, {}};
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
    TableContent table{{localized(QT_TRANSLATE_NOOP("InspectTables", "Coordinates")),
                        localized(QT_TRANSLATE_NOOP("InspectTables", "Value")),
                        localized(QT_TRANSLATE_NOOP("InspectTables", "Distance from mean (σ)"))},
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
    TableContent table{{localized(QT_TRANSLATE_NOOP("InspectTables", "Source")),
                        localized(QT_TRANSLATE_NOOP("InspectTables", "To")),
                        localized(QT_TRANSLATE_NOOP("InspectTables", "Count"))},
                       {}};
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const auto [low, high] = binRange(histogram, bin);
        table.rows.push_back({number(shownNumber(low), exactNumber(low)), number(shownNumber(high), exactNumber(high)),
                              count(histogram.counts[bin])});
    }
    return table;
}

TableContent totalsTable(const std::vector<Total>& totals, const QString& title) {
    TableContent table{
        {title, localized(QT_TRANSLATE_NOOP("InspectTables", "Share")), localized(QT_TRANSLATE_NOOP("InspectTables", "Size")),
         localized(QT_TRANSLATE_NOOP("InspectTables", "Tensors")), localized(QT_TRANSLATE_NOOP("InspectTables", "Elements"))},
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
    TableContent table{{localized(QT_TRANSLATE_NOOP("InspectTables", "Layer"))}, {}};
    std::map<std::uint32_t, std::vector<Cell>> rows;
    for (std::size_t column = 0; column < lines.size(); ++column) {
        table.headers << lines[column].title;
        for (const TrendPoint& point : lines[column].points) {
            std::vector<Cell>& row = rows[point.layer];
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
    TableContent table{{localized(QT_TRANSLATE_NOOP("InspectTables", "Problem")),
                        localized(QT_TRANSLATE_NOOP("InspectTables", "Severity")),
                        localized(QT_TRANSLATE_NOOP("InspectTables", "Location"))},
                       {}};
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
