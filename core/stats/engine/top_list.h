// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace wb::stats {

// The ten candidates with the largest magnitude, equal ones by index: a set that does not depend on the order of insertion, so
// every worker keeps its own list and the lists are joined at the end. Magnitudes are sort keys (sort_key.h), compared as integers.
class TopList {
public:
    static constexpr std::size_t capacity = 10;

    struct Candidate {
        std::uint64_t magnitude = 0;
        std::uint64_t index = 0;
        std::uint64_t key = 0; // of the signed value
    };

    // Whether an element with a higher index than all before it would enter the list.
    bool accepts(std::uint64_t magnitude) const { return m_size < capacity || magnitude > m_list[capacity - 1].magnitude; }

    void add(const Candidate& candidate) {
        if (m_size == capacity && !leads(candidate, m_list[capacity - 1])) return;
        if (m_size < capacity) ++m_size;
        std::size_t at = m_size - 1;
        for (; at > 0 && leads(candidate, m_list[at - 1]); --at) m_list[at] = m_list[at - 1];
        m_list[at] = candidate;
    }

    void add(const TopList& other) {
        for (const Candidate& candidate : other.list()) add(candidate);
    }

    std::span<const Candidate> list() const { return std::span(m_list).first(m_size); }

private:
    static bool leads(const Candidate& a, const Candidate& b) {
        return a.magnitude != b.magnitude ? a.magnitude > b.magnitude : a.index < b.index;
    }

    std::array<Candidate, capacity> m_list{};
    std::size_t m_size = 0;
};

} // namespace wb::stats
