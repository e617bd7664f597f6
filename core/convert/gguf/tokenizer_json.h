// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::convert {

struct AddedToken {
    std::uint64_t id = 0;
    std::string content;
    bool special = false;
};

// The parts of a tokenizer.json that a GGUF file keeps.
struct TokenizerJson {
    std::string modelType;     // "BPE"
    bool byteFallback = false; // texts that no token spells become tokens of bytes, as in SentencePiece
    std::vector<std::pair<std::string, std::uint64_t>> vocabulary;
    std::vector<std::string> merges; // "a b"; a blank inside a part is U+0120
    std::vector<AddedToken> added;
    Value preTokenizer;  // Null if none exists
    Value postProcessor; // the same
};

inline constexpr std::size_t maxTokens = 4'000'000; // also merges

// Reads one that may come from anybody, in one pass: Malformed or TooLarge with `name`.
Result<TokenizerJson> parseTokenizerJson(std::string_view text, const std::string& name);

// Why splitExpressions refuses.
inline constexpr Reason preTokenizerKind = "convert.pre_tokenizer_kind";

// The expressions that a pre-tokenizer cuts with, one after the other. Unsupported for a kind that has none.
Result<std::vector<std::string>> splitExpressions(const Value& preTokenizer);

} // namespace wb::convert
