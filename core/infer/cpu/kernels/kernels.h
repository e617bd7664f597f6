// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/activation.h"
#include "core/infer/cpu/kernels/activations.h"
#include "core/infer/cpu/kernels/panels.h"
#include "core/infer/engine_options.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// The kernels of the engine, as two tables of functions: the readable form, and the best form of this machine. Every function
// is thread-safe and allocates nothing. The engine checks all sizes.
namespace wb::infer::cpu {

// Panels times groups of activations. Each result is summed column by column (block by block for integer types) in the same order
// in every form, so that it does not depend on how many tokens go side by side.
struct Product {
    const std::byte* panel;       // the first panel
    std::size_t panelBytes;       // from one panel to the next
    std::size_t blocks;           // of a panel
    const std::byte* activations; // the first group
    float* out;                   // out[token * stride + row]
    std::size_t stride;
    const std::byte* end; // of the matrix: kernels may load bytes up to here before they use them
    std::size_t groups = 1;
    std::size_t groupBytes = 0; // from one group to the next
};
using Multiply = void (*)(const Product&);
inline constexpr std::size_t widePanels = 4;
inline constexpr std::size_t maxGroups = 32; // of one product

// The same group after group, by a form for one.
template <Multiply one>
void eachGroup(const Product& product) {
    Product group = product;
    group.groups = 1;
    for (std::size_t g = 0; g < product.groups; ++g) {
        one(group);
        group.activations += product.groupBytes;
        group.out += groupTokens * product.stride;
    }
}

// Positions of keys that are side by side: the cache holds a head's keys as [position / 16][dimension][16].
inline constexpr std::size_t keyTile = 16;

// Bytes of one position of one head. In Q8_0 a tile of keys holds its codes [dimension][16] and then its scales [group][16]; a
// value its codes and then its scales.
constexpr std::size_t positionBytes(CacheType type, std::size_t dimensions) {
    if (type == CacheType::Q8_0) return dimensions + 2 * cacheGroups(dimensions);
    return dimensions * (type == CacheType::F16 ? 2 : 4);
}

// Scores of up to groupTokens queries against the key tiles [firstTile, endTile): out[q * outStride + position] = scale * (query ·
// key).
struct KeyScores {
    const float* queries; // queries[q * queryStride + dimension]
    std::size_t queryStride;
    std::size_t count;
    const void* keys; // of one head
    std::size_t dimensions;
    std::size_t firstTile, endTile;
    float scale;
    float* out;
    std::size_t outStride;
};

// Sums of values weighted by probabilities, positions [first, end): out[q * outStride + dimension].
struct ValueSums {
    const float* probabilities; // probabilities[q * probabilityStride + position]
    std::size_t probabilityStride;
    std::size_t count;
    const void* values; // of one head: [position][dimensions]
    std::size_t dimensions;
    std::size_t first, end;
    float* out;
    std::size_t outStride;
    bool goesOn = false; // adds to `out`
};

// The activation of the feed-forward part: gate = act(gate) * up, or act(gate) where `up` is null. ClampedSwiglu
// needs `up`.
using Activate = void (*)(float* gate, const float* up, std::size_t count);

struct Kernels {
    const char* name;

    std::array<Multiply, panelTypes> multiply;       // one panel, one token
    std::array<Multiply, panelTypes> multiplyWide;   // widePanels panels, one token: several streams of memory at once
    std::array<Multiply, panelTypes> multiplyGroups; // one panel, 1 … maxGroups groups of groupTokens
    std::size_t groupsAtOnce; // for how many groups of an integer type a call is fastest; more would leave the cache

    // Writes token `token` of a group of `width`, in integer form; `columns` is a multiple of 32.
    void (*quantize)(const float* values, std::size_t columns, std::byte* group, std::size_t token, std::size_t width);

    // out = x * weight / sqrt(mean(x²) + epsilon). `out` may be `x`.
    void (*rmsNorm)(const float* x, const float* weight, float epsilon, std::size_t count, float* out);

    // out = (x - mean) * weight / sqrt(variance + epsilon) + bias, which may be null. `out` may be `x`.
    void (*layerNorm)(const float* x, const float* weight, const float* bias, float epsilon, std::size_t count, float* out);

    std::array<Activate, activationTypes> activate; // by Activation

    // value = cap * tanh(value / cap).
    void (*softcap)(float* values, std::size_t count, float cap);

    // sum += scale * addend.
    void (*addScaled)(float* sum, const float* addend, float scale, std::size_t count);

    // Rotates pairs (2j, 2j+1), or (j, j+pairs) where `halves`, by the angles whose cosines and sines are given.
    void (*rotate)(float* head, const float* cosines, const float* sines, std::size_t pairs, bool halves);

    void (*toF16)(const float* values, std::size_t count, std::uint16_t* out);

    std::array<void (*)(const KeyScores&), cacheTypes> scoreKeys; // by CacheType
    std::array<void (*)(const ValueSums&), cacheTypes> sumValues;

    // Softmax over positions [first, end) in place; scores[first / 16 * 16 … paddedEnd) outside become 0. paddedEnd is a multiple
    // of 16. `sink` is one more score, which takes its part of the sum and gives nothing; minus infinity: none.
    void (*softmax)(float* scores, std::size_t first, std::size_t end, std::size_t paddedEnd, float sink);
};

const Kernels& scalarKernels();

// Instructions that multiply bytes and add the products, which not every CPU with the same vectors has. A later one is better.
enum class ByteProducts : std::uint8_t {
    None,
    AvxVnni,       // 256 bits beside AVX2
    AvxVnniByEvex, // the same kernels, encoded as AVX-512 VNNI has them, for CPUs with that alone
    Avx512Vnni,
    Amx,
    DotProd, // beside NEON: sdot
    I8mm,    // usdot and usmmla
};

// Those that this CPU has with the vectors that are allowed at the time of the call, None first.
std::vector<ByteProducts> byteProducts();

// The best form of this machine within the levels that are allowed at the time of the call, and that with these products.
Kernels simdKernels();
Kernels simdKernels(ByteProducts products);

} // namespace wb::infer::cpu
