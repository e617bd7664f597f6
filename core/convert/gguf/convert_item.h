// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/tensor_plan.h"
#include "core/model/tensor_reader.h"

#include <span>

namespace wb::convert {

// Whole rows of one planned tensor: the unit that workers take and journals record. Of a permuted tensor whole heads, of a stack
// rows of one expert.
struct WorkItem {
    std::uint32_t tensor = 0; // index into ConvertPlan::tensors
    std::uint64_t first = 0;  // element
    std::uint64_t elements = 0;
};

// All items of the tensors in file order.
std::vector<WorkItem> workItems(const std::vector<PlannedTensor>& tensors);

// The buffers one worker reuses from item to item.
struct ItemBuffers {
    std::vector<float> values;
    std::vector<std::byte> raw;
    std::vector<float> permuted;
};

// The most bytes that ItemBuffers take for the largest of these items.
std::uint64_t bufferBytes(std::span<const WorkItem> items);

// How many elements an item has a multiple of: whole heads where rows are permuted, else whole rows.
std::uint64_t itemUnit(const PlannedTensor& tensor);

// The elements of one source; no item reaches from one into the next.
std::uint64_t sourceElements(const PlannedTensor& tensor);

// Computes an item into `result`, which holds exactly it, and gives how many of its values were finite and became infinite.
// `readers` are those of the tensor's sources as it reads them. Invalid where a value is not finite that a block type would have
// to hold.
Result<std::uint64_t> convertItem(const PlannedTensor& tensor, const WorkItem& item, std::span<const TensorReader> readers,
                                  std::span<std::byte> result, ItemBuffers& buffers);

} // namespace wb::convert
