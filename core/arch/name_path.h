// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wb::arch {

// The components of a dotted tensor name, in order.
std::vector<std::string_view> components(std::string_view tensorName);

// The number a component consists of, if it is one of at most nine digits.
std::optional<std::uint32_t> numberIn(std::string_view component);

// Whether the component says how a tensor is stored rather than what it is for: weight, bias, scales, lora_A …
bool isStorageWord(std::string_view component);

// The component without an ending that only says how it is stored: "down_proj_blocks" → "down_proj".
std::string_view withoutStorageEnding(std::string_view component);

} // namespace wb::arch
