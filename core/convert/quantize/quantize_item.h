// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/work_items.h"
#include "core/model/tensor_reader.h"
#include "core/quant/backend.h"

namespace wb::quantize {

// How many members each of a worker's buffers needs at most, for items handed to a backend of so many Backend::bestValues.
struct BufferSizes {
    std::size_t source = 0;
    std::size_t values = 0;
    std::size_t decoded = 0;
    std::size_t weights = 0;

    std::uint64_t bytes() const { return source + (values + decoded + weights) * sizeof(float); }
};
BufferSizes bufferSizes(const QuantizePlan& plan, std::span<const WorkItem> items, std::uint64_t bestValues);

// The buffers one worker reuses from item to item.
struct ItemBuffers {
    std::vector<std::byte> source;
    std::vector<float> values;
    std::vector<float> decoded;
    std::vector<float> weights;               // of a row's columns …
    std::optional<std::uint64_t> firstWeight; // … from here on in PlannedTensor::weights

    void reserve(const BufferSizes& sizes); // so that they never grow beyond the largest item
    std::uint64_t bytes() const {
        return source.capacity() + (values.capacity() + decoded.capacity() + weights.capacity()) * sizeof(float);
    }
};

// Reads the elements of an item, quantizes (or copies) them into `result`, which holds exactly them, and gives the error sums (zero
// for copies). Refuses values that are not finite, copied ones too, and results that are not (a value or scale beyond f16), naming
// the tensor.
Result<ErrorSums> quantizeItem(const QuantizePlan& plan, const WorkItem& item, const TensorReader& reader, quant::Backend& backend,
                               std::span<std::byte> result, ItemBuffers& buffers);

} // namespace wb::quantize
