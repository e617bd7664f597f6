// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/family.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace wb::quant {

// How quantization types classify tensors (docs/reference/gguf.md, "Order of decision for one tensor").
enum class Category : std::uint8_t { Output, TokenEmbedding, Qkv, KvB, V, K, Q, O, Up, Gate, Down, Other };
Category tensorCategory(std::string_view name);

// Whether the name of a tensor contains one of these parts.
bool containsOneOf(std::string_view name, std::span<const std::string_view> parts);

// Names that are never requantized in a model of the family with these rules, whatever their shape (8.2).
bool isNeverQuantized(std::string_view name, const arch::MixRules& rules);

} // namespace wb::quant
