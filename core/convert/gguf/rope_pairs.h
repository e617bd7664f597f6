// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/base/problem.h"
#include "core/convert/gguf/folder_rules.h"
#include "core/convert/gguf/pair_list.h"
#include "core/convert/source/source_folder.h"

namespace wb::convert {

// The source of a family's pairs. `spec` may be empty where only the numbers of config.json are checked.
struct PairContext {
    const ValueObject& config;
    FolderFamily family; // not empty
    const arch::ModelSpec& spec;
    PairList& pairs;
    std::vector<Problem>& problems; // what GGUF cannot say
    const Model* model = nullptr;   // the folder, for pairs that are tensors there; null where only config.json is read

    std::string key(std::string_view suffix) const;
};

// The pairs of rotary positions: those of the kinds RopeScaling to LongRopeFactor, and AlphaRope.
Result<void> addRopePairs(const PairContext& context, const KeyRule& rule);

// head_dim of config.json, if the family reads it.
Result<std::optional<std::uint32_t>> statedHeadLength(const PairContext& context);

} // namespace wb::convert
