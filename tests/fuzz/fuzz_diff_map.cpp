// SPDX-License-Identifier: MIT
#include "core/diff/diff.h"

#include <cstdlib>

// Users edit map files. An accepted pair has a name on both sides, and writing and reading it changes nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto map = wb::diff::parseMapFile(text, "input.json");
    if (!map) return 0;
    wb::diff::Comparison comparison;
    for (const auto& pair : map->pairs) {
        if (pair.a.empty() || pair.b.empty()) std::abort();
        comparison.pairs.push_back({pair.a, pair.b, pair.mapping});
    }
    if (comparison.pairs.empty() && map->ignored.empty()) return 0;
    const std::string written = wb::diff::mapFileText(comparison, map->ignored);
    const auto again = wb::diff::parseMapFile(written, "input.json");
    if (!again || again->pairs.size() != map->pairs.size() || again->ignored != map->ignored) std::abort();
    return 0;
}
