// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::infer {

// How a cache stores keys and values. Q8_0: codes of 8 bits with one f16 scale for each cacheGroup dimensions.
enum class CacheType : std::uint8_t { F16, F32, Q8_0 };
inline constexpr std::size_t cacheTypes = 3;

// "f16", "f32", "q8_0".
std::string_view name(CacheType type);
std::optional<CacheType> findCacheType(std::string_view name);

// Dimensions of a head that share a scale in Q8_0.
inline constexpr std::size_t cacheGroup = 32;
constexpr std::size_t cacheGroups(std::size_t dimensions) { return (dimensions + cacheGroup - 1) / cacheGroup; }

// The kernels of a GPU. Exact ones give the bits of the CPU; fast ones add in another order (docs/reference/inference.md,
// "Tolerances"). Auto: fast ones where the device's self-test found them right and faster, but none on software devices.
enum class KernelSet : std::uint8_t { Auto, Exact, Fast };

// How a model is run, on any engine.
struct EngineOptions {
    unsigned threads = 0;                                     // of the CPU; 0: as many as the machine has
    std::size_t context = 0;                                  // positions of the cache; 0: those of the model
    CacheType keys = CacheType::F16, values = CacheType::F16; // of the cache
    bool scalar = false;                                      // the CPU uses its readable kernels
    std::size_t stateSnapshots = 4;                           // earlier states of recurrent layers that are kept to continue from
    std::size_t windowSlack = 512; // positions that layers with a window keep in addition; no batch is longer there

    // Layers on the GPU: the output counts as one, then the last layers, as llama.cpp counts them (-ngl). Empty: as
    // many as its memory holds. 0: none.
    std::optional<std::uint64_t> gpuLayers = {};

    KernelSet kernels = KernelSet::Auto; // of the GPU
};

} // namespace wb::infer
