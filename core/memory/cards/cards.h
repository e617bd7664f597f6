// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::memory {

// One row of the table of cards (tables/cards.tsv).
struct Card {
    std::string vendor;
    std::string name;                      // without the memory
    std::uint64_t memory = 0;              // bytes as sold
    std::optional<std::uint64_t> measured; // bytes that can be allocated
    std::uint64_t bandwidth = 0;           // GB/s; 0: not known
    bool shared = false;                   // with the CPU
    std::string source;                    // of these numbers

    std::string title() const; // "RTX 4090, 24 GiB"
    // Bytes that programs may take: measured, else what the system leaves of shared memory, else everything.
    std::uint64_t allocatable() const;
};

// Those with a known memory size.
std::span<const Card> cards();

// The cards with this name, or this title, upper or lower case; with or without the vendor.
std::vector<const Card*> cardsNamed(std::string_view name);

} // namespace wb::memory
