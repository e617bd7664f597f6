// SPDX-License-Identifier: MIT
#include "core/infer/rope.h"

#include "core/arch/family.h"

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

double yarnMagnitude(const arch::RopeSpec& rope) {
    const auto magnitude = [&](double multiplier) { return 0.1 * multiplier * std::log(static_cast<double>(rope.factor)) + 1; };
    if (rope.factor <= 1) return rope.attentionFactor;
    if (rope.yarnLogMultiplier == 0) return magnitude(1) * rope.attentionFactor;
    return magnitude(1) / magnitude(rope.yarnLogMultiplier) * rope.attentionFactor;
}

} // namespace

RopeTable ropeTable(const arch::ModelSpec& spec, const arch::LayerSpec& layer, std::span<const float> factors) {
    const arch::RopeSpec& rope = spec.rope;
    RopeTable table;
    if (layer.window > 0) factors = {};
    const auto dimensions = static_cast<double>(layer.ropeDimensions);
    const double base = layer.ropeBase;
    const bool plain = layer.window > 0 && spec.family && spec.family->plainWindows;
    const bool scaled = !plain && rope.factor > 0;
    const double stretch = scaled && rope.scaling != arch::RopeScaling::None ? 1.0 / static_cast<double>(rope.factor) : 1.0;
    const bool yarn = scaled && rope.scaling == arch::RopeScaling::Yarn;
    const YarnRange range = yarn ? yarnRange(rope, dimensions, base) : YarnRange{};
    for (std::size_t j = 0; j < layer.ropeDimensions / 2; ++j) {
        double frequency = std::pow(base, -2 * static_cast<double>(j) / dimensions);
        if (j < factors.size() && factors[j] != 0) frequency /= static_cast<double>(factors[j]);
        const double original = yarn ? range.ramp(static_cast<double>(j)) : 0;
        table.frequencies.push_back(static_cast<float>(frequency * (stretch * (1 - original) + original)));
    }
    if (yarn) table.magnitude = static_cast<float>(yarnMagnitude(rope));
    else if (rope.scaling == arch::RopeScaling::LongRope) table.magnitude = rope.attentionFactor;
    return table;
}

void ropeAngles(const RopeTable& table, std::size_t position, std::span<float> cosines, std::span<float> sines) {
    for (std::size_t j = 0; j < table.frequencies.size(); ++j) {
        const double angle = static_cast<double>(position) * static_cast<double>(table.frequencies[j]);
        cosines[j] = static_cast<float>(std::cos(angle)) * table.magnitude;
        sines[j] = static_cast<float>(std::sin(angle)) * table.magnitude;
    }
}

} // namespace wb::infer
