// SPDX-License-Identifier: MIT
#include "ui/inspect/map/map_tables.h"

#include "ui/widgets/numbers.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wb::ui::inspect {
namespace {

constexpr double outlierRatio = 6; // absmax against the median of all channels
constexpr double deadRatio = 1e-3; // rms against the median of all channels

struct InspectMap {
    Q_DECLARE_TR_FUNCTIONS(InspectMap)
};

Cell label(const QString& shown) {
    Cell cell;
    cell.shown = shown;
    return cell;
}

Cell number(double value) {
    Cell cell;
    cell.shown = std::isnan(value) ? QStringLiteral("–") : shownNumber(value);
    cell.exact = exactNumber(value);
    cell.number = true;
    return cell;
}

Cell count(quint64 value) {
    Cell cell;
    cell.shown = shownCount(value);
    cell.exact = QString::number(value);
    cell.number = true;
    return cell;
}

Cell percent(double fraction) {
    Cell cell = number(fraction);
    cell.shown = shownPercent(fraction);
    return cell;
}

Cell optional(const std::optional<double>& value) { return value ? number(*value) : label(QStringLiteral("–")); }

double valuesMedian(std::vector<float> values) {
    std::erase_if(values, [](float value) { return std::isnan(value); });
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return double{*middle};
}

QString verdict(double ratio, double rms, double rmsMedian) {
    if (ratio > outlierRatio) return InspectMap::tr("Outlier");
    if (rms <= deadRatio * rmsMedian) return InspectMap::tr("Dead");
    return {};
}

QString bytesHex(std::span<const std::byte> bytes) {
    return QString::fromLatin1(
        QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())).toHex(' '));
}

// Coordinates, in line with the numbers above and below.
Cell place(const Shape& shape, std::uint64_t index) {
    QStringList parts;
    for (const std::uint64_t coordinate : shape.coordinates(index)) parts << QString::number(coordinate);
    Cell cell = label(QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", "))));
    cell.number = true;
    return cell;
}

} // namespace

TableContent profileTable(const stats::Profile& profile, bool rows) {
    TableContent table{{rows ? InspectMap::tr("Row") : InspectMap::tr("Column"), InspectMap::tr("Largest"), InspectMap::tr("RMS"),
                        InspectMap::tr("Ratio to median"), InspectMap::tr("Flag")},
                       {}};
    const double median = valuesMedian(profile.absmax), rmsMedian = valuesMedian(profile.rms);
    std::vector<std::size_t> order(profile.absmax.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) { return std::isnan(profile.absmax[i]) ? -1.0F : profile.absmax[i]; };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    order.resize(std::min(order.size(), profileTableCap));
    for (const std::size_t i : order) {
        const double absmax = double{profile.absmax[i]}, rms = double{profile.rms[i]};
        const double ratio = median > 0 ? absmax / median : 0;
        Cell index = count(i);
        index.shown = QString::number(i);
        table.rows.push_back({index, number(absmax), number(rms), median > 0 ? number(ratio) : label(QStringLiteral("–")),
                              label(verdict(ratio, rms, rmsMedian))});
    }
    return table;
}

TableContent blockTable(const stats::StoredBlock& look) {
    const auto facts = blockFacts(look.dtype);
    if (!facts) {
        TableContent table{{InspectMap::tr("Element"), InspectMap::tr("Value"), InspectMap::tr("Stored bytes")}, {}};
        for (std::size_t e = 0; e < look.values.size(); ++e)
            table.rows.push_back({count(look.first + e), number(look.values[e]), label(bytesHex(look.bytes))});
        return table;
    }
    TableContent table{{InspectMap::tr("Element"), InspectMap::tr("Code"), InspectMap::tr("Level"), InspectMap::tr("Scale"),
                        InspectMap::tr("Minimum"), InspectMap::tr("Value")},
                       {}};
    const BlockParts& parts = *look.parts;
    for (std::size_t e = 0; e < look.values.size(); ++e) {
        const std::size_t group = e / facts->groupElements;
        Cell code = number(parts.codes[e / facts->codeElements] + facts->firstCode);
        table.rows.push_back({count(look.first + e), code, number(double{parts.levels[e]}), number(double{parts.scales[group]}),
                              facts->hasMinimum ? number(double{parts.offsets[group]}) : label(QStringLiteral("–")),
                              number(look.values[e])});
    }
    return table;
}

