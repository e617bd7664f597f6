// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/source/cast_work.h"

namespace wb::convert {

// -e^x, rounded once: the bits that the reference converter writes.
float negatedExp(float x);

// The files of the folder and the readers of every planned tensor.
Result<std::shared_ptr<const TensorInputs>> openInputs(const ConvertPlan& plan);

// All items of the tensors in file order: whole rows, of a permuted tensor whole heads, of a stack rows of one expert.
std::vector<WorkItem> workItems(const std::vector<PlannedTensor>& tensors);

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
