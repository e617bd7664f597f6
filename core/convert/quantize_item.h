// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/work_items.h"
#include "core/model/tensor_reader.h"
#include "core/quant/backend.h"

namespace wb::convert {

// The buffers one worker reuses from item to item.
struct ItemBuffers {
    std::vector<std::byte> source;
    std::vector<float> values;
    std::vector<std::byte> result;
    std::vector<float> decoded;
};

// Reads the rows of an item, quantizes (or copies) them into buffers.result and gives the error sums (zero for copies). Refuses
// values that are not finite and results that are not (a value or scale beyond f16), naming the tensor.
Result<ErrorSums> quantizeItem(const QuantizePlan& plan, const WorkItem& item, const TensorReader& reader, quant::Backend& backend,
                               ItemBuffers& buffers);

} // namespace wb::convert
