// SPDX-License-Identifier: MIT
// What the worker does with a network of Caffe.
#include "core/formats/caffe/caffe.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.caffemodel", wb::caffe::readIndex);
}
