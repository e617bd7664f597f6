// SPDX-License-Identifier: MIT
#include "core/quant/imatrix/imatrix.h"

#include <cmath>
#include <cstdlib>

// Both forms of importance matrices: GGUF by its magic, everything else as the legacy form.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    auto source = std::make_shared<wb::io::MemorySource>("input", std::vector<std::byte>(bytes, bytes + size));
    const auto matrix = wb::quant::readImatrix(source, {});
    if (!matrix) return 0;
    // What was opened is usable: every value can be read and is finite and not negative.
    for (const auto& [weight, entry] : matrix->entries) {
        const auto values = matrix->find(weight).readAll();
        if (!values || values->size() != entry.count) std::abort();
        for (const float value : *values)
            if (!std::isfinite(value) || value < 0) std::abort();
    }
    return 0;
}
