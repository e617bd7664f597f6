// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/index_operations.h"
#include "core/infer/graph/stream_operations.h"
#include "gpu/infer/kernels.h"

// The shaders of several residual streams, of n-gram embeddings (core/infer/graph/stream_operations.h) and of indexers
// (core/infer/graph/index_operations.h), as steps of a recording like those of kernels.h.
namespace wb::gpu {

// x = share * Σ sigmoid(gates) * rows over the streams.
struct MixStreamsStep {
    View rows;  // [tokens][streams][width]
    View gates; // [tokens][stride]
    std::uint32_t width = 0, streams = 0, stride = 0;
};
Result<void> mixStreams(Device& device, Recorder& recorder, const StepSizes& sizes, const MixStreamsStep& step, const View& x);

// streams[s] += factors[s] * row.
struct InjectStep {
    View row, factors; // [tokens][width], [tokens][streams]
    std::uint32_t width = 0, streams = 0;
};
Result<void> inject(Device& device, Recorder& recorder, const StepSizes& sizes, const InjectStep& step, const View& streams);

// The second half of each row: values whose gates are products of keys and of the first half, the queries.
struct GateNgramsStep {
    View keys, value; // [tokens][streams][width], [tokens][width]
    std::uint32_t width = 0, streams = 0, stride = 0;
};
Result<void> gateNgrams(Device& device, Recorder& recorder, const StepSizes& sizes, const GateNgramsStep& step, const View& rows);

// The means of the keys of blocks that become complete: [block of the batch][length].
struct BlockMeansStep {
    const infer::IndexOp* op = nullptr;
    View keys, state; // [tokens][length], [length]
};
Result<void> meanBlocks(Device& device, Recorder& recorder, const StepSizes& sizes, const BlockMeansStep& step, const View& means);

// The positions that each token sees and how many they are (0: all).
struct SelectStep {
    const infer::IndexOp* op = nullptr;
    View queries, keys;                            // [tokens][heads][length], rotated; the cache
    const View* weights = nullptr;                 // [tokens][heads]; null: ones
    infer::CacheType type = infer::CacheType::F16; // of the cache; not Q8_0
    View scores;                                   // space for `positions` floats of as many tokens as are dealt with at a time
    std::uint32_t positions = 0;                   // of the cache
    std::uint32_t selectedStride = 0;
};
Result<void> selectTokens(Device& device, Recorder& recorder, const StepSizes& sizes, const SelectStep& step, const View& selected,
                          const View& counts);

} // namespace wb::gpu
