// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/memory/cards/fit.h"

#include <span>
#include <vector>

// The other question: not whether a model fits, but which models do.
namespace wb::memory {

// A known model as one type.
struct TypeFit {
    const WeightType* type = nullptr;
    std::uint64_t need = 0; // bytes of the most suitable memory
    Verdict verdict = Verdict::No;
    std::string device = {}; // that memory; empty: RAM
};

struct RunnableModel {
    const Shape* shape = nullptr;
    std::uint64_t context = 0;  // as asked, or the model's own where that is shorter
    std::vector<TypeFit> types; // of runnableTypes(), in their order

    // The index of the largest type that does not miss; empty: none. One that is tight counts only if no smaller one fits.
    std::optional<std::size_t> best() const;
};

// The types that the question is answered for, the smallest first: the usual ones of published files.
std::span<const WeightType* const> runnableTypes();

// Every known model (shapes.h) with llama.cpp and all layers in one of these memories, the largest model first. Of several memories
// the best verdict counts. Canceled.
Result<std::vector<RunnableModel>> runnableModels(std::span<const Memory> memories, std::uint64_t context,
                                                  const Progress& progress);

} // namespace wb::memory
