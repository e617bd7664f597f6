// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <cstdint>

namespace wb::gpu::compute {

struct SpeedModelSize {
    std::uint64_t layers, width, inner, heads, kvHeads, vocabulary; // width and inner are multiples of 256
};

// 80 M parameters, 46 MB: more than the caches of most devices hold.
inline constexpr SpeedModelSize usualSize{6, 1024, 3072, 16, 4, 8192};

// For software devices.
inline constexpr SpeedModelSize tinySize{2, 256, 768, 4, 2, 1024};

// A llama whose weights are random codes with plausible scales, in Q4_K, the output in Q6_K, as files of Q4_K_M mostly are. All
// matrices of a type share the bytes of the largest one in RAM; engines load each of them apart.
ModelPtr makeSpeedModel(const SpeedModelSize& size);

} // namespace wb::gpu::compute
