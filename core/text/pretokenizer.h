// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::text {

// Cuts a text into the pieces that BPE merges within, by the expressions of one family (docs/reference/tokenizers.md,
// "Pre-tokenizers"; tables/pretokenizers.txt). Thread-safe.
class PreTokenizer {
public:
    // The family that the value `pre` of tokenizer.ggml.pre belongs to; Unsupported with the nearest known values if none matches.
    static Result<PreTokenizer> find(std::string_view pre);

    // The three values that find() knows and that are spelled most like `pre`, with commas between.
    static std::string nearest(std::string_view pre);

    // All values that find() knows, by family.
    static std::vector<std::string_view> values();

    // The expressions of the family that `pre` belongs to, in order; empty if none exists, or where it cuts in ways that no
    // list of expressions says.
    static std::vector<std::string_view> expressions(std::string_view pre);

    // Whether bytes are spelled by printable characters in the tokens of this family.
    bool encodesBytes() const;

    // The pieces of valid UTF-8, in order; together they are the text.
    void split(std::string_view text, std::vector<std::string_view>& pieces) const;

    // The same expression by expression, which each cut the pieces of the one before by themselves: step `step` of steps() appends
    // what it makes of one piece.
    std::size_t steps() const;
    void splitStep(std::size_t step, std::string_view piece, std::vector<std::string_view>& pieces) const;

private:
    struct Family;
    std::shared_ptr<const Family> m_family;
};

} // namespace wb::text
