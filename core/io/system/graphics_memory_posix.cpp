// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/system/graphics_memory.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> numberIn(const fs::path& path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

bool isNear(std::uint64_t a, std::uint64_t b) { return std::max(a, b) - std::min(a, b) <= std::max(a, b) / 100; }

} // namespace

std::optional<std::uint64_t> freeGraphicsMemory(std::uint64_t bytes, const fs::path& folder) {
    std::error_code ignored;
    std::set<fs::path> seen; // card0 and renderD128 are one device
    std::optional<std::uint64_t> free;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path device = fs::weakly_canonical(entry.path() / "device", ignored);
        const auto total = numberIn(device / "mem_info_vram_total"), used = numberIn(device / "mem_info_vram_used");
        if (!total || !used || !isNear(*total, bytes) || !seen.insert(device).second) continue;
        if (free) return {};
        free = *total - std::min(*total, *used);
    }
    return free;
}

} // namespace wb::io
#endif
