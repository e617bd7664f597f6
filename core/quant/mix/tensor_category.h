// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace wb::quant {

// What the mixes tell tensors apart by (docs/reference/gguf.md, "Order of decision for one tensor").
enum class Category : std::uint8_t { Output, TokenEmbedding, Qkv, KvB, V, K, Q, O, Up, Gate, Down, Other };
Category categoryOf(std::string_view name);

// Names that are never requantized in a model of this architecture, whatever their shape (8.2).
bool isNeverQuantized(std::string_view name, std::string_view architecture);

} // namespace wb::quant
