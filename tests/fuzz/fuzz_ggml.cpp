// SPDX-License-Identifier: MIT
// What the worker does with a model from before GGUF, and with one of llama2.c.
#include "core/formats/ggml/ggml.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)wb::fuzz::touchIndex({data, size}, "input.bin", wb::ggml::readLlama2c);
    return wb::fuzz::touchIndex({data, size}, "input.bin", wb::ggml::readIndex);
}
