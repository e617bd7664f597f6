// SPDX-License-Identifier: MIT
// What the worker does with a fastText model.
#include "core/formats/fasttext/fasttext.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.bin", wb::fasttext::readIndex);
}
