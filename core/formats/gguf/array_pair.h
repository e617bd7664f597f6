// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/writer.h"

#include <span>

// Pairs whose value is an array, as a vocabulary has them.
namespace wb::gguf {

StoredPair makeArrayPair(std::string_view key, std::span<const std::string> texts);
StoredPair makeArrayPair(std::string_view key, std::span<const float> numbers);
StoredPair makeArrayPair(std::string_view key, std::span<const std::int32_t> numbers);
StoredPair makeArrayPair(std::string_view key, std::span<const std::uint64_t> numbers);
StoredPair makeArrayPair(std::string_view key, const std::vector<bool>& truths);

} // namespace wb::gguf
