// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <map>
#include <set>
#include <span>

namespace wb::quantize {

// A model without some of its layers, the others renumbered from 0.
struct PrunedModel {
    ModelPtr model;                                 // its tensors in the order they are written in
    std::map<std::string, std::string> formerNames; // by the new stored name; tensors outside layers keep theirs
    std::uint32_t layers = 0;                       // left
    std::set<std::uint32_t> leftOut;                // of those that were to be, the ones that were there
};

// Leaves out the tensors of the layers N of "blk.N." as the reference does (ggml-org/llama.cpp: src/llama-quant.cpp, remap_layer).
// `order` is the reference's order of all tensors. Refuses models that store numbers layer by layer, which would no longer fit.
Result<PrunedModel> pruneLayers(const Model& model, std::span<const std::size_t> order, const std::set<std::uint32_t>& layers);

} // namespace wb::quantize
