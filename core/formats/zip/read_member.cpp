// SPDX-License-Identifier: MIT
#include "core/formats/zip/inflater.h"
#include "core/formats/zip/records.h"

#include <algorithm>

namespace wb::zip {
namespace {

constexpr std::uint64_t slabBytes = 64 << 10;

// A member of more than this many bytes may not be more than so many times as long as its data: a bomb.
constexpr std::uint64_t bombBytes = 256ull << 20;
constexpr std::uint64_t bombRatio = 100;

std::unexpected<Error> cannotUnpack(const Member& member, const Findings& findings) {
    return findings.refuse(ErrorCode::Malformed, Reason("zip.cannot_unpack"),
                           WB_TEXT("{}: the entry {} cannot be decompressed; its data is corrupted."), shown(member.name));
}

// Unpacks one slab of input onto the end of `out`, which never becomes longer than the directory says. True at the end of the data.
Result<bool> inflateSlab(z_stream& stream, std::span<std::byte> slab, const Member& member, std::vector<std::byte>& out,
                         const Findings& findings) {
    stream.next_in = reinterpret_cast<Bytef*>(slab.data());
    stream.avail_in = static_cast<uInt>(slab.size());
    std::byte beyond{}; // one byte more than declared shows that there is more
    while (true) {
        const std::uint64_t room = std::min(slabBytes * 4, member.bytes - out.size());
        const std::size_t before = out.size();
        out.resize(before + room);
        stream.next_out = reinterpret_cast<Bytef*>(room == 0 ? &beyond : out.data() + before);
        stream.avail_out = static_cast<uInt>(room == 0 ? 1 : room);
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        if (room == 0 && stream.avail_out == 0) return cannotUnpack(member, findings);
        if (room > 0) out.resize(before + room - stream.avail_out);
        if (status == Z_STREAM_END) return true;
        if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_in == 0 && stream.avail_out > 0)) return false;
        if (status != Z_OK) return cannotUnpack(member, findings);
    }
}

Result<std::vector<std::byte>> inflateMember(const io::ByteSource& source, const Member& member, const Findings& findings) {
    WB_TRY_ASSIGN(const Inflater inflater, makeInflater());
    std::vector<std::byte> out;
    std::vector<std::byte> slab;
    bool isEnd = false;
    for (std::uint64_t done = 0; done < member.packedBytes && !isEnd; done += slab.size()) {
        slab.resize(std::min(slabBytes, member.packedBytes - done));
        WB_TRY(source.readAt(member.data->offset() + done, slab));
        WB_TRY_ASSIGN(isEnd, inflateSlab(*inflater, slab, member, out, findings));
    }
    if (!isEnd || out.size() != member.bytes) return cannotUnpack(member, findings);
    return out;
}

Result<void> checkSize(const Member& member, std::uint64_t maxBytes, const Findings& findings) {
    const bool isBomb = member.bytes > bombBytes && member.bytes / bombRatio > member.packedBytes;
    if (member.bytes <= maxBytes && !isBomb) return {};
    return findings.refuse(ErrorCode::TooLarge, Reason("zip.member_too_large"),
                           WB_TEXT("{}: the entry {} of {} bytes would decompress to {}, which exceeds the limit."),
                           shown(member.name), member.packedBytes, member.bytes);
}

Result<std::vector<std::byte>> readContent(const io::ByteSource& source, const Member& member, const Findings& findings) {
    if (member.method == deflated) return inflateMember(source, member, findings);
    if (member.method != stored)
        return findings.refuse(
            ErrorCode::Unsupported, Reason("zip.method"),
            WB_TEXT("{}: the entry {} is compressed with {}, which is not supported; save it uncompressed or with deflate."),
            shown(member.name), methodText(member.method));
    if (member.packedBytes != member.bytes) return cannotUnpack(member, findings);
    std::vector<std::byte> content(member.bytes);
    WB_TRY(source.readAt(member.data->offset(), content));
    return content;
}

} // namespace

std::string methodText(std::uint16_t method) {
    switch (method) {
    case stored: return "nothing";
    case deflated: return "deflate";
    case 9: return "Deflate64";
    case 12: return "bzip2";
    case 14: return "LZMA";
    case 93: return "Zstandard";
    case 95: return "xz";
    default: return fmt::format("method {}", method);
    }
}

Result<std::vector<std::byte>> readMember(const io::ByteSource& source, const Member& member, std::uint64_t maxBytes,
                                          Findings& findings) {
    if (!member.data)
        return findings.refuse(ErrorCode::Malformed, Reason("zip.outside_file"),
                               WB_TEXT("{}: the entry {} is outside the archive and cannot be read."), shown(member.name));
    WB_TRY(checkSize(member, maxBytes, findings));
    WB_TRY_ASSIGN(auto content, readContent(source, member, findings));
    if (crc32(0, content) != member.crc)
        findings.add(Severity::Error, "zip.crc", member.header,
                     WB_TEXT("{}: the checksum of the entry {} does not match its contents."), shown(member.name));
    return content;
}

} // namespace wb::zip
