// SPDX-License-Identifier: MIT
// What the worker does with an engine of TensorRT.
#include "core/formats/tensorrt/tensorrt.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.engine", wb::tensorrt::readIndex);
}
