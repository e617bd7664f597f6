// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "gpu/device/device_info.h"

#include <vector>

namespace wb::gpu {

inline constexpr std::uint32_t deviceBatch = 64; // tokens at once

// Whether devices run this model with this cache. Unsupported, with the family, the part, the type of weights or of the cache in
// its sentence, where they do not; the processor can then (specs of what it runs: core/infer/graph.h).
Result<void> checkDeviceRuns(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device);

// The types of a model's matrices; all have a layout where checkDeviceRuns() accepts the model.
std::vector<Dtype> matrixTypes(const infer::Graph& graph);

// Bytes of a device's memory that a model takes.
struct DeviceNeeds {
    std::vector<std::uint64_t> layers; // with their caches
    std::uint64_t output = 0;          // the last norm and the output matrix
    std::uint64_t rest = 0;            // activations and logits

    // The most layers, counted as EngineOptions::gpuLayers, that so many bytes hold.
    std::uint64_t fitting(std::uint64_t bytes) const;
};

// The device runs the model with a cache of these types for options.context tokens.
DeviceNeeds deviceNeeds(const infer::Graph& graph, const infer::EngineOptions& options);

// Bytes of one position of one head in the cache of a device (gpu/shaders/infer/batch.h).
constexpr std::uint64_t cachedBytes(infer::CacheType type, std::uint64_t length) {
    using enum infer::CacheType;
    if (type == Q8_0) return ((length + 3) / 4 + infer::cacheGroups(length)) * 4;
    return length * (type == F32 ? 4 : 2);
}

// Bytes for the scores of attention: of as many tokens at a time as a moderate buffer holds.
std::uint64_t scoreBytes(const infer::Graph& graph, std::size_t context);

// The widest rows of a model's layers, in numbers, for which a device has room.
struct RowWidths {
    std::uint64_t queries = 0, keys = 0, values = 0, attended = 0, hidden = 0;

    std::uint64_t widest(std::uint64_t width) const;
};
RowWidths rowWidths(const arch::ModelSpec& spec);

// What the engine would claim of a device for so many layers, counted as EngineOptions::gpuLayers: part by part what
// infer::EngineLoad::device says afterwards.
infer::EngineMemory planDeviceMemory(const infer::Graph& graph, const infer::EngineOptions& options, std::uint64_t gpuLayers,
                                     const DeviceInfo& device);

// Positions that the cache has room for: a head's keys and values begin where a binding may.
constexpr std::size_t cachedPositions(std::size_t context) { return (context + 127) / 128 * 128; }

} // namespace wb::gpu
