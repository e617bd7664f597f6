// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/work_items.h"
#include "core/convert/run/verify.h"
#include "core/model/tensor_reader.h"

#include <stop_token>

namespace wb::quantize {

// What is needed to look at written files again.
struct QuantizeCheck {
    const QuantizePlan& plan;
    std::span<const WorkItem> items;
    std::span<const TensorReader> readers; // one a planned tensor
    run::Verify verify;
    unsigned threads = 0; // 0: all
    std::stop_token stop;
};

// What of the items is done again: all of them, or some rows at both ends of every tensor, so that a sample costs next to nothing.
std::vector<WorkItem> checkedItems(const QuantizePlan& plan, std::span<const WorkItem> items, run::Verify verify);

// Reads and quantizes the sources of one planned file again, on the processor whatever did it first, and compares. An error
// (run::writtenDiffers) names the first tensor that differs.
Result<void> compareWithSource(const QuantizeCheck& check, std::uint32_t file, const io::ByteSource& written);

} // namespace wb::quantize
