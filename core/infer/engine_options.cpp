// SPDX-License-Identifier: MIT
#include "core/infer/engine_options.h"

#include <algorithm>
#include <array>

namespace wb::infer {
namespace {

constexpr std::array<std::string_view, cacheTypes> cacheTypeNames = {"f16", "f32", "q8_0"}; // by CacheType

} // namespace

std::string_view name(CacheType type) { return cacheTypeNames[static_cast<std::size_t>(type)]; }

std::optional<CacheType> findCacheType(std::string_view name) {
    const auto found = std::ranges::find(cacheTypeNames, name);
    if (found == cacheTypeNames.end()) return std::nullopt;
    return static_cast<CacheType>(found - cacheTypeNames.begin());
}

} // namespace wb::infer
