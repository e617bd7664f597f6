// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How DeepSpeed names the files of a checkpoint (deepspeedai/DeepSpeed: deepspeed/runtime/engine.py, _get_zero_ckpt_name,
// _get_ckpt_name; deepspeed/runtime/pipe/module.py, ckpt_layer_path).
namespace wb::deepspeed {

struct StateName {
    enum class Kind : std::uint8_t {
        Model,     // mp_rank_00_model_states.pt, zero_pp_rank_0_mp_rank_00_model_states.pt
        Optimizer, // [bf16_|fp16_]zero_pp_rank_0_mp_rank_00_optim_states.pt
        Layer,     // layer_03-model_00-model_states.pt of a pipeline
        Expert     // layer_0_expert_3_mp_rank_00_model_states.pt, expp_rank_0_mp_rank_00_optim_states.pt
    };
    Kind kind = Kind::Model;
    std::optional<std::uint32_t> rank; // of data parallelism
    std::uint32_t modelRank = 0;       // of tensor parallelism
};

// Empty for any other file. `name` is the last component of a path.
std::optional<StateName> parseStateName(std::string_view name);

// The name of the file that another rank has instead of this one.
std::string nameForRank(std::string_view name, std::uint32_t rank);

// "global_step300" and "checkpoint-300": 300.
std::optional<std::uint64_t> stepOfName(std::string_view folder);

} // namespace wb::deepspeed
