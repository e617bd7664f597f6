// SPDX-License-Identifier: MIT
#include "ui/inspect/trend/trend.h"

#include "ui/inspect/document/glossary.h"

#include <cmath>
#include <map>

namespace wb::ui::inspect {
namespace {

struct Gathered {
    double sum = 0;
    std::uint32_t tensors = 0;
    double largest = -1;
    std::uint32_t tensor = 0;

    void add(std::uint32_t index, double value) {
        sum += value;
        ++tensors;
        if (std::abs(value) <= largest) return;
        largest = std::abs(value);
        tensor = index;
    }
};

QString factsTitle(const stats::TensorFacts& facts, TrendGrouping grouping) {
    if (grouping == TrendGrouping::Role) return roleTitle(facts.role);
    return QString::fromLatin1(facts.part.data(), static_cast<qsizetype>(facts.part.size()));
}

std::optional<double> asNumber(const std::optional<stats::Element>& value) {
    return value ? std::optional(stats::asDouble(*value)) : std::nullopt;
}

} // namespace

std::optional<double> statisticValue(const stats::TensorStats& statistics, Column statistic) {
    switch (statistic) {
    case Column::Min: return asNumber(statistics.min);
    case Column::Max: return asNumber(statistics.max);
    case Column::AbsMax: return asNumber(statistics.absmax);
    case Column::Mean: return statistics.mean;
    case Column::Std: return statistics.std;
    case Column::Kurtosis: return statistics.kurtosis;
    case Column::Zeros: return static_cast<double>(statistics.zeros);
    case Column::NaN: return static_cast<double>(statistics.nan);
    case Column::Outliers: return static_cast<double>(statistics.outliers6);
    default: return std::nullopt;
    }
}

std::optional<double> statisticValue(const stats::Contents& contents, std::uint32_t tensor, Column statistic) {
    const stats::TensorStats* statistics = contents.statistics(tensor);
    return statistics ? statisticValue(*statistics, statistic) : std::nullopt;
}

std::vector<TrendLine> computeTrend(const stats::Contents& contents, Column statistic, TrendGrouping grouping) {
    std::map<QString, std::map<std::uint32_t, Gathered>> lines;
    for (std::uint32_t i = 0; i < contents.count(); ++i) {
        const stats::TensorFacts& facts = contents.facts[i];
        const auto value = statisticValue(contents, i, statistic);
        if (!facts.layer || !value) continue;
        if (const QString title = factsTitle(facts, grouping); !title.isEmpty()) lines[title][*facts.layer].add(i, *value);
    }
    std::vector<TrendLine> out;
    for (const auto& [title, layers] : lines) {
        TrendLine& line = out.emplace_back(title);
        for (const auto& [layer, at] : layers) line.points.push_back({layer, at.sum / at.tensors, at.tensors, at.tensor});
    }
    return out;
}

} // namespace wb::ui::inspect
