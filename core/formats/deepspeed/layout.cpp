// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/layout.h"

#include "core/base/checked.h"

#include <algorithm>

namespace wb::deepspeed {
namespace {

std::unexpected<Error> outside() {
    return fail(ErrorCode::Malformed, Reason("deepspeed.outside"), WB_TEXT("it exceeds the partitions"));
}

std::unexpected<Error> tooMany() {
    return fail(ErrorCode::TooLarge, Reason("deepspeed.too_many_pieces"), WB_TEXT("the tensors consist of too many pieces"));
}

} // namespace

Result<Partitions> Partitions::make(std::uint32_t world, std::vector<std::uint64_t> groups) {
    if (world == 0) return outside();
    std::vector<std::uint64_t> starts{0};
    for (const std::uint64_t elements : groups) {
        const auto end = checked::add(starts.back(), elements);
        if (!end) return outside();
        starts.push_back(*end);
    }
    return Partitions(world, std::move(starts));
}

Result<std::vector<Slice>> Partitions::acrossRanks(std::uint64_t offset, std::uint64_t elements, std::uint64_t maxSlices) const {
    std::vector<Slice> slices;
    const std::uint64_t own = share(elements);
    const auto end = checked::add(offset, own);
    if (!end || *end > elementsPerRank()) return outside();
    std::uint64_t left = elements;
    for (std::uint32_t rank = 0; rank < m_world && left > 0; ++rank) {
        std::uint64_t count = std::min(own, left);
        left -= count;
        std::uint64_t at = offset;
        // The last group that starts at or before `at`: empty ones before it are passed over.
        auto next = std::ranges::upper_bound(m_starts, at);
        while (count > 0) {
            if (slices.size() >= maxSlices) return tooMany();
            const std::uint64_t run = std::min(count, *next - at);
            const auto group = static_cast<std::uint32_t>(next - m_starts.begin() - 1);
            slices.push_back({rank, group, at - m_starts[group], run});
            at += run;
            count -= run;
            while (next != m_starts.end() && *next <= at) ++next;
        }
    }
    return slices;
}

Result<std::vector<Slice>> Partitions::alongRanks(std::uint32_t group, std::uint64_t offset, std::uint64_t elements,
                                                  std::uint64_t maxSlices) const {
    if (group + 1 >= m_starts.size()) return outside();
    const std::uint64_t partition = m_starts[group + 1] - m_starts[group];
    const auto end = checked::add(offset, elements);
    const auto all = checked::mul(partition, m_world);
    if (!end || !all || *end > *all) return outside();
    std::vector<Slice> slices;
    while (elements > 0) {
        if (slices.size() >= maxSlices) return tooMany();
        const std::uint64_t first = offset % partition;
        const std::uint64_t run = std::min(elements, partition - first);
        slices.push_back({static_cast<std::uint32_t>(offset / partition), group, first, run});
        offset += run;
        elements -= run;
    }
    return slices;
}

} // namespace wb::deepspeed
