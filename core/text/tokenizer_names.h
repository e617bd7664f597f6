// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

// Names of tokenizers in GGUF files. Many have the name of the family that used the tokenizer first, but any family may use it.
namespace wb::text {

// The values of tokenizer.ggml.model (docs/reference/tokenizers.md, "BPE" and "Other types").
namespace tokenizer_model {
inline constexpr std::string_view spm = "llama", bpe = "gpt2", wpm = "bert", ugm = "t5", rwkv = "rwkv";
inline constexpr std::string_view scoredBpe = "gemma4"; // BPE whose tokens have scores; text is not cut before merging
} // namespace tokenizer_model

// Properties of a value of tokenizer.ggml.pre, in addition to the expressions of tables/pretokenizers.txt
// (ggml-org/llama.cpp v0.5.0: src/llama-vocab.cpp).
enum class PreTrait {
    StartsWithBos,    // BOS is added before a text, unless the file says otherwise
    IgnoresMerges,    // a piece that is a token is not merged from smaller ones
    EscapesBlanks,    // blanks become U+2581 before the text is cut
    MayLackMerges,    // the vocabulary may have no merges
    AddsSeparator,    // a separator is added, unless the file says otherwise
    HasNoBos,         // no token is BOS by default
    StripsBeforeMask, // <mask> swallows the white space before it
};
bool hasTrait(std::string_view pre, PreTrait trait);

// The value of tokenizer.ggml.pre that the reference converter writes for a splitting rule ("F01" … of the table), unless
// arch::ModelType::preTokenizer names another one; empty if it has none (docs/reference/conversion.md, "Pre-tokenizer").
std::string_view usualPreTokenizer(std::string_view rule);

} // namespace wb::text
