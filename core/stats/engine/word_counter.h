// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace wb::stats {

inline constexpr std::size_t wordCount = 65'536;

// How often each 16-bit word occurred, gathered from all workers. Thread-safe while it takes.
class WordTotals {
public:
    WordTotals() : m_counts(wordCount) {}

    // Adds and clears the counts.
    void take(std::vector<std::uint32_t>& counts);

    const std::vector<std::uint64_t>& counts() const { return m_counts; }

private:
    std::mutex m_mutex;
    std::vector<std::uint64_t> m_counts;
};

// One worker's counts on their way there: 32 bits wide, so that the table fits a core's second-level cache, and handed over before
// they can overflow and by finish().
class WordCounter {
public:
    explicit WordCounter(WordTotals& totals) : m_totals(&totals), m_fresh(wordCount) {}

    // Counts first[0], first[stride], first[2·stride] …, `count` words of them; the stride is 1 or 2.
    void add(const std::uint16_t* first, std::size_t count, std::size_t stride);

    void add(std::uint16_t word) {
        reserve(1);
        ++m_fresh[word];
    }

    void finish() { m_totals->take(m_fresh); }

private:
    void reserve(std::uint64_t count);

    WordTotals* m_totals;
    std::vector<std::uint32_t> m_fresh;
    std::uint64_t m_sinceTaken = 0;
};

} // namespace wb::stats
