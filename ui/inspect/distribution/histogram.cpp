// SPDX-License-Identifier: MIT
#include "ui/inspect/distribution/histogram.h"

#include "ui/widgets/numbers.h"

#include <QCoreApplication>

#include <algorithm>

namespace wb::ui::inspect {

std::pair<double, double> binRange(const stats::Histogram& histogram, std::size_t bin) {
    const auto bins = static_cast<double>(histogram.counts.size());
    // Both ends are scaled before they are subtracted: high - low may overflow.
    const auto edge = [&](std::size_t i) {
        const double t = static_cast<double>(i) / bins;
        return histogram.low * (1 - t) + histogram.high * t;
    };
    return {edge(bin), bin + 1 == histogram.counts.size() ? histogram.high : edge(bin + 1)};
}

QString histogramSentence(const stats::TensorStats& stats, Counted counted) {
    if (!stats.histogram) return QCoreApplication::translate("Histogram", "No histogram: no element is finite.");
    const auto form = [counted] {
        switch (counted) {
        case Counted::Groups:
            return QCoreApplication::translate("Histogram",
                                               "Histogram of %1 groups from %2 to %3 in %4 bins; the fullest bin is %5 to %6.");
        case Counted::Codes:
            return QCoreApplication::translate("Histogram",
                                               "Histogram of %1 codes from %2 to %3 in %4 bins; the fullest bin is %5 to %6.");
        case Counted::Elements: break;
        }
        return QCoreApplication::translate(
            "Histogram", "Histogram of %1 finite elements from %2 to %3 in %4 bins; the fullest bin is %5 to %6.");
    };
    const auto& counts = stats.histogram->counts;
    const auto fullest = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    const auto [low, high] = binRange(*stats.histogram, fullest);
    return form().arg(shownCount(stats.finite), shownNumber(stats.histogram->low), shownNumber(stats.histogram->high),
                      shownCount(counts.size()), shownNumber(low), shownNumber(high));
}

QString binSentence(const stats::TensorStats& stats, std::size_t bin, Counted counted) {
    const auto form = [counted] {
        switch (counted) {
        case Counted::Groups: return QCoreApplication::translate("Histogram", "%1 to %2: %3 groups (%4)");
        case Counted::Codes: return QCoreApplication::translate("Histogram", "%1 to %2: %3 codes (%4)");
        case Counted::Elements: break;
        }
        return QCoreApplication::translate("Histogram", "%1 to %2: %3 elements (%4)");
    };
    const auto [low, high] = binRange(*stats.histogram, bin);
    const quint64 count = stats.histogram->counts[bin];
    const double part = stats.finite == 0 ? 0 : static_cast<double>(count) / static_cast<double>(stats.finite);
    return form().arg(shownNumber(low), shownNumber(high), shownCount(count), shownPercent(part));
}

} // namespace wb::ui::inspect
