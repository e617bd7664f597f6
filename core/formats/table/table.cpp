// SPDX-License-Identifier: MIT
#include "core/formats/table/table.h"

#include <algorithm>

namespace wb::table {
namespace {

using formats::Findings;
using namespace std::string_view_literals;

constexpr std::string_view magic = "\x57\xFB\x80\x8B\x24\x75\x47\xDB"sv;
constexpr std::uint64_t footerBytes = 48;
constexpr std::uint64_t trailerBytes = 5; // compression and CRC after a block
constexpr std::uint64_t maxBlockBytes = 64 << 20;
constexpr std::uint64_t maxEntries = 16'000'000;

std::string_view bytesText(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::optional<std::uint64_t> takeVarint(std::span<const std::byte>& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = std::to_integer<std::uint64_t>(bytes.front());
        bytes = bytes.subspan(1);
        value |= (byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

std::uint32_t load32(std::span<const std::byte> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    return value;
}

struct Handle {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

std::optional<Handle> takeHandle(std::span<const std::byte>& bytes) {
    const auto offset = takeVarint(bytes), length = takeVarint(bytes);
    return offset && length ? std::optional(Handle{*offset, *length}) : std::nullopt;
}

class Reader {
public:
    using Visit = std::function<Result<void>(const Entry& entry)>;

    Reader(const io::ByteSource& source, Findings& findings, const Progress& progress)
        : m_source(source), m_findings(findings), m_progress(progress) {}

    Result<void> read(const Visit& visit) {
        std::vector<std::byte> footer(footerBytes);
        if (m_source.size() < footerBytes) return refuseFooter();
        WB_TRY(m_source.readAt(m_source.size() - footerBytes, footer));
        std::span<const std::byte> rest = footer;
        const auto meta = takeHandle(rest), index = takeHandle(rest);
        if (!meta || !index || !sniff(footer)) return refuseFooter();
        WB_TRY_ASSIGN(const auto block, readBlock(*index));
        if (!block)
            return m_findings.refuse(ErrorCode::Malformed, "table.index",
                                     WB_TEXT("{} is corrupted: the index of its table cannot be read."));
        return blockEach(*block, [&](const Entry& entry) -> Result<void> {
            std::span<const std::byte> place = entry.value;
            const auto handle = takeHandle(place);
            if (!handle) return damaged(0);
            WB_TRY_ASSIGN(const auto data, readBlock(*handle));
            return data ? blockEach(*data, visit) : damaged(handle->offset);
        });
    }

private:
    std::unexpected<Error> refuseFooter() const {
        return m_findings.refuse(ErrorCode::Malformed, "table.footer",
                                 WB_TEXT("{} is corrupted: it does not end like a TensorFlow table; download it again."));
    }

    Result<void> damaged(std::uint64_t offset) {
        return m_findings.defect(Severity::Error, "table.block", offset,
                                 WB_TEXT("{} is corrupted: a block of its table cannot be read, and its entries are missing."));
    }

    // Empty where the block is damaged.
    Result<std::optional<std::vector<std::byte>>> readBlock(Handle handle) {
        using Block = std::optional<std::vector<std::byte>>;
        if (m_progress.stop.stop_requested()) return std::unexpected(canceled());
        if (handle.bytes > maxBlockBytes || !io::Extent::make(m_source.size(), handle.offset, handle.bytes) ||
            !io::Extent::make(m_source.size(), handle.offset + handle.bytes, trailerBytes))
            return Block();
        std::vector<std::byte> bytes(handle.bytes + trailerBytes);
        WB_TRY(m_source.readAt(handle.offset, bytes));
        const auto checked = std::span(bytes).first(handle.bytes + 1);
        if (masked(crc32c(checked)) != load32(std::span(bytes).subspan(handle.bytes + 1))) return Block();
        const auto compression = std::to_integer<unsigned>(bytes[handle.bytes]);
        bytes.resize(handle.bytes);
        if (compression == 1) return unsnap(bytes, maxBlockBytes);
        return compression == 0 ? Block(std::move(bytes)) : Block();
    }

    Result<void> blockEach(const std::vector<std::byte>& block, const Visit& visit) {
        std::span<const std::byte> rest = block;
        if (rest.size() < 4) return damaged(0);
        const std::uint64_t restarts = load32(rest.subspan(rest.size() - 4));
        if (restarts > (rest.size() - 4) / 4) return damaged(0);
        rest = rest.first(rest.size() - 4 - 4 * restarts);
        std::string key;
        bool isFirst = true;
        while (!rest.empty()) {
            const auto shared = takeVarint(rest), unshared = takeVarint(rest), bytes = takeVarint(rest);
            if (!shared || !unshared || !bytes || *shared > key.size() || *unshared > rest.size() ||
                *bytes > rest.size() - *unshared)
                return damaged(0);
            const std::string before = key;
            key.resize(*shared);
            key += bytesText(rest.first(*unshared));
            if (!isFirst && key <= before) return damaged(0); // keys ascend
            isFirst = false;
            if (++m_entries > maxEntries)
                return m_findings.refuse(ErrorCode::TooLarge, "table.entries", WB_TEXT("{} contains more than {} entries."),
                                         maxEntries);
            WB_TRY(visit({key, rest.subspan(*unshared, *bytes)}));
            rest = rest.subspan(*unshared + *bytes);
        }
        return {};
    }

    const io::ByteSource& m_source;
    Findings& m_findings;
    const Progress& m_progress;
    std::uint64_t m_entries = 0;
};

} // namespace

bool sniff(std::span<const std::byte> tail) { return bytesText(tail).ends_with(magic); }

Result<void> eachEntry(const io::ByteSource& source, Findings& findings, const Progress& progress,
                       const std::function<Result<void>(const Entry& entry)>& visit) {
    return Reader(source, findings, progress).read(visit);
}

} // namespace wb::table
