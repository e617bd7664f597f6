// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb::convert {

// One piece of a SentencePiece vocabulary (google/sentencepiece: src/sentencepiece_model.proto). The kinds have the numbers that
// tokenizer.ggml.token_type has.
struct Piece {
    std::string text;
    float score = 0;
    std::int32_t kind = 1; // 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte
};

inline constexpr std::size_t maxPieces = 4'000'000;

// The pieces of a tokenizer.model in order of their ids. Malformed with `name` where it is not one, TooLarge beyond maxPieces.
Result<std::vector<Piece>> readSentencePiece(std::string_view bytes, const std::string& name);

} // namespace wb::convert
