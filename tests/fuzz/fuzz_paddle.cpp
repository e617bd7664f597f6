// SPDX-License-Identifier: MIT
// What the worker does with a PaddlePaddle model, whose second file is the same bytes.
#include "core/formats/paddle/paddle.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchWithNeighbor({data, size}, "input.pdmodel", wb::paddle::readIndex, nullptr);
}
