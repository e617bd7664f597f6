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
    LayerInput,     // of the embeddings for one layer (embedding_length_per_layer_input)
    AllLayerInputs, // of all layers
};

// How the elements of the new tensor come from those of its sources.
enum class Transform : std::uint8_t {
    Copy,
    PermuteQueries, // rows of each head from halves to adjacent pairs
    PermuteKeys,    // the same with the heads of keys
    Stack,          // the experts' tensors one after another along a new first dimension
    StackHeads,     // the same of tensors for each head
    AddOne,         // every value plus one
    Transpose,      // rows become columns
    CutRows,        // without the rows beyond the vocabulary
    FirstHalf,      // of the rows of every matrix
    SecondHalf,
    EvenColumns,
    OddColumns,
    Repack, // MXFP4 from separate tensors of blocks and scales, every row
    RepackEvenRows,
    RepackOddRows,
};

// The layers that have a tensor.
enum class LayerKind : std::uint8_t { Every, Dense, Sparse }; // without experts, with experts

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

    bool isWhole() const { return target.ends_with(".weight") || target.ends_with(".bias"); }
};

} // namespace wb::arch
