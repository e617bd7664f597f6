// SPDX-License-Identifier: MIT
// What the worker does with a network of MNN.
#include "core/formats/mnn/mnn.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.mnn", wb::mnn::readIndex);
}
