// SPDX-License-Identifier: MIT
// What the worker does with a PMML document.
#include "core/formats/pmml/pmml.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.pmml", wb::pmml::readIndex);
}
