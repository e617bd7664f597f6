// SPDX-License-Identifier: MIT
// What the worker does with an XGBoost model, as JSON or Universal Binary JSON.
#include "core/formats/xgboost/xgboost.h"
#include "tests/fuzz/touch_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return wb::fuzz::touchIndex({data, size}, "input.ubj", wb::xgboost::readIndex);
}
