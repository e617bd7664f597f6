// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/job.h"
#include "core/convert/source/losses.h"
#include "core/convert/source/tensor_inputs.h"

// What writing a GGUF file of a folder and writing safetensors have in common: planned tensors are computed in items, each by
// copying or casting, and what a cast loses is counted.
namespace wb::convert {

// Elements of one planned tensor that are computed at once: the unit that workers take and journals record.
struct WorkItem {
    std::uint32_t tensor = 0; // index of the planned tensor
    std::uint64_t first = 0;  // element
    std::uint64_t elements = 0;
};
inline constexpr std::uint64_t usualItemElements = 1 << 18; // a multiple of every block

// The buffers that one worker reuses from item to item.
struct ItemBuffers {
    std::vector<float> values;
    std::vector<std::byte> raw;
    std::vector<float> permuted;
};

// A planned tensor in its file.
struct WrittenTensor {
    std::string name;
    Dtype to = Dtype::Unknown;
    std::uint64_t elements = 0;
    std::uint32_t file = 0; // index into run::OutputPlan::files
    std::uint64_t offset = 0;
};

struct CastWork {
    std::vector<WrittenTensor> tensors;
    std::vector<WorkItem> items;
    std::shared_ptr<const TensorInputs> inputs; // null: nothing can be computed yet
    std::uint64_t workerBytes = 0;              // the most memory of ItemBuffers for one item
    // Computes an item into the bytes, which hold exactly it. Thread-safe.
    std::function<Result<CastLoss>(const WorkItem& item, std::span<std::byte> bytes, ItemBuffers& buffers)> compute;
};

// The peak memory of a job with so many threads (0: all), headers aside.
std::uint64_t peakMemory(const CastWork& work, unsigned threads);

// How long a run takes here with so many threads, writing to the disk excluded: parts of all tensors are read and computed briefly.
Result<double> estimateSeconds(const CastWork& work, unsigned threads, const std::stop_token& stop);

// Writes the files of `output` as run::execute does; its items are those of the work. Outcome::remarks tell what the casts lost.
Result<Outcome> runCast(const CastWork& work, run::OutputPlan output, const run::RunOptions& options, const Progress& progress);

} // namespace wb::convert
