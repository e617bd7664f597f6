// SPDX-License-Identifier: MIT
// What the worker does with a TensorFlow Lite model.
#include "core/formats/tflite/tflite.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.tflite", wb::tflite::readIndex);
}
