// SPDX-License-Identifier: MIT
// What the worker does with a CTranslate2 model.
#include "core/formats/ctranslate2/ctranslate2.h"
#include "core/formats/packed/packed.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.bin", wb::ctranslate2::readIndex, wb::packed::unpack);
}
