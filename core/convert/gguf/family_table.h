// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// What the reference converter does for each family of models, as data (ggml-org/llama.cpp v0.5.0: conversion/*.py,
// gguf-py/gguf/tensor_mapping.py; docs/reference/conversion.md, "Names", "Recipes", "Order of pairs and tensors; name and size").
namespace wb::convert {

// A dimension that a tensor must have, as config.json says it.
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
    LayerInput,     // of Gemma's embeddings for one layer
    AllLayerInputs, // of all layers
};

// How the elements of the new tensor come from those of its sources (docs/reference/conversion.md, "Q/K permutation", "Recipes",
// "MXFP4 and NVFP4").
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
    Repack, // MXFP4 of blocks and scales in tensors of their own into those of GGUF, every row
    RepackEvenRows,
    RepackOddRows,
};
const char* transformName(Transform transform);
inline bool isRepack(Transform transform) { return transform >= Transform::Repack; }
inline bool isStack(Transform transform) { return transform == Transform::Stack || transform == Transform::StackHeads; }

// The layers that have a tensor.
enum class Layers : std::uint8_t { Every, Dense, Sparse }; // without experts, with experts

// A tensor and its bias. Names are without ".weight"; in those of layers the prefixes "model.layers.N." and "blk.N." are left out
// too, and "{}" is the number of an expert or head. A target with an ending of its own stands for one tensor, whose source is
// named whole. Several rules of one source make several tensors of it.
struct NameRule {
    std::string_view source;
    std::string_view target;
    Dim rows = Dim::Any;
    Dim columns = Dim::None; // None: one dimension
    Transform transform = Transform::Copy;
    bool required = true;
    Layers layers = Layers::Every;
    Dim matrices = Dim::None; // None: a single matrix

    bool isWhole() const { return target.ends_with(".weight") || target.ends_with(".bias"); }
};

enum class PairKind : std::uint8_t {
    Number, // u32
    Float,  // f32
    Truth,
    Text,           // PairRule::text
    RopeScaling,    // rope.scaling.*, rope.freq_base and rope.freq_base_swa
    RopeBase,       // rope.freq_base alone
    RopeFloat,      // f32, of the members of rope_parameters or rope_scaling
    HeadLength,     // attention.key_length and .value_length, where config.json states a head length
    RopeLength,     // rope.dimension_count: the head length, stated or not
    RopePart,       // the same times the part of it that is rotated; without members all of it is
    LongRopeFactor, // rope.scaling.attn_factor of LongRope
    FourWidths,     // four times the width
    BlockCount,     // with the layers that predict ahead
    WindowPattern,  // whether each layer has a window, where config.json states one
    // Of Gemma 4, whose layers differ: lengths of heads without and with a window, the same of rotation, feed-forward lengths and
    // heads of keys where the layers' are not alike.
    HeadLengthsByWindow,
    RopeLengthsByWindow,
    FeedForwardByLayer,
    KeyHeadsByLayer,
};

// A pair "<architecture>.<key>", or "tokenizer.…" as it stands, whose value is the first of these members of config.json that is
// set, else the fallback.
struct PairRule {
    PairKind kind = PairKind::Number;
    std::string_view key;
    std::string_view members[6] = {};
    bool required = false;
    std::optional<double> fallback = {};
    std::string_view text = {};
};

// A special token that is known by its text among the added ones; `name` as in "eot_token_id".
struct ExtraToken {
    std::string_view name;
    std::string_view text;
};

enum class VocabularyKind : std::uint8_t { Usual, Gemma4 };

std::span<const NameRule> usualOuterRules();
std::span<const PairRule> usualPairs();

struct ConvertFamily {
    std::span<const std::string_view> classes;           // of config.json's "architectures"
    std::string_view architecture;                       // general.architecture
    std::span<const NameRule> layer;                     // of each layer
    std::span<const PairRule> own;                       // after general.file_type
    std::span<const NameRule> outer = usualOuterRules(); // of tensors outside layers
    std::span<const PairRule> first = usualPairs();      // before general.file_type
    std::span<const PairRule> tokenizer = {};            // after the vocabulary
    std::span<const ExtraToken> tokens = {};
    std::string_view layerPrefix = "model.layers.";
    VocabularyKind vocabulary = VocabularyKind::Usual;
    bool permutes = false;          // the rules Permute… hold; else they copy
    bool ignoresHeadLength = false; // config.json's head_dim counts for nothing
    bool isLlama = false;           // has what LlamaModel adds to the vocabulary, and llama3's rope_freqs
    bool hasLlama3 = false;         // only the latter
    bool dropsHead = false;         // lm_head is the embedding, whatever stands in the folder
};

// Null for a class that the table does not have.
const ConvertFamily* familyOfClass(std::string_view modelClass);
std::span<const ConvertFamily> convertFamilies();

} // namespace wb::convert