TableContent differenceTable(const stats::Difference& d, const Shape& shape, bool isOtherOriginal) {
    const auto row = [](const char* name, const Cell& value) { return std::vector<Cell>{label(InspectMap::tr(name)), value}; };
    Cell changed = percent(d.changedRatio());
    changed.toolTip = InspectMap::tr("Elements whose bits differ after decoding: −0 differs from 0.");
    return {
        {InspectMap::tr("Metric"), InspectMap::tr("Value")},
        {row(QT_TRANSLATE_NOOP("InspectMap", "Mean absolute error"), optional(d.mae)),
         row(QT_TRANSLATE_NOOP("InspectMap", "RMSE"), optional(d.rmse)),
         row(QT_TRANSLATE_NOOP("InspectMap", "Max error"), optional(d.maxError)),
         row(QT_TRANSLATE_NOOP("InspectMap", "Max error at"), d.maxError ? place(shape, d.maxIndex) : label(QStringLiteral("–"))),
         row(isOtherOriginal ? QT_TRANSLATE_NOOP("InspectMap", "Relative error (vs. the other tensor's RMS)")
                             : QT_TRANSLATE_NOOP("InspectMap", "Relative error (vs. this tensor's RMS)"),
             d.relativeRmse ? percent(*d.relativeRmse) : label(QStringLiteral("–"))),
         row(QT_TRANSLATE_NOOP("InspectMap", "SNR (dB)"),
             d.snr && std::isinf(*d.snr) ? label(InspectMap::tr("exact")) : optional(d.snr)),
         row(QT_TRANSLATE_NOOP("InspectMap", "Cosine similarity"), optional(d.cosine)),
         row(QT_TRANSLATE_NOOP("InspectMap", "Elements changed"), changed),
         row(QT_TRANSLATE_NOOP("InspectMap", "Elements compared"), count(d.compared)),
         row(QT_TRANSLATE_NOOP("InspectMap", "Color shows"), label(InspectMap::tr("this tensor minus the other")))}};
}

TableContent codeFactsTable(const stats::CodeStats& codes) {
    const auto row = [](const char* name, const Cell& value) { return std::vector<Cell>{label(InspectMap::tr(name)), value}; };
    return {{InspectMap::tr("Metric"), InspectMap::tr("Value")},
            {row(QT_TRANSLATE_NOOP("InspectMap", "Bits per weight"), number(codes.bitsPerWeight)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Code entropy (bits)"), number(codes.entropy)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Code efficiency"), percent(codes.efficiency)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Codes at min or max level"), percent(codes.saturation)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Unused codes"), count(codes.unused)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Quantization groups"), count(codes.groups)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Zero scales"), count(codes.zeroScales)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Non-finite scales"), count(codes.badScales)),
             row(QT_TRANSLATE_NOOP("InspectMap", "Median scale"), optional(codes.medianScale))}};
}

TableContent codesTable(const stats::CodeStats& codes, Dtype dtype) {
    TableContent table{{InspectMap::tr("Code"), InspectMap::tr("Count"), InspectMap::tr("Share")}, {}};
    const double all = static_cast<double>(std::accumulate(codes.counts.begin(), codes.counts.end(), std::uint64_t{0}));
    for (std::size_t code = 0; code < codes.counts.size(); ++code) {
        Cell share = percent(all > 0 ? static_cast<double>(codes.counts[code]) / all : 0);
        share.share = all > 0 ? static_cast<double>(codes.counts[code]) / all : 0;
        table.rows.push_back({number(static_cast<double>(code) + blockFacts(dtype)->firstCode), count(codes.counts[code]), share});
    }
    return table;
}

QStringList elementNote(const stats::ElementLook& both, std::uint64_t index) {
    const stats::StoredBlock& look = both.own;
    const auto facts = blockFacts(look.dtype);
    const auto e = static_cast<std::size_t>(index - look.first);
    QStringList values;
    if (both.other)
        values << InspectMap::tr("%1 here, %2 in the other tensor")
                      .arg(shownNumber(look.values[e]),
                           shownNumber(both.other->values[static_cast<std::size_t>(index - both.other->first)]));
    if (!facts) return values << InspectMap::tr("Stored as %1").arg(bytesHex(look.bytes));
    const std::size_t group = e / facts->groupElements;
    QStringList lines = values;
    lines << InspectMap::tr("Block %1, element %2 of %3").arg(look.number()).arg(e).arg(look.values.size())
          << InspectMap::tr("Scale %1").arg(shownNumber(double{look.parts->scales[group]}));
    if (facts->hasMinimum) lines << InspectMap::tr("Minimum %1").arg(shownNumber(double{look.parts->offsets[group]}));
    lines << InspectMap::tr("Code %1, level %2")
                 .arg(look.parts->codes[e / facts->codeElements] + facts->firstCode)
                 .arg(shownNumber(double{look.parts->levels[e]}));
    return lines;
}

} // namespace wb::ui::inspect
