// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/vocabulary.h"

#include <memory>
#include <stop_token>

namespace wb::text {

// The algorithm of one vocabulary: text without special tokens to ids. Thread-safe.
class Encoder {
public:
    virtual ~Encoder() = default;

    // Appends the ids of one fragment, which is valid UTF-8. `isFirst`: at the beginning of the text or after a special token,
    // where a blank is put before it if the vocabulary reports it. Canceled when `stop` is requested.
    virtual Result<void> encode(std::string_view fragment, bool isFirst, const std::stop_token& stop,
                                std::vector<TokenId>& out) const = 0;
};

// The encoder of a vocabulary's algorithm; it keeps the vocabulary alive.
Result<std::unique_ptr<Encoder>> makeEncoder(std::shared_ptr<const Vocabulary> vocabulary);

// One for each algorithm (docs/reference/tokenizers.md, "BPE" and "Other types").
Result<std::unique_ptr<Encoder>> makeBpeEncoder(std::shared_ptr<const Vocabulary> vocabulary);
std::unique_ptr<Encoder> makeSpmEncoder(std::shared_ptr<const Vocabulary> vocabulary);
std::unique_ptr<Encoder> makeWpmEncoder(std::shared_ptr<const Vocabulary> vocabulary);
Result<std::unique_ptr<Encoder>> makeUgmEncoder(std::shared_ptr<const Vocabulary> vocabulary);
std::unique_ptr<Encoder> makeRwkvEncoder(std::shared_ptr<const Vocabulary> vocabulary);

// The error of a stop, for encoders that look every few thousand pieces.
Result<void> checkStop(const std::stop_token& stop);

// The character that spells a byte in the tokens of byte-encoded BPE (openai/gpt-2: src/encoder.py, bytes_to_unicode).
char32_t characterOfByte(unsigned char byte);

} // namespace wb::text
