// SPDX-License-Identifier: MIT
// What the worker does with a Core ML model or the text of a compiled one, whose weights are the same bytes.
#include "core/formats/coreml/coreml.h"
#include "core/formats/packed/packed.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchWithNeighbor({data, size}, "input.mlmodel", wb::coreml::readIndex, wb::packed::unpack);
}
