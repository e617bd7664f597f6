// SPDX-License-Identifier: MIT
#include "core/stats/engine/word_counter.h"

#include <limits>

namespace wb::stats {
namespace {

// Keeps the address of a count in a register. What limits the counting is the computation of addresses: x86 has a third port for
// it that serves stores, but only those whose address is not the sum of two registers.
inline std::uint32_t* plainAddress(std::uint32_t* count) {
#ifdef __GNUC__
    asm("" : "+r"(count));
#endif
    return count;
}

// Four words a round; the stride is a constant here, so that the loads need no multiplication.
template <std::size_t Stride>
void countWords(std::uint32_t* table, const std::uint16_t* word, std::size_t count) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4, word += 4 * Stride) {
        std::uint32_t* a = plainAddress(table + word[0]);
        std::uint32_t* b = plainAddress(table + word[Stride]);
        std::uint32_t* c = plainAddress(table + word[2 * Stride]);
        std::uint32_t* d = plainAddress(table + word[3 * Stride]);
        ++*a;
        ++*b;
        ++*c;
        ++*d;
    }
    for (; i < count; ++i, word += Stride) ++table[*word];
}

} // namespace

void WordTotals::addAndClear(std::vector<std::uint32_t>& counts) {
    const std::lock_guard lock(m_mutex);
    for (std::size_t word = 0; word < wordCount; ++word) {
        m_counts[word] += counts[word];
        counts[word] = 0;
    }
}

void WordCounter::add(const std::uint16_t* first, std::size_t count, std::size_t stride) {
    reserve(count);
    if (stride == 1) countWords<1>(m_fresh.data(), first, count);
    else countWords<2>(m_fresh.data(), first, count);
}

void WordCounter::reserve(std::uint64_t count) {
    if (m_pending + count > std::numeric_limits<std::uint32_t>::max()) {
        m_totals->addAndClear(m_fresh);
        m_pending = 0;
    }
    m_pending += count;
}

} // namespace wb::stats
