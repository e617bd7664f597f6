// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/fit.h"

namespace wb::memory {

// Whether this computer runs a model, in one word, as lists show it: with llama.cpp, all layers in one memory, and the context that
// is used where none is requested.
struct Badge {
    Verdict verdict = Verdict::No;
    std::string device; // that contains it best; empty: RAM
    std::uint64_t need = 0, available = 0;
    std::uint64_t context = 0;
};

// `memories` are those of this computer, RAM first and without a name. The best verdict counts; of equal ones that of a
// GPU. Fails where the model cannot be counted.
Result<Badge> fitBadge(const Subject& subject, std::span<const Memory> memories);

} // namespace wb::memory
