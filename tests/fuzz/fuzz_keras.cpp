// SPDX-License-Identifier: MIT
// What the worker does with an HDF5 file.
#include "core/formats/keras/keras.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.h5", wb::keras::readIndex, wb::keras::unpack);
}
