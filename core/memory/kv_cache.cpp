// SPDX-License-Identifier: MIT
#include "core/memory/kv_cache.h"

#include "core/memory/cells.h"

#include <algorithm>

namespace wb::memory {

std::optional<std::uint64_t> kvBytes(const arch::ModelSpec& spec, std::uint64_t context, double bytesPerElement) {
    if (std::ranges::none_of(spec.layers, &arch::LayerSpec::hasAttention)) return std::nullopt;
    const std::uint64_t all = cells(context);
    const std::uint64_t windowed = cells(std::min(all, spec.window + std::min(microBatch, all)));
    double bytes = 0;
    for (std::size_t i = 0; i < spec.layers.size(); ++i) {
        const arch::LayerSpec& layer = spec.layers[i];
        if (!layer.ownsCache(i)) continue;
        const double elements = static_cast<double>(layer.kvHeads) * static_cast<double>(layer.keyLength + layer.valueLength);
        bytes += static_cast<double>(layer.window > 0 ? windowed : all) * elements * bytesPerElement;
    }
    return static_cast<std::uint64_t>(std::min(bytes, 1e18));
}

} // namespace wb::memory
