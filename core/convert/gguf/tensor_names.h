// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/folder_rules.h"
#include "core/model/model.h"

// How names of source tensors are read.
namespace wb::convert {

// All tensors except logical ones in the reference's order: shards by name, inside by place.
std::vector<std::size_t> sourceOrder(const Model& model);

// Buffers that the reference omits, as they follow from the rest.
bool isDropped(std::string_view name);

// Of the parts that read images and sound, which a text model goes without.
bool isTower(std::string_view name);

// The name without the words that multimodal folders, and some of GPT-2, put before those of the text model.
std::string plainName(std::string name);

// A name without the prefix of its layer.
struct TensorName {
    std::string_view whole;
    std::string_view stem;
    std::string_view ending; // ".weight", ".bias"; empty: another
};
TensorName parseTensorName(std::string_view whole);

// The number at the beginning of `text`, which is taken off it.
std::optional<std::uint64_t> takeNumber(std::string_view& text);

// Whether the name is that of the rule, and the number of the expert or head in it (0 where the rule has none).
std::optional<std::uint64_t> matchRule(const TensorRule& rule, const TensorName& name);

} // namespace wb::convert
