// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "gpu/device/device_info.h"
#include "gpu/infer/device_memory.h"
#include "gpu/infer/device_weights.h"
#include "gpu/infer/kernels.h"

#include <optional>

namespace wb::gpu {

inline constexpr std::uint32_t deviceBatch = 64; // tokens at once

// Positions that a cache has space for: a head's keys and values start where a binding may.
constexpr std::size_t cachedPositions(std::size_t context) { return (context + 127) / 128 * 128; }

// Bytes of one position of one head in the cache of a device (gpu/shaders/infer/batch.h).
constexpr std::uint64_t cachedBytes(infer::CacheType type, std::uint64_t length) {
    using enum infer::CacheType;
    if (type == Q8_0) return ((length + 3) / 4 + infer::cacheGroups(length)) * 4;
    return length * (type == F32 ? 4 : 2);
}

// All buffers of a device's engine for the layers of a graph from `first` on and the head. checkDeviceRuns() accepts the graph.
struct DeviceBuffers {
    DeviceBuffers(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first, const DeviceInfo& device);
    DeviceBuffers(const DeviceBuffers&) = delete;
    DeviceBuffers& operator=(const DeviceBuffers&) = delete;

    struct Cache {
        View keys, values; // [kvHeads][cachedPositions][length]
    };

    DeviceMemory memory;
    DeviceWeights weights;
    std::vector<Cache> caches; // of Graph::caches; empty views for those of the CPU

    // The states of recurrent operations side by side, and as many snapshots of them; empty: none.
    View state;
    std::vector<View> snapshots;
    View stateOf(std::uint32_t index) const { return {state.buffer, state.offset + stateStarts[index], stateBytes[index]}; }
    std::vector<std::uint64_t> stateStarts, stateBytes; // of Graph::states, in `state`; 0 bytes: the CPU's

    // T = deviceBatch tokens. Those that no operation needs are empty.
    View batch;                  // [WB_BATCH_WORDS]
    View x;                      // [T][width]
    View branch;                 // [T][width]: what is normed before it is added to x
    View sum;                    // [T][width]: zeros between the operations of a layer that use it
    View queries, rotated;       // [T][heads * keyLength]
    View keys, values;           // [T][kvHeads * length]
    View mixed;                  // [T][mixedStride]
    View compressed;             // [T][rank of queries]
    View attended;               // [T][heads * valueLength]
    View hidden, gates;          // [T][inner]
    FastAttention fastAttention; // empty where no kernel may be fast
    View scores;                 // of as many tokens at a time as a moderate buffer has space for: [heads][cachedPositions]
    Prepared prepared;           // [T][columns of the widest matrix], or of pairs
    Prepared followed;           // of one token, where a product reads `prepared` and its follow-up makes the next input
    View counters;               // of follow-ups: counterAreas times some words, zero between passes
    View logits;                 // [1][vocabulary]
    std::vector<View> angles;    // of Graph::ropes: [T][cosines and sines][pairs]; one without any where there is no rope

    // Experts; P = T * used pairs.
    View routerLogits;            // [T][experts]
    Routed routed;                // [T][used], [T], scheduleWords()
    View expertHidden, expertOut; // [P][inner], [P][width]

    // Factors of queries by their position: [T] each.
    struct Factors {
        infer::Temperature temperature;
        View factors;
    };
    std::vector<Factors> temperatures;

    // Several residual streams and n-grams.
    View streams, normedStreams; // [T][streams * width]
    View streamRank;             // [T][rank]
    View injection;              // [T][streams]
    View ngrams;                 // [T][heads * length]

    // Indexers.
    View indexQueries, indexRotated; // [T][heads * length]
    View indexKeys, indexMeans;      // [T][length]; of blocks that become complete
    View indexWeights;               // [T][heads]
    View selected, selectedCounts;   // [T][selectedStride] positions, [T]
    std::uint32_t selectedStride = 0;
    struct Blocks { // of indexers that share the size of a block and the rotation
        std::uint64_t tokens = 1;
        std::optional<std::uint32_t> rope;
        View batch;  // the words of a batch: the first block that becomes complete, and how many do
        View angles; // [T]
    };
    std::vector<Blocks> blocks;
    // Of steps that may run at the same time each has its own.
    static constexpr std::uint64_t counterAreas = 4;
    View counterArea(std::uint64_t index) const {
        const std::uint64_t bytes = counters.bytes / counterAreas;
        return viewPart(counters, index % counterAreas * bytes, bytes);
    }
    const Blocks* blocksOf(const infer::IndexOp& op) const; // null: blocks of one token
    std::uint32_t mixedStride = 0;

    View embeddings;              // [T][width]: what layerInputs are made of
    View layerInputs, layerTable; // [T][layers * each]

private:
    void planCaches(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first);
    void planRows(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first, const DeviceInfo& device);
    void planStates(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first);
    void planTemperatures(const infer::Graph& graph, std::size_t first);
    void planBlocks(const infer::Graph& graph, std::size_t first);
};

// How a cache stores its keys: those of an indexer have at least 16 bits.
constexpr infer::CacheType keyType(const infer::CacheShape& cache, const infer::EngineOptions& options) {
    const bool isIndex = cache.heads.valueLength == 0;
    return isIndex && options.keys == infer::CacheType::Q8_0 ? infer::CacheType::F16 : options.keys;
}

// Positions, or blocks of them, that a cache has space for.
constexpr std::size_t cachedKeys(const infer::CacheShape& cache, std::size_t context) {
    return cachedPositions((context + cache.block - 1) / cache.block);
}

// Whether the layers from `first` on and those before can be on different engines: none of the former reads a cache of the latter.
bool canSplitAt(const infer::Graph& graph, std::size_t first);

// The largest number of layers up to this one, counted as in EngineOptions, that can be on the device.
std::uint64_t possibleLayers(const infer::Graph& graph, std::uint64_t gpuLayers);

// Numbers of Graph::ropes' angles for deviceBatch tokens.
std::uint64_t angleNumbers(const infer::RopeOp& rope);

// Bytes of a device's memory that an engine claims for this many layers, counted as in EngineOptions.
Result<infer::EngineMemory> planDeviceMemory(const infer::Graph& graph, const infer::EngineOptions& options,
                                             std::uint64_t gpuLayers, const DeviceInfo& device);

// The largest number of layers, counted as in EngineOptions, whose engine claims at most this many bytes.
std::uint64_t fittingLayers(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device,
                            std::uint64_t bytes);

} // namespace wb::gpu
