// SPDX-License-Identifier: MIT
// What the worker does with an ncnn network, whose .bin file is the same bytes.
#include "core/formats/ncnn/ncnn.h"
#include "core/formats/packed/packed.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchWithNeighbor({data, size}, "input.param", wb::ncnn::readIndex, wb::packed::unpack);
}
