// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// What the reference converter does for each family of models, as data (ggml-org/llama.cpp v0.5.0: conversion/*.py,
// gguf-py/gguf/tensor_mapping.py; specs/conversion.md 2.6, 2.7, 2.9).
namespace wb::conversion {

// A dimension that a tensor must have, as config.json says it.
enum class Dim : std::uint8_t {
    None, // no such dimension
    Any,
    One,
    Vocabulary,
    Width,
    FeedForward,
    Queries,   // heads times head length
    KeyValues, // the same of keys and values
    HeadLength,
    Experts,
    ExpertWidth,
};

// How the elements of the new tensor come from those of its sources (specs/conversion.md 2.5).
enum class Transform : std::uint8_t {
    Copy,
    PermuteQueries, // rows of each head from halves to adjacent pairs
    PermuteKeys,    // the same with the heads of keys
    Stack,          // the experts' tensors one after another along a new first dimension
};
const char* transformName(Transform transform);

// A tensor and its bias. Names are without ".weight"; in those of layers the prefixes "model.layers.N." and "blk.N." are left out
// too, and "{}" is the number of an expert.
struct NameRule {
    std::string_view source;
    std::string_view target;
    Dim rows = Dim::Any;
    Dim columns = Dim::None; // None: one dimension
    Transform transform = Transform::Copy;
    bool required = true;
};

enum class PairKind : std::uint8_t {
    Number,      // u32
    Float,       // f32
    RopeScaling, // rope.scaling.* and rope.freq_base
    HeadLength,  // attention.key_length and .value_length, where config.json states a head length
    RopeLength,  // rope.dimension_count: the head length, stated or not
};

// A pair "<architecture>.<key>" whose value is the first of these members of config.json that is set.
struct PairRule {
    PairKind kind = PairKind::Number;
    std::string_view key;
    std::string_view members[6] = {};
    bool required = false;
};

struct ConvertFamily {
    std::span<const std::string_view> classes; // of config.json's "architectures"
    std::string_view architecture;             // general.architecture
    std::span<const NameRule> layer;           // of each layer
    std::span<const PairRule> own;             // after general.file_type
    bool permutes = false;                     // the rules Permute… hold; else they copy
    bool ignoresHeadLength = false;            // config.json's head_dim counts for nothing
    bool isLlama = false;                      // writes llama3's rope_freqs and what LlamaModel adds to the vocabulary
};

// Null for a class that the table does not have.
const ConvertFamily* familyOfClass(std::string_view modelClass);
std::span<const ConvertFamily> convertFamilies();

std::span<const NameRule> outerRules(); // of tensors outside layers, in every family
std::span<const PairRule> commonPairs();

} // namespace wb::conversion
