// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// How Megatron divides and names parameters (NVIDIA/Megatron-LM: megatron/core/tensor_parallel/layers.py,
// megatron/core/transformer).
namespace wb::megatron {

// How the ranks of tensor parallelism share a parameter.
enum class Division : std::uint8_t {
    Replicated, // every rank has a copy
    Rows,       // one after the other along the first axis
    Columns,    // along the second axis
    GatedRows   // along the first axis, of which each rank has a part of the gate and then a part of the other half
};

// By the end of the name. `isGated`: the activation has a gate (SwiGLU), so that linear_fc1 is two projections.
Division tensorDivision(std::string_view name, bool isGated);

// The folder of a rank: "mp_rank_01", "mp_rank_01_002", "mp_rank_01_002_003".
struct RankName {
    std::uint32_t tensor = 0;
    std::optional<std::uint32_t> second; // pipeline, or where there is no pipeline the expert rank
    std::optional<std::uint32_t> third;  // expert rank
};
std::optional<RankName> parseRankName(std::string_view folder);
std::string rankName(std::uint32_t tensor, std::optional<std::uint32_t> pipeline);

// "decoder.layers.3.mlp.linear_fc1.weight" with `shift` 4: "decoder.layers.7.mlp.linear_fc1.weight". Other names stay.
std::string shiftedLayer(std::string_view name, std::uint64_t shift);

} // namespace wb::megatron
