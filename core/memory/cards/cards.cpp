// SPDX-License-Identifier: MIT
#include "core/memory/cards/cards.h"

#include "core/base/ascii.h"
#include "core/memory/cards_table.h"
#include "core/memory/table.h"

#include <fmt/format.h>

namespace wb::memory {
namespace {

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t gib = 1 << 30;

// Boards and Apple's machines have GiB; the memory of servers' cards above 100 is sold in GB.
std::uint64_t rowUnit(const TableRow& row) { return row.text(0) == "NVIDIA" && row.number(2) == 141 ? 1'000'000'000 : gib; }

Card rowCard(const TableRow& row) {
    Card card;
    card.vendor = row.text(0);
    card.name = row.text(1);
    card.memory = row.number(2) * rowUnit(row);
    if (row.number(4) > 0) card.measured = row.number(4) * mib;
    card.bandwidth = row.number(5);
    card.shared = row.text(6) == "yes";
    card.source = row.text(7);
    return card;
}

} // namespace

std::string Card::title() const {
    const bool isDecimal = memory % gib != 0;
    return fmt::format("{}, {} {}", name, memory / (isDecimal ? 1'000'000'000 : gib), isDecimal ? "GB" : "GiB");
}

// The shares of shared memory are assumptions until they are measured (docs/reference/memory.md, "Cards").
std::uint64_t Card::allocatable() const {
    if (measured) return *measured;
    if (!shared || vendor == "NVIDIA") return memory;
    return vendor == "Apple" && memory <= 32 * gib ? memory / 3 * 2 : memory / 4 * 3;
}

std::span<const Card> cards() {
    static const std::vector<Card> all = [] {
        std::vector<Card> read;
        for (const TableRow& row : tableRows(cardsTable))
            if (Card card = rowCard(row); card.memory > 0) read.push_back(std::move(card));
        return read;
    }();
    return all;
}

std::vector<const Card*> cardsNamed(std::string_view name) {
    std::vector<const Card*> found;
    for (const Card& card : cards()) {
        const std::string full = card.vendor + " " + card.name;
        if (ascii::same(name, card.name) || ascii::same(name, full) || ascii::same(name, card.title())) found.push_back(&card);
    }
    return found;
}

} // namespace wb::memory
