// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/usual_rules.h"

#include <span>

// How a Hugging Face folder stores a model of a family, as data: what the reference converter does in one direction and what
// restoring a folder does in the other (ggml-org/llama.cpp v0.5.0: conversion/*.py, gguf-py/gguf/tensor_mapping.py;
// huggingface/transformers 5: models/*/configuration_*.py).
namespace wb::arch {

// A special token, found by its text among the added ones; `name` as in "eot_token_id".
struct ExtraToken {
    std::string_view name;
    std::string_view text;
};

// ScoredBpe: merges and scores, text is not cut before merging (tokenizer.ggml.model "gemma4").
enum class VocabularyKind : std::uint8_t { Usual, ScoredBpe };

// A member of config.json and its value as JSON.
struct MemberValue {
    std::string_view member, json;
};

// The member that today's folders have if the rule of a key lists several.
struct MemberName {
    std::string_view key, member;
};

// The folders of some classes. A family has several such rows if its classes differ.
struct FolderRules {
    std::string_view classes[3] = {}; // of config.json's "architectures"; the first one is written when a folder is restored

    // Folder to GGUF, and back.
    std::span<const TensorRule> layer = {};           // tensors of each layer
    std::span<const TensorRule> outer = usual::outer; // tensors outside layers
    std::span<const KeyRule> keys = usual::keys;      // before general.file_type
    std::span<const KeyRule> ownKeys = {};            // after general.file_type
    std::span<const KeyRule> tokenizerKeys = {};      // after the vocabulary
    std::span<const ExtraToken> tokens = {};
    std::string_view layerPrefix = "model.layers.";
    std::string_view outerPrefix = ""; // of all names; folders may omit it
    // Of the layers that predict ahead ("mtp.": "mtp.layers.0." …) and of the tensors around them, whose rules are among those of
    // layers, with this prefix.
    std::string_view predictionPrefix = "";
    bool dropsPrediction = false; // these are omitted
    // The rope_type whose factors the converter stores as rope_freqs.weight, or as keys of the family's own.
    std::string_view tensorRopeType = "";
    VocabularyKind vocabulary = VocabularyKind::Usual;
    bool permutes = false;           // the transforms Permute… are done; else they copy
    bool ignoresHeadLength = false;  // config.json's head_dim is ignored
    bool sentencePieceHints = false; // tokens for infilling by the size of the vocabulary, add_space_prefix, and vocabularies
                                     // of tokenizer.json without scores
    bool dropsHead = false;          // lm_head.weight of the folder is dropped: the embedding is the output matrix

    // GGUF to folder.
    std::string_view markTensor = "", markKey = ""; // only files of these classes have it; the key is without the architecture
    std::string_view modelType = "";                // "model_type" of the first class
    std::string_view activation = "silu", activationKey = "hidden_act";
    std::string_view biasMembers[2] = {"attention_bias"}; // whether the projections of attention have biases
    MemberName members[6] = {};
    MemberValue guess = {};                             // what only the class knows
    bool writesScoreScalar = false;                     // query_pre_attn_scalar, by the length of a head
    std::string_view tokenizerClass = "LlamaTokenizer"; // of a SentencePiece vocabulary
};

} // namespace wb::arch
