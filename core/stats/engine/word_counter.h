// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace wb::stats {

inline constexpr std::size_t wordCount = 65'536;

// How often each 16-bit word occurred, summed over all workers. addAndClear() is thread-safe.
class WordTotals {
public:
    WordTotals() : m_counts(wordCount) {}

    // Adds the counts to the totals and sets them to 0.
    void addAndClear(std::vector<std::uint32_t>& counts);

    const std::vector<std::uint64_t>& counts() const { return m_counts; }

private:
    std::mutex m_mutex;
    std::vector<std::uint64_t> m_counts;
};

// One worker's counts: 32 bits wide, so that the table fits a core's second-level cache. They are added to the totals before they
// can overflow, and by finish().
class WordCounter {
public:
    explicit WordCounter(WordTotals& totals) : m_totals(&totals), m_fresh(wordCount) {}

    // Counts first[0], first[stride], first[2·stride] …, `count` words of them; the stride is 1 or 2.
    void add(const std::uint16_t* first, std::size_t count, std::size_t stride);

    void add(std::uint16_t word) {
        reserve(1);
        ++m_fresh[word];
    }

    void finish() { m_totals->addAndClear(m_fresh); }

private:
    void reserve(std::uint64_t count);

    WordTotals* m_totals;
    std::vector<std::uint32_t> m_fresh;
    std::uint64_t m_pending = 0;
};

} // namespace wb::stats
