// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::arch {

// Takes the first component off a dotted name and leaves the rest.
std::string_view takeComponent(std::string_view& rest);

// The number a component consists of, if it is one of at most nine digits.
std::optional<std::uint32_t> numberIn(std::string_view component);

// Whether the component describes the storage of a tensor, not its role: weight, bias, scales, lora_A …
bool isStorageWord(std::string_view component);

// The component without a suffix about its storage: "down_proj_blocks" → "down_proj".
std::string_view withoutStorageEnding(std::string_view component);

} // namespace wb::arch
