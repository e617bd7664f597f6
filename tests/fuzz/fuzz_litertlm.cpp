// SPDX-License-Identifier: MIT
// What the worker does with a bundle of LiteRT-LM.
#include "core/formats/litertlm/litertlm.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.litertlm", wb::litertlm::readIndex);
}
