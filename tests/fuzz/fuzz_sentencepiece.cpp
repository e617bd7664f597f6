// SPDX-License-Identifier: MIT
#include "core/convert/gguf/sentencepiece.h"
#include "core/convert/gguf/tokenizer_json.h"

#include <cstdlib>

// A tokenizer.model, and the same bytes as a tokenizer.json.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto pieces = wb::convert::readSentencePiece(bytes, "input");
    if (pieces) {
        if (pieces->empty()) std::abort();
        for (const auto& piece : *pieces)
            if (piece.kind < 1 || piece.kind > 6 || piece.text.size() > size) std::abort();
    }
    const auto tokenizer = wb::convert::parseTokenizerJson(bytes, "input");
    if (tokenizer) (void)wb::convert::splitExpressions(tokenizer->preTokenizer);
    return 0;
}
