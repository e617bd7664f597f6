// SPDX-License-Identifier: MIT
// What the worker does with a LightGBM model.
#include "core/formats/lightgbm/lightgbm.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.txt", wb::lightgbm::readIndex);
}
