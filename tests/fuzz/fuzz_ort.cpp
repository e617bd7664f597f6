// SPDX-License-Identifier: MIT
// What the worker does with ONNX Runtime's own form.
#include "core/formats/onnx/ort.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.ort", wb::onnx::readOrtIndex);
}
