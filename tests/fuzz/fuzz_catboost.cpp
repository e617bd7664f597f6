// SPDX-License-Identifier: MIT
// What the worker does with a CatBoost model.
#include "core/formats/catboost/catboost.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.cbm", wb::catboost::readIndex);
}
