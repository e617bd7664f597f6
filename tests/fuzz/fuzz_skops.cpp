// SPDX-License-Identifier: MIT
// What the worker does with a skops archive; an input that is none is its schema.
#include "core/formats/skops/skops.h"
#include "core/model/danger.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wb::ScannedFile file;
    wb::skops::judge(std::string(reinterpret_cast<const char*>(data), size), file);
    return wb::fuzz::touchIndex({data, size}, "input.skops", wb::skops::readIndex, wb::skops::unpack);
}
