// SPDX-License-Identifier: MIT
#include "core/formats/gguf/header.h"

#include "core/formats/gguf/gguf.h"

namespace wb::gguf {
namespace {

constexpr std::uint64_t versionPosition = 4;

Result<void> readVersion(io::Cursor& cursor, Header& header, Findings& findings) {
    WB_TRY_ASSIGN(std::uint32_t version, cursor.read<std::uint32_t>());
    // The reference reader's own test: a small number in the other byte order has its low half empty.
    header.bigEndian = version != 0 && (version & 0xFFFF) == 0;
    if (header.bigEndian) version = std::byteswap(version);
    if (version == 0)
        return findings.refuse(ErrorCode::Malformed, Reason("gguf.version_0"),
                               WB_TEXT("{} declares GGUF version 0, which does not exist; download it again."));
    if (version > 3)
        return findings.refuse(ErrorCode::Unsupported, Reason("gguf.version_unknown"),
                               WB_TEXT("{} uses GGUF version {}; Weighbridge supports versions 1 to 3."), version);
    header.version = version;
    if (header.bigEndian)
        WB_TRY(findings.defect(Severity::Warning, "gguf.big_endian", versionPosition,
                               WB_TEXT("{} is big-endian, but this machine is little-endian; get the little-endian file.")));
    if (version == 1)
        WB_TRY(findings.defect(Severity::Warning, "gguf.version_1", versionPosition,
                               WB_TEXT("{} uses GGUF version 1, which loaders no longer read; get a newer conversion.")));
    cursor.setBigEndian(header.bigEndian);
    return {};
}

Result<void> checkCounts(const io::Cursor& cursor, const Header& header, const formats::Limits& limits, const Findings& findings) {
    if (!cursor.canHold(header.pairCount, header.minimumPairBytes()))
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.pair_count"),
                               WB_TEXT("{} declares {} metadata entries, which do not fit in its {} bytes; download it again."),
                               header.pairCount, cursor.size());
    if (header.tensorCount > limits.tensorsPerFile || !cursor.canHold(header.tensorCount, header.minimumTensorBytes()))
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.tensor_count"),
                               WB_TEXT("{} declares {} tensors, which do not fit in its {} bytes; download it again."),
                               header.tensorCount, cursor.size());
    return {};
}

} // namespace

bool sniff(std::span<const std::byte> head) { return head.size() >= 4 && std::memcmp(head.data(), "GGUF", 4) == 0; }

Result<std::uint64_t> readLength(io::Cursor& cursor, const Header& header) {
    if (header.wide()) return cursor.read<std::uint64_t>();
    WB_TRY_ASSIGN(const std::uint32_t length, cursor.read<std::uint32_t>());
    return length;
}

Result<Header> readHeader(io::Cursor& cursor, const formats::Limits& limits, Findings& findings) {
    std::array<std::byte, 4> magic{};
    if (cursor.size() >= magic.size()) WB_TRY(cursor.read(magic));
    if (!sniff(magic))
        return findings.refuse(ErrorCode::Unknown, Reason("gguf.magic"),
                               WB_TEXT("{} is not a GGUF file: it does not start with the letters GGUF."));
    Header header;
    WB_TRY(readVersion(cursor, header, findings));
    WB_TRY_ASSIGN(header.tensorCount, readLength(cursor, header));
    WB_TRY_ASSIGN(header.pairCount, readLength(cursor, header));
    WB_TRY(checkCounts(cursor, header, limits, findings));
    return header;
}

} // namespace wb::gguf
