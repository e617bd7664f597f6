// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace wb::infer {

// The activation of a feed-forward operation; kernels have one function for each.
enum class Activation : std::uint8_t {
    Silu,
    GeluTanh,
    GeluErf,
    Relu,
    ReluSquared,
    ClampedSwiglu // gpt-oss: min(gate, 7) / (1 + e^(-1.702 gate)) * (clamp(up, -7, 7) + 1)
};
inline constexpr std::size_t activationTypes = static_cast<std::size_t>(Activation::ClampedSwiglu) + 1;

} // namespace wb::infer
