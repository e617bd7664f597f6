// SPDX-License-Identifier: MIT
#include "core/infer/graph/rope.h"

#include "core/arch/family.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wb::infer {
namespace {

// The pairs between which YaRN passes from the stretched to the original angles.
struct YarnRange {
    double low = 0, high = 0;

    // 1 where the angle is original, 0 where it is stretched.
    double ramp(double pair) const { return 1 - std::clamp((pair - low) / std::max(0.001, high - low), 0.0, 1.0); }
};

YarnRange yarnRange(const arch::RopeSpec& rope, double dimensions, double base) {
    const auto correction = [&](double beta) {
        return dimensions * std::log(static_cast<double>(rope.originalContext) / (2 * std::numbers::pi * beta)) /
               (2 * std::log(base));
    };
    return {std::max(0.0, std::floor(correction(rope.yarnBetaFast))),
            std::min(dimensions - 1, std::ceil(correction(rope.yarnBetaSlow)))};
}

// `multiplier` is that of the class: some converters scale it.
double yarnMagnitude(const arch::RopeSpec& rope, double multiplier) {
    const auto magnitude = [&](double multiplier) { return 0.1 * multiplier * std::log(static_cast<double>(rope.factor)) + 1; };
    if (rope.factor <= 1) return rope.attentionFactor;
    if (multiplier == 0) return magnitude(1) * rope.attentionFactor;
    return magnitude(1) / magnitude(multiplier) * rope.attentionFactor;
}

} // namespace

bool usesDivisors(const arch::LayerSpec& layer) { return layer.window == 0 || layer.chunked; }

RopeOp ropeOp(const arch::ModelSpec& spec, const arch::LayerSpec& layer, const RopeOp& divisors) {
    const arch::RopeSpec& rope = spec.rope;
    RopeOp op = usesDivisors(layer) ? divisors : RopeOp{};
    op.dimensions = layer.ropeDimensions;
    op.halves = rope.style != arch::RopeStyle::Adjacent;
    op.base = layer.ropeBase;
    const bool plain = layer.window > 0 && spec.family && spec.family->plainWindows;
    const bool scaled = !plain && rope.factor > 0;
    if (scaled && rope.scaling != arch::RopeScaling::None) op.stretch = 1.0 / static_cast<double>(rope.factor);
    const double logFactor = spec.family ? spec.family->yarnLogFactor : 1;
    op.yarn = scaled && rope.scaling == arch::RopeScaling::Yarn;
    if (op.yarn) {
        const YarnRange range = yarnRange(rope, static_cast<double>(op.dimensions), op.base);
        op.yarnLow = range.low;
        op.yarnHigh = range.high;
        op.magnitude = static_cast<float>(yarnMagnitude(rope, static_cast<double>(rope.yarnLogMultiplier) / logFactor));
    } else if (rope.scaling == arch::RopeScaling::LongRope) {
        op.magnitude = rope.attentionFactor;
    }
    return op;
}

RopeTable ropeTable(const RopeOp& rope, std::span<const float> divisors) {
    RopeTable table;
    table.magnitude = rope.magnitude;
    const auto dimensions = static_cast<double>(rope.dimensions);
    const YarnRange range{rope.yarnLow, rope.yarnHigh};
    for (std::size_t j = 0; j < rope.dimensions / 2; ++j) {
        double frequency = std::pow(rope.base, -2 * static_cast<double>(j) / dimensions);
        if (j < divisors.size() && divisors[j] != 0) frequency /= static_cast<double>(divisors[j]);
        const double original = rope.yarn ? range.ramp(static_cast<double>(j)) : 0;
        table.frequencies.push_back(static_cast<float>(frequency * (rope.stretch * (1 - original) + original)));
    }
    return table;
}

Result<std::vector<RopeTable>> readRopeTables(const Graph& graph, std::size_t context) {
    std::vector<RopeTable> tables;
    for (const RopeOp& rope : graph.ropes) {
        const bool isLong = rope.originalContext > 0 && context > rope.originalContext;
        const Slice& stretched = isLong ? rope.longDivisors : rope.shortDivisors;
        const Slice& used = stretched ? stretched : rope.divisors;
        std::vector<float> divisors;
        if (used) {
            WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*graph.model, *used.tensor));
            divisors.resize(used.count);
            std::vector<std::byte> scratch;
            WB_TRY(reader.readF32(used.first, divisors, scratch));
        }
        tables.push_back(ropeTable(rope, divisors));
    }
    return tables;
}

void ropeAngles(const RopeTable& table, std::size_t position, std::span<float> cosines, std::span<float> sines) {
    for (std::size_t j = 0; j < table.frequencies.size(); ++j) {
        const double angle = static_cast<double>(position) * static_cast<double>(table.frequencies[j]);
        cosines[j] = static_cast<float>(std::cos(angle)) * table.magnitude;
        sines[j] = static_cast<float>(std::sin(angle)) * table.magnitude;
    }
}

} // namespace wb::infer
