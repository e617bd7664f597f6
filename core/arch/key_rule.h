// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::arch {

enum class KeyKind : std::uint8_t {
    Number, // u32
    Float,  // f32
    Truth,
    Text,           // KeyRule::text
    RopeScaling,    // rope.scaling.*, rope.dimension_sections, rope.freq_base and rope.freq_base_swa
    RopeSections,   // rope.dimension_sections of KeyRule::text ("11 11 10 0"), if config.json states none
    RopeBase,       // rope.freq_base alone
    RopeFloat,      // f32, of the members of rope_parameters or rope_scaling
    HeadLength,     // attention.key_length and .value_length, if config.json states a head length
    RopeLength,     // rope.dimension_count: the head length, stated or not
    RopePart,       // the same times the rotated part, 1 without members
    LongRopeFactor, // rope.scaling.attn_factor of LongRope
    FourWidths,     // four times the width
    BlockCount,     // with the layers that predict ahead
    Gating,         // expert_gating_func, if config.json names a function
    NestedCount,    // the length of the list that the object of the first member has under the second
    Prediction,     // the number of these, if there are any
    SharedWidth,    // of all shared experts together, if there are any
    WindowPattern,  // whether each layer has a window, if config.json states one
    // Of models whose layers differ: lengths of heads without and with a window, the same of rotation, feed-forward lengths and
    // heads of keys if the layers' are not alike.
    HeadLengthsByWindow,
    RopeLengthsByWindow,
    FeedForwardByLayer,
    KeyHeadsByLayer,
    // Of latent attention: lengths of a cached key and value, and of those of a head; of the former the keys alone.
    LatentLengths,
    LatentKeyLengths,
    // Of models with recurrent layers: whether each layer recurs, and the length of all value heads together.
    RecurrentByLayer,
    InnerLength,
    StateRotation, // false if a layer recurs, and such a model has no end of its context: 2^20 is written
    // Rotation by a base that grows with "alpha", for the context that such models are said to reach: rope.freq_base,
    // rope.scaling.* and context_length.
    AlphaRope,
    NestedNumber,   // u32, of the object of the first member under the second
    IndexerByLayer, // whether each layer has its own indexer, which selects tokens to attend to
    RatioByLayer,   // how many of such tokens are one block, 0 of layers that recur
    LayerNumbers,   // i32s, of a list of layers that counts them from 1
    NgramWidth,     // u32, of an embedding: the first member by those of all heads of n-grams (number of heads; largest n)
    StoredNumbers,  // u64s, of the tensor whose name ends in KeyRule::text
};

// A key "<architecture>.<key>", or "tokenizer.…" as written, whose value is the first of these members of config.json that is set,
// else the fallback.
struct KeyRule {
    KeyKind kind = KeyKind::Number;
    std::string_view key;
    std::string_view members[6] = {};
    bool required = false;
    std::optional<double> fallback = {};
    std::string_view text = {};
};

} // namespace wb::arch
