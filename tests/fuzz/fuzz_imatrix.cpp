// SPDX-License-Identifier: MIT
#include "core/quant/imatrix.h"

#include <cmath>
#include <cstdlib>

// Both forms of importance matrices: GGUF by its magic, everything else as the legacy form.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    auto source = std::make_shared<wb::io::MemorySource>("input", std::vector<std::byte>(bytes, bytes + size));
    const auto matrix = wb::quant::readImatrix(source, {});
    if (!matrix) return 0;
    // What was read is usable: every value is finite.
    for (const auto& [weight, values] : matrix->entries)
        for (const float value : values)
            if (!std::isfinite(value)) std::abort();
    return 0;
}
