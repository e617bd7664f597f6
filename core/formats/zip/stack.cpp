// SPDX-License-Identifier: MIT
#include "core/formats/zip/stack.h"

#include "core/formats/zip/records.h"
#include "core/formats/zip/signs.h"
#include "core/tensor/bytes.h"

#include <algorithm>
#include <array>

namespace wb::zip {
namespace {

constexpr std::size_t maxArchives = 100'000;

// Where the archive begins that ends at `end`, by the sizes in its end record; empty: none ends there.
Result<std::optional<std::uint64_t>> archiveBegin(const io::ByteSource& source, std::uint64_t end) {
    std::array<std::byte, end64Bytes + locatorBytes + endBytes> tail{};
    if (end < tail.size()) return std::nullopt; // PyTorch always writes all three records
    WB_TRY(source.readAt(end - tail.size(), tail));
    const std::byte* const last = tail.data() + end64Bytes + locatorBytes;
    if (load<std::uint32_t>(last) != endSign || load<std::uint16_t>(last + 20) != 0) return std::nullopt;
    std::uint64_t directory = load<std::uint32_t>(last + 12), offset = load<std::uint32_t>(last + 16), position = end - endBytes;
    const bool isWide =
        load<std::uint32_t>(tail.data() + end64Bytes) == locatorSign && load<std::uint32_t>(tail.data()) == end64Sign;
    if (isWide) {
        directory = load<std::uint64_t>(tail.data() + 40);
        offset = load<std::uint64_t>(tail.data() + 48);
        position = end - tail.size();
    }
    if (directory > position || offset > position - directory) return std::nullopt;
    const std::uint64_t begin = position - directory - offset;
    std::array<std::byte, 4> head{};
    WB_TRY(source.readAt(begin, head));
    return sniff(head) ? std::optional(begin) : std::nullopt;
}

} // namespace

Result<std::vector<io::Extent>> stackedArchives(const io::ByteSource& source) {
    std::vector<io::Extent> archives;
    for (std::uint64_t end = source.size(); end > 0;) {
        WB_TRY_ASSIGN(const auto begin, archiveBegin(source, end));
        const auto extent = begin ? io::Extent::make(source.size(), *begin, end - *begin) : std::nullopt;
        if (!extent || archives.size() == maxArchives) return std::vector<io::Extent>();
        archives.push_back(*extent);
        end = *begin;
    }
    if (archives.size() < 2) return std::vector<io::Extent>();
    std::ranges::reverse(archives);
    return archives;
}

} // namespace wb::zip
