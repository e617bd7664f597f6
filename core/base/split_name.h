// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

// How GGUF and Hugging Face name the files of one model: "<stem>-00002-of-00005" before the extension.
struct SplitName {
    std::string_view stem;    // part of the text that was read
    std::uint64_t number = 0; // from 1 on in well-formed sets
    std::uint64_t count = 0;
};

// Takes such a name, without its extension, apart; empty where it does not end so.
std::optional<SplitName> parseSplitName(std::string_view name);

// "-00002-of-00005"; `number` counts from 1.
std::string splitSuffix(std::uint64_t number, std::uint64_t count);

} // namespace wb
