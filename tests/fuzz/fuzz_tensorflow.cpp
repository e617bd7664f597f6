// SPDX-License-Identifier: MIT
// What the worker does with TensorFlow's files.
#include "core/formats/tensorflow/tensorflow.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The first byte says which kind of file it is by its name.
    if (size > 0 && data[0] == 'n') return wb::fuzz::touchIndex({data, size}, "input.pbtxt", wb::tensorflow::readIndex);
    return wb::fuzz::touchIndex({data, size}, "input.pb", wb::tensorflow::readIndex);
}
