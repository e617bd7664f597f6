// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::quantized {

// The quantization in a config.json under quantization_config (huggingface/transformers:
// src/transformers/utils/quantization_config.py). Everything is a hint: the parts decide.
struct Config {
    std::string method; // quant_method; empty: not named
    std::string format; // checkpoint_format, format or version, lower case
    std::optional<std::uint64_t> bits;
    std::optional<std::uint64_t> group; // empty for -1 too: the whole row
    bool isSymmetric = true;
    std::vector<std::uint64_t> block;     // sides of FP8 blocks: rows, columns
    std::vector<std::uint64_t> groupBits; // num_bits of the config_groups of compressed-tensors
};

Config parseConfig(const Value* configJson);

} // namespace wb::quantized
