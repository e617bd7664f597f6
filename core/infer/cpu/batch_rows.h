// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/inputs.h"
#include "core/infer/cpu/routing.h"
#include "core/infer/cpu/kernels/rows.h"
#include "core/infer/graph/graph.h"

namespace wb::infer::cpu {

inline constexpr std::size_t batchTokens = 256;
inline constexpr std::size_t indexedAtOnce = 256; // keys that an indexer scores together

// The widest rows of a graph's operations.
struct Widths {
    std::size_t queries = 0, keys = 0, values = 0, attended = 0; // of all heads
    std::size_t mixed = 0;
    std::size_t hidden = 0, columns = 0; // `columns`: of any matrix
    std::size_t valueLength = 0;         // of a head
    std::size_t layerInputs = 0;         // of all layers together
    std::size_t experts = 0, used = 0, expertHidden = 0;
    std::size_t deltaKeys = 0;  // of a head of the delta rule
    std::size_t compressed = 0; // queries of latent attention
    std::size_t sum = 0;
    std::size_t streams = 0, streamRank = 0, streamCount = 0; // `streams`: of all together
    std::size_t ngrams = 0;
    std::size_t indexQueries = 0, indexKeys = 0, indexHeads = 0; // `indexQueries`: of all heads
    std::size_t selected = 0;                                    // tokens that a token sees at most, where an indexer selects them
};
Widths measureWidths(const Graph& graph);

// State shared by the workers for one batch of T tokens, at most batchTokens. Members are written between two barriers by one
// worker each, or by all in disjoint parts.
struct BatchRows {
    Rows x;            // [T][width]: the residual stream
    Rows queries;      // [T][heads * keyLength]
    Rows keys, values; // [T][kvHeads * length], until they are in the cache
    Rows mixed;        // [T][numbers]: of ProjectOp, or queries with gates
    Rows compressed;   // [T][rank of queries]: of latent attention
    Rows attended;     // [T][heads * valueLength]
    Rows hidden;       // [T][inner]
    Rows branch;       // [T][width]: added to x after a norm; x after the norm of experts
    Rows layerInputs;  // [T][layers * each]
    Rows layerTable;   // [T][layers * each]: rows of LayerInputsOp::table
    Rows sum;          // [T][width]
    Inputs inputs;     // [T][columns]: what matrices multiply, where there are several tokens

    Rows streams;       // [T][streams * width]
    Rows normedStreams; // [T][streams * width]: or keys of n-grams
    Rows streamRank;    // [T][rank]
    Rows injection;     // [T][streams]
    Rows ngrams;        // [T][heads * length]

    Rows indexQueries, indexKeys, indexWeights; // [T][heads * length], [T][length], [T][heads]
    Numbers<std::uint32_t> selected;            // [T][selectedStride] positions, in order
    Numbers<std::uint32_t> selectedCount;       // [T]; 0: all
    std::size_t selectedStride = 0;

    Rows routerLogits;   // [T][experts]
    Routing routing;     // P pairs of a token and one of its experts
    Rows expertHidden;   // [P][inner]
    Rows expertOut;      // [P][width]
    Inputs expertInputs; // [P][width or inner]

    std::vector<Rows> cosines, sines; // of each rope: [T][pairs]
    Numbers<float> ones;              // [valueLength]: weights of norms without any

    void plan(CpuMemory& memory, const Graph& graph, const Widths& widths, std::size_t context);
    void clear() const;

private:
    void planStreams(CpuMemory& memory, const Widths& widths);
    void planIndex(CpuMemory& memory, const Widths& widths, std::size_t context);
};

// What each worker has for itself.
struct Scratch {
    Inputs single;                     // [1][columns]: what matrices multiply, where there is one token
    Numbers<float> row;                // [columns]: a row after a norm
    Numbers<float> scores;             // [groupTokens][scoreStride]
    Numbers<float> selection;          // [experts]
    Numbers<std::uint32_t> order;      // [experts]
    Numbers<float> unitQuery, unitKey; // [keyLength] of the delta rule
    Numbers<float> headScores;         // [indexHeads][indexedAtOnce]
    Numbers<float> indexScores;        // [positions of a cache]
    Numbers<std::uint32_t> indexOrder; // [positions of a cache]

    void plan(CpuMemory& memory, const Widths& widths, std::size_t context);
};

} // namespace wb::infer::cpu
