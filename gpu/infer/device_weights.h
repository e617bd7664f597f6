// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/graph.h"
#include "gpu/device/arena.h"
#include "gpu/infer/layout.h"

#include <array>
#include <optional>
#include <vector>

namespace wb::gpu {

// Rows of a matrix that one dispatch multiplies: as many as a binding and a grid can hold.
struct MatrixPart {
    View weights;
    View scales; // words of scales, then the biases
    std::uint32_t firstRow = 0, rows = 0;
    std::uint32_t biasAt = noBias; // word of `scales`

    static constexpr std::uint32_t noBias = 0xFFFF'FFFF;
};

struct DeviceMatrix {
    const WeightLayout* layout = nullptr; // null: the model has none
    std::uint64_t rows = 0, columns = 0;
    std::vector<MatrixPart> parts;
};

// The weights of one layer as the shaders read them.
struct DeviceLayer {
    View attentionNorm, feedForwardNorm;
    DeviceMatrix q, k, v, out, gate, up, down;
};

struct DeviceWeights {
    std::vector<DeviceLayer> layers; // of the graph's; those before `first` are empty
    View outputNorm;
    DeviceMatrix output;
    std::vector<float> ropeFactors; // for the host
    std::uint64_t bytesPerToken = 0;
    std::uint64_t bytes = 0; // claimed of the device
};

// Bytes of memory that a matrix takes on a device. The layout is known (findWeightLayout).
std::uint64_t deviceBytes(const infer::Slice& rows);

// Reads the layers from `first` on and the output, by `threads` threads, and brings them to the device. Progress is in bytes of the
// file. TooLarge, of the device, where its memory is not enough.
Result<DeviceWeights> loadDeviceWeights(const DevicePtr& device, const infer::Graph& graph, std::size_t first, unsigned threads,
                                        const Progress& progress);

} // namespace wb::gpu
