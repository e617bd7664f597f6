// SPDX-License-Identifier: MIT
// What the worker does with a program of ExecuTorch or its data.
#include "core/formats/executorch/executorch.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.pte", wb::executorch::readIndex);
}
