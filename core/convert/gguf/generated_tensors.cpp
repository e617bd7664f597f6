// SPDX-License-Identifier: MIT
#include "core/convert/gguf/generated_tensors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wb::convert {
namespace {

// In the precision of the reference, where torch divides a number by a tensor as it multiplies with the tensor's reciprocal.
std::vector<float> llama3Factors(const arch::RopeFactors& rope, const arch::LayerSpec& layer) {
    const std::uint64_t length = layer.keyLength;
    const auto context = static_cast<float>(rope.originalContext);
    std::vector<float> out;
    for (std::uint64_t i = 0; i < length / 2; ++i) {
        const float exponent = static_cast<float>(2 * i) / static_cast<float>(length);
        const float frequency = 1.0F / std::pow(layer.ropeBase, exponent);
        const float wave = (1 / frequency) * static_cast<float>(2 * std::numbers::pi);
        const float smooth =
            ((1 / wave) * context - rope.lowFrequencyFactor) / (rope.highFrequencyFactor - rope.lowFrequencyFactor);
        if (wave < context / rope.highFrequencyFactor) out.push_back(1);
        else if (wave > context / rope.lowFrequencyFactor) out.push_back(rope.factor);
        else out.push_back(1 / ((1 - smooth) / rope.factor + smooth));
    }
    return out;
}

// 1 for the pairs that turn, else a factor that leaves an angle of 0.
std::vector<float> proportionalFactors(const arch::RopeFactors& rope, const arch::LayerSpec& layer) {
    constexpr float still = 1e30F;
    const std::uint64_t pairs = layer.keyLength / 2;
    const auto turning = static_cast<std::uint64_t>(static_cast<double>(rope.rotatedPart) * static_cast<double>(pairs));
    std::vector<float> out(pairs, still);
    std::fill_n(out.begin(), std::min(turning, pairs), 1.0F);
    return out;
}

} // namespace

std::vector<GeneratedTensor> generatedTensors(const FolderRules& rules, const arch::ModelSpec& spec) {
    const arch::RopeFactors& factors = spec.ropeFactors;
    std::vector<GeneratedTensor> tensors;
    if (factors.llama3 && rules.tensorRopeType == "llama3")
        tensors.push_back({"rope_freqs.weight", llama3Factors(factors, spec.layers.front())});
    const auto full = std::ranges::find(spec.layers, std::uint64_t{0}, &arch::LayerSpec::window);
    if (factors.rotatedPart > 0 && rules.tensorRopeType == "proportional" && full != spec.layers.end())
        tensors.push_back({"rope_freqs.weight", proportionalFactors(factors, *full)});
    if (!factors.longFactors.empty() && !factors.shortFactors.empty()) {
        tensors.push_back({"rope_factors_long.weight", factors.longFactors});
        tensors.push_back({"rope_factors_short.weight", factors.shortFactors});
    }
    return tensors;
}

} // namespace wb::convert
