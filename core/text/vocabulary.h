// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"
#include "core/model/model.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace wb::text {

using TokenId = std::int32_t;
inline constexpr TokenId noToken = -1;

// The algorithms of docs/reference/tokenizers.md, "BPE" and "Other types", by tokenizer.ggml.model.
enum class Algorithm { Spm, Bpe, Wpm, Ugm, Rwkv };

// The values of tokenizer.ggml.token_type (ggml-org/llama.cpp: include/llama.h, llama_token_type).
enum class TokenKind : std::uint8_t { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };

struct Token {
    std::string text; // as stored: byte-encoded for BPE, with U+2581 for blanks elsewhere
    float score = 0;
    TokenKind kind = TokenKind::Normal;
    bool stripLeft = false;  // swallows ASCII white space before it
    bool stripRight = false; // … and after it
};

// Ids of the tokens with their own part; noToken where the vocabulary has none.
struct SpecialIds {
    TokenId bos = noToken, eos = noToken, eot = noToken, eom = noToken, unknown = noToken, separator = noToken, padding = noToken,
            mask = noToken;
    TokenId fimPrefix = noToken, fimSuffix = noToken, fimMiddle = noToken, fimPadding = noToken, fimRepository = noToken,
            fimSeparator = noToken;
};

// The vocabulary of a GGUF file with the rules of docs/reference/tokenizers.md, "The vocabulary in the file" and "Special tokens"
// applied. Immutable after reading.
struct Vocabulary {
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default; // `ids` looks into `tokens`, so there are no copies
    Vocabulary& operator=(Vocabulary&&) = default;

    Algorithm algorithm = Algorithm::Bpe;
    std::string file;  // the name of the model's file, which every error names
    std::string model; // tokenizer.ggml.model
    std::string pre;   // which pre-tokenizer; "" where the algorithm has none
    std::vector<Token> tokens;
    std::unordered_map<std::string_view, TokenId> ids; // of the texts in `tokens`; the last of equal ones
    std::vector<std::string> merges;                   // BPE: "left right", best first
    SpecialIds special;
    std::set<TokenId> endOfGeneration;
    std::vector<TokenId> suppressed; // never sampled
    std::string charsmap;            // UGM: precompiled normalization
    bool addBos = false;
    bool addEos = false;
    bool addSeparator = false;
    bool addSpacePrefix = false;
    bool removeExtraWhitespaces = false;
    bool ignoreMerges = false; // a whole piece that is a token is taken as it is
    bool escapeBlanks = false; // BPE: blanks become U+2581 before the text is cut
    bool byteEncoded = false;  // BPE: tokens spell bytes by printable characters
    bool lowercase = true;     // WPM
    bool stripAccents = true;  // WPM
    std::vector<Problem> problems;

    TokenId find(std::string_view text) const {
        const auto found = ids.find(text);
        return found == ids.end() ? noToken : found->second;
    }
    TokenId byteToken(unsigned char byte) const; // "<0xHH>", else the token that is this byte alone, else noToken
    bool isValid(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < tokens.size(); }
};

struct VocabularyOptions {
    std::optional<std::string> pre; // instead of the file's tokenizer.ggml.pre
    Progress progress;
};

// Reads the vocabulary of an open GGUF model. Malformed, Unsupported (an algorithm or pre-tokenizer this program does not have; the
// sentence names it and the nearest known ones), TooLarge.
Result<std::shared_ptr<const Vocabulary>> readVocabulary(const Model& model, const VocabularyOptions& options = {});

} // namespace wb::text
