// SPDX-License-Identifier: MIT
// What the worker does with a pickle, a joblib file, compressed or not, and a skops archive.
#include "core/formats/sklearn/sklearn.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.joblib", wb::sklearn::readIndex, wb::sklearn::unpack);
}
