// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/writer.h"
#include "core/model/model.h"

#include <span>
#include <variant>

namespace wb::quantize {

// A pair of the new file that the user sets: KEY=int:N, KEY=float:X, KEY=bool:true, KEY=str:TEXT, written as u32 (of the absolute
// value), f32, bool and string as the reference does (ggml-org/llama.cpp: common/common.cpp, string_parse_kv_override;
// src/llama-quant.cpp).
struct KeyOverride {
    std::string key;
    std::variant<std::int64_t, double, bool, std::string> value;
};

// Invalid where the text is none, and for keys about the file's layout: general.alignment and split.*.
Result<KeyOverride> parseKeyOverride(std::string_view text);

// The text that parseKeyOverride reads back as this one.
std::string overrideText(const KeyOverride& override);

// The same with its number as the file gets it.
KeyOverride asWritten(KeyOverride override);

// Without those that a later one for the same key replaces.
std::vector<KeyOverride> lastOfEach(std::span<const KeyOverride> overrides);

// The model as the choice of types sees it with these: numbers and the architecture are replaced, lists with one number a layer are
// not, and of several for one key the first counts.
ModelPtr withOverrides(ModelPtr model, std::span<const KeyOverride> overrides);

// Removes each key and appends it again; the last of several stays.
void setOverrides(std::vector<gguf::StoredPair>& pairs, std::span<const KeyOverride> overrides);

} // namespace wb::quantize
