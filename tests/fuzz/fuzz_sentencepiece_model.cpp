// SPDX-License-Identifier: MIT
// What the worker does with a SentencePiece tokenizer that is opened as a model.
#include "core/formats/sentencepiece/sentencepiece.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.model", wb::sentencepiece::readIndex);
}
