// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>

namespace wb::convert {

// The tokens of a vocabulary with their numbers, whatever their order: equal digests are equal vocabularies for every purpose but
// an attack.
struct VocabularyDigest {
    std::uint64_t tokens = 0;
    std::uint64_t sum = 0; // of the hashes of (number, token)

    bool operator==(const VocabularyDigest&) const = default;
};

// Of a tokenizer.json: "model" "vocab", which is an object of numbers or an array of [token, score], and "added_tokens". Malformed
// with `name`.
Result<VocabularyDigest> digestVocabulary(std::string_view tokenizerJson, const std::string& name);

} // namespace wb::convert
