// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/convert/quantize/quantize_plan.h"
#include "core/quant/backend.h"

namespace wb::convert {

// What quantizing a tensor cost, over all its elements: e is the decoded result minus the source.
struct TensorError {
    double rmse = 0;                    // sqrt(Σe²/n)
    std::optional<double> relativeRmse; // sqrt(Σe²/Σw²); empty where the source is all zero
    std::optional<double> cosine;       // Σwv / sqrt(Σw²·Σv²); empty where one side is all zero
};

struct QuantizeOutcome {
    std::vector<TensorError> errors; // one a planned tensor; zero for copied ones
    std::uint64_t resumedItems = 0;  // work taken over from an earlier run
    double seconds = 0;
    std::string device;           // quant::Backend::name of who did it
    std::vector<Problem> remarks; // types or devices that were given up, and the work of another job that was dropped
};

// The refusal of runQuantize whose way out is QuantizeRunOptions::replace. Programs add what they call it.
inline constexpr const char* targetExists = WB_TEXT("{} exists already; choose another name, or let it be replaced.");

struct QuantizeRunOptions {
    unsigned threads = 0; // 0: as many as the machine has; the file does not depend on it
    bool replace = false; // an existing target is replaced, else refused
    bool restart = false; // an earlier run's part file is discarded instead of continued
    // How much work a power failure can cost: what is finished is brought to the disk and journalled after so many bytes or
    // seconds.
    std::uint64_t flushBytes = 1ull << 30;
    double flushSeconds = 5;
    quant::Backend* backend = nullptr; // null: the CPU; outlives the run
};

// The most memory a run takes for its work with so many threads (0: all): the buffers that every worker reserves for the largest
// item, the list of items and the headers. A graphics device has buffers of its own beside them.
std::uint64_t peakMemory(const QuantizePlan& plan, unsigned threads);

// Writes the planned files (targetPaths). Work lies in a `.part` beside each and in `target`.part.journal; all stay after a cancel,
// a kill and a disk that becomes full or fails half-way, and the same call goes on where they end, doing anew what the parts no
// longer hold. What another job left there is dropped. A refusal (values that are not finite, a scale beyond f16) removes them; one
// that comes before any work (no room, the target exists, another run holds it) touches nothing. The targets appear only by rename,
// after every byte was written, checked and flushed; where another file got such a name meanwhile and `replace` is not set, that is
// refused too, and the same call with it has only the names left to give. Memory stays below 512 MiB for any model. Progress counts
// source elements, those of an earlier run included. Blocks the calling thread.
Result<QuantizeOutcome> runQuantize(const QuantizePlan& plan, const std::filesystem::path& target,
                                    const QuantizeRunOptions& options, const Progress& progress);

} // namespace wb::convert
