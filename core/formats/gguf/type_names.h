// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace wb::gguf {

// What to call a tensor type that this program does not read.
struct ForeignType {
    std::string name;   // "IQ4_KS", "Q4_2 (removed)", "type 1000"
    std::string reason; // the reason why it is not supported: a fragment at the end of a sentence
};

ForeignType foreignType(std::uint32_t id);

} // namespace wb::gguf
