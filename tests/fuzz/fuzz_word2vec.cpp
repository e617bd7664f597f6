// SPDX-License-Identifier: MIT
// What the worker does with vectors of word2vec.
#include "core/formats/word2vec/word2vec.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.bin", wb::word2vec::readIndex, wb::word2vec::unpack);
}
