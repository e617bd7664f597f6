// SPDX-License-Identifier: MIT
#include "gpu/imview/texture.h"

#include <algorithm>
#include <cmath>

namespace wb::gpu::imview {
namespace {

float along(const ColorScale& scale, float value) {
    return scale.curve == Curve::SymmetricLog ? symmetricLog(value / scale.linearWidth) : value;
}

} // namespace

float symmetricLog(float x) {
    const float size = std::fabs(x);
    // Beyond 10⁴ the 1 under the root is lost in float, and squaring could overflow.
    const float log = size < 1e4f ? std::log(size + std::sqrt(size * size + 1.0f)) : std::log(size) + 0.69314718f;
    return std::copysign(log, x);
}

std::uint32_t scaleColor(const ColorScale& scale, float value) {
    if (std::isnan(value)) return scale.nan;
    if (std::isinf(value)) return value > 0 ? scale.positiveInfinity : scale.negativeInfinity;
    const float low = along(scale, scale.low);
    const float span = along(scale, scale.high) - low;
    const float place = span > 0 ? std::clamp((along(scale, value) - low) / span, 0.0f, 1.0f) : 0.5f;
    return scale.colors[static_cast<std::size_t>(place * 255.0f + 0.5f)];
}

} // namespace wb::gpu::imview
