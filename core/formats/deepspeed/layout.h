// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <vector>

// How ZeRO divides parameters over ranks (deepspeedai/DeepSpeed: deepspeed/utils/zero_to_fp32.py; docs/reference/formats.md,
// "DeepSpeed ZeRO"). Arithmetic alone: no files, and every number may be hostile.
namespace wb::deepspeed {

// Consecutive elements of a parameter in a flat group of a rank.
struct Slice {
    std::uint32_t rank = 0;
    std::uint32_t group = 0;
    std::uint64_t first = 0; // element of the group
    std::uint64_t count = 0;

    friend bool operator==(const Slice&, const Slice&) = default;
};

// The flat groups of every rank: the same number with the same sizes in each, as DeepSpeed pads them.
class Partitions {
public:
    // `groups`: elements of each flat group of one rank. Malformed where world is 0 or the sum does not fit 64 bits.
    static Result<Partitions> make(std::uint32_t world, std::vector<std::uint64_t> groups);

    std::uint32_t world() const { return m_world; }
    std::uint64_t elementsPerRank() const { return m_starts.back(); }

    // ZeRO-3: each rank has ceil(elements / world) elements of the parameter at the same `offset` of its groups, which count as one
    // run. The slices in the order of the parameter's elements.
    Result<std::vector<Slice>> acrossRanks(std::uint64_t offset, std::uint64_t elements, std::uint64_t maxSlices) const;

    // ZeRO-1 and 2: `group` of all ranks, one after the other, is one run in which the parameter starts at `offset`.
    Result<std::vector<Slice>> alongRanks(std::uint32_t group, std::uint64_t offset, std::uint64_t elements,
                                          std::uint64_t maxSlices) const;

    // The elements that a rank has of a parameter of ZeRO-3.
    std::uint64_t share(std::uint64_t elements) const { return elements / m_world + (elements % m_world != 0 ? 1 : 0); }

private:
    Partitions(std::uint32_t world, std::vector<std::uint64_t> starts) : m_world(world), m_starts(std::move(starts)) {}

    std::uint32_t m_world;
    std::vector<std::uint64_t> m_starts; // of each group in a rank's run, and the end of the last
};

} // namespace wb::deepspeed
