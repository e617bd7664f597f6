// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace wb::arch {

// A dimension that a tensor must have, by the numbers of config.json.
enum class Dim : std::uint8_t {
    None, // no such dimension
    Any,
    One,
    Vocabulary,
    Width,
    FeedForward,
    GateAndUp, // two of these
    Queries,   // heads times head length
    KeyValues, // the same of keys and values
    QueriesKeysValues,
    HeadLength,
    Heads,
    Experts,
    ExpertWidth,
    GateAndUpOfExpert,
    QueriesAndGates, // two numbers for each of the queries
    ExpertInput,     // of one expert: the width, or the narrower one that experts work in
    // Of recurrent layers: channels that are convolved, the same and the gates, the same and the steps, values of all heads, value
    // heads, two of these, length of a value head, columns of the convolution.
    Mixed,
    MixedAndGates,
    MixedGatesAndSteps,
    Inner,
    ValueHeads,
    TwoValueHeads,
    ValueLength,
    Taps,
    // Of layers with a decay for each channel: all heads, and one of them.
    ChannelHeads,
    ChannelLength,
    // Of latent attention: ranks of queries, of keys and values, the latter with the rotated part; all heads of queries, of keys
    // without the rotated part and values, of values alone.
    QueryRank,
    KeyValueRank,
    LatentAndRotated,
    LatentQueries,
    LatentKeysValues,
    LatentValues,
    LayerInput,     // of the embeddings for one layer (embedding_length_per_layer_input)
    AllLayerInputs, // of all layers
};

// How the elements of the new tensor come from those of its sources.
enum class Transform : std::uint8_t {
    Copy,
    PermuteQueries,      // rows of each head from halves to adjacent pairs
    PermuteKeys,         // the same with the heads of keys
    Stack,               // the experts' tensors one after another along a new first dimension
    StackHeads,          // the same of tensors for each head
    AddOne,              // every value plus one
    NegateExp,           // every value x as -e^x
    NegateExpColumn,     // the same, as a matrix of one column
    JoinShards,          // the numbered tensors one after another along the rows
    AsPair,              // no tensor: the numbers are those of a pair (KeyKind::StoredNumbers)
    Transpose,           // rows become columns
    Squeeze,             // without the axes of length 1
    Column,              // a vector as a matrix of one column
    ByGroup,             // a vector as a matrix of a row for each group of the recurrence
    LatentKeys,          // of each head the rows of keys, transposed: [heads, rank, keys]
    LatentValues,        // of each head the rows of values: [heads, values, rank]
    TransposeEach,       // of every matrix rows become columns
    TransposedFirstHalf, // the same, and the halves of the rows then
    TransposedSecondHalf,
    LeadingAxis,    // with an axis of length 1 before the first
    IndexerQueries, // of the rows of the indexer those of its queries …
    IndexerKeys,    // … and those of its keys
    CutRows,        // without the rows beyond the vocabulary
    FirstHalf,      // of the rows of every matrix
    SecondHalf,
    EvenColumns,
    OddColumns,
    Repack, // MXFP4 from separate tensors of blocks and scales, every row
    RepackEvenRows,
    RepackOddRows,
};

// In which order the rows of a source are taken. Value heads of recurrent layers are stored one key head after another; tiled, the
// first value head of every key head comes first, then the second ones.
enum class RowOrder : std::uint8_t {
    Stored,
    TileHeads,   // all rows are those of value heads
    TileMixed,   // the rows behind those of queries and keys are
    TileColumns, // not the rows but the columns are those of value heads
    TakeMixed,   // of the queries, keys, values and gates of each key head: all queries, all keys, all values …
    TakeGates,   // … and all gates
};

// The layers that have a tensor: with a feed-forward part that has no experts, with experts; that attend, that recur.
enum class LayerKind : std::uint8_t { Every, Dense, Sparse, Attending, Recurrent };

// A tensor and its bias. Names are without ".weight"; in those of layers the prefixes (FolderRules::layerPrefix with the number,
// and "blk.N.") are omitted too, and "{}" is the number of an expert or head. A target that ends in ".weight"
// or ".bias" is one tensor, whose source is a whole name too. Several rules of one source make several tensors of it.
struct TensorRule {
    std::string_view source; // of the folder
    std::string_view target; // of GGUF
    Dim rows = Dim::Any;
    Dim columns = Dim::None; // None: one dimension
    Transform transform = Transform::Copy;
    bool required = true;
    LayerKind layers = LayerKind::Every;
    Dim matrices = Dim::None; // None: a single matrix
    RowOrder order = RowOrder::Stored;
    bool isNamed = false;   // both names are complete, whatever they end in
    Dim stacks = Dim::None; // of matrices: the outermost of four dimensions
    bool isOuter = false;   // the target is outside layers, whatever the source is

    bool isWhole() const { return isNamed || target.ends_with(".weight") || target.ends_with(".bias"); }
};

} // namespace wb::arch
