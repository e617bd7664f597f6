// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/merge_choices.h"
#include "core/model/model.h"

#include <functional>

namespace wb::convert {

// The base with other models merged into it (core/merge/models.h), with a config.json and tokenizer that fit the result: the
// number of layers and their kinds, the length of the vocabulary, the files of the chosen tokenizer. `others` are those of
// `choices.models`; quantized folders must be decoded (decodedModel). Malformed for models of another model_type, and for
// vocabularies that differ while no tokenizer is chosen.
Result<ModelPtr> mergedModel(const ModelPtr& base, std::span<const ModelPtr> others, const MergeChoices& choices,
                             const std::function<std::optional<Dtype>(const std::string& name)>& typeOf = {});

// The refusal of vocabularies that differ. Programs add how a tokenizer is chosen.
inline constexpr Reason vocabulariesDiffer = "merge.vocabularies_differ";

} // namespace wb::convert
