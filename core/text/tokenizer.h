// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/encoder.h"

#include <span>

// Text to the ids of a model's vocabulary and back, equal to ggml-org/llama.cpp v0.5.0 id for id
// (docs/reference/tokenizers.md).
namespace wb::text {

struct EncodeOptions {
    bool addSpecial = true;   // BOS, EOS and separators as the model says
    bool parseSpecial = true; // control tokens in the text are recognized; user-defined ones always are
    std::stop_token stop;
};

// A stretch of a text that came from a user: its bytes spell no special token.
struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// A vocabulary with its algorithm. Immutable and thread-safe.
class Tokenizer {
public:
    // Of an open GGUF model, with or without tensors. The errors are those of readVocabulary.
    static Result<std::shared_ptr<const Tokenizer>> open(const Model& model, const VocabularyOptions& options = {});

    const Vocabulary& vocabulary() const { return *m_vocabulary; }

    // Ids of a text of valid UTF-8. In `literal` stretches (ascending, apart) no control token is recognized. Canceled by `stop`.
    Result<std::vector<TokenId>> encode(std::string_view text, const EncodeOptions& options = {},
                                        std::span<const Stretch> literal = {}) const;

    // The bytes one token stands for, which need not be complete characters. Control and unknown tokens are empty unless
    // `showSpecial`.
    std::string piece(TokenId id, bool showSpecial = false) const;

    // The bytes that ids stand for, without the blank that the vocabulary puts before a text. No clean-up of blanks. The ids must
    // be valid.
    std::string decode(std::span<const TokenId> ids, bool showSpecial = false) const;

private:
    struct Occurrence {
        std::size_t begin;
        std::size_t end;
        TokenId id;
    };

    Tokenizer(std::shared_ptr<const Vocabulary> vocabulary, std::unique_ptr<Encoder> encoder);
    void addToTrie(TokenId id);
    std::vector<Occurrence> findSpecial(std::string_view text, bool parseSpecial, std::span<const Stretch> literal) const;
    std::vector<Occurrence> chooseLongest(std::string_view text, std::vector<Occurrence> found) const;

    // A node of the trie of the special tokens' texts.
    struct Node {
        std::unordered_map<char, std::size_t> children;
        TokenId id = noToken;
    };

    std::shared_ptr<const Vocabulary> m_vocabulary;
    std::unique_ptr<Encoder> m_encoder;
    std::vector<Node> m_trie{1};
    bool m_beginsSpecial[256] = {};                          // bytes that some special token starts with
    std::unordered_map<std::string, char> m_byteOfCharacter; // of byte-encoded tokens
};

} // namespace wb::text
