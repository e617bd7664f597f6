// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/merge_settings.h"
#include "core/model/model.h"

#include <functional>

namespace wb::merge {

// Several models as one. Its tensors are those of the base; each that is merged is a recipe over the tensors of all models, which
// are listed as logical tensors, the base's with beforePrefix (adapters.h). The model has the base's folder and files, then those
// of the others.
struct JoinedModels {
    ModelPtr model;
    std::optional<std::uint64_t> vocabulary; // rows of the embedding that were cut to those of the shortest; empty: none were
    std::vector<LayerSlice> layers;          // of the result, where layers were chosen
};

// Merges `others` into the base by the settings, whose weights are those of the others. Every tensor has the base's type, or the
// one that `typeOf` names for it, and is rounded once; F32, F16 and BF16 can be named. Integers and Booleans are the base's.
//
// Planning reads no values: a model that contains NaN or infinite ones fails when its tensor is read, with its name. Invalid for
// settings, Malformed with the name of a tensor that only one of the models has, or that has another shape, NotFound with the
// layer that a model does not have. Embeddings and heads of different lengths are cut to the shortest, which a problem reports.
Result<JoinedModels> mergeModels(const ModelPtr& base, std::span<const ModelPtr> others, const MergeSettings& settings,
                                 const std::function<std::optional<Dtype>(const std::string& name)>& typeOf = {});

} // namespace wb::merge
