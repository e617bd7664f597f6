// SPDX-License-Identifier: MIT
// What the worker does with a TensorFlow.js model, whose shard weight.bin is the same bytes.
#include "core/formats/tfjs/tfjs.h"
#include "core/formats/packed/packed.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchWithNeighbor({data, size}, "input.json", wb::tfjs::readIndex, wb::packed::unpack);
}
