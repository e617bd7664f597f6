// SPDX-License-Identifier: MIT
#include "tests/unit/support/zip_builder.h"

#include <stdexcept>
#include <zlib.h>

namespace wb::test {
namespace {

template <class T>
std::string little(T value) {
    std::string out;
    for (std::size_t i = 0; i < sizeof value; ++i) out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    return out;
}

std::string u16(std::uint64_t value) { return little(static_cast<std::uint16_t>(value)); }
std::string u32(std::uint64_t value) { return little(static_cast<std::uint32_t>(value)); }
std::string u64(std::uint64_t value) { return little(value); }

std::string deflated(const std::string& text) {
    z_stream stream{};
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflateInit2");
    std::string out(::deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("deflate");
    return out;
}

// One member's fields as both headers have them.
struct Fields {
    std::string data;
    std::uint16_t flags;
    std::uint16_t method;
    std::uint32_t crc;
    std::uint64_t bytes;
};

Fields memberFields(const ZipMember& member) {
    const auto crc = static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(member.content.data()), static_cast<uInt>(member.content.size())));
    return {member.deflate ? deflated(member.content) : member.content,
            static_cast<std::uint16_t>(member.flags | (member.sizesFollow ? 0x0808 : 0)),
            member.method.value_or(member.deflate ? 8 : 0), member.crc.value_or(crc), member.bytes.value_or(member.content.size())};
}

std::string filler(const ZipMember& member, std::size_t position) {
    if (member.alignment == 1) return {};
    const std::size_t bytes = (member.alignment - (position + 4) % member.alignment) % member.alignment;
    return "FB" + u16(bytes) + std::string(bytes, 'Z');
}

void addLocal(std::string& out, const ZipMember& member, const Fields& fields) {
    const std::string name = member.localName.value_or(member.name);
    std::string extra = member.wide ? u16(1) + u16(16) + u64(fields.bytes) + u64(fields.data.size()) : std::string();
    extra += filler(member, out.size() + 30 + name.size() + extra.size());
    const bool isLater = member.sizesFollow;
    const auto size = [&](std::uint64_t bytes) { return u32(isLater ? 0 : member.wide ? 0xFFFFFFFF : bytes); };
    out += "PK\x03\x04" + u16(isLater ? 0 : 20) + u16(member.localFlags.value_or(fields.flags)) +
           u16(member.localMethod.value_or(fields.method)) + u32(0) + u32(isLater ? 0 : member.localCrc.value_or(fields.crc)) +
           size(fields.data.size()) + size(member.localBytes.value_or(static_cast<std::uint32_t>(fields.bytes))) +
           u16(name.size()) + u16(extra.size()) + name + extra + fields.data;
    if (isLater) out += "PK\x07\x08" + u32(fields.crc) + u32(fields.data.size()) + u32(fields.bytes);
}

std::string central(const ZipMember& member, const Fields& fields, std::uint64_t header) {
    const std::string extra = member.wide ? u16(1) + u16(24) + u64(fields.bytes) + u64(fields.data.size()) + u64(header) : "";
    const auto number = [&](std::uint64_t value) { return u32(member.wide ? 0xFFFFFFFF : value); };
    return "PK\x01\x02" + u16(20) + u16(20) + u16(fields.flags) + u16(fields.method) + u32(0) + u32(fields.crc) +
           number(fields.data.size()) + number(fields.bytes) + u16(member.name.size()) + u16(extra.size()) + u16(0) + u16(0) +
           u16(0) + u32(0) + number(member.header.value_or(static_cast<std::uint32_t>(header))) + member.name + extra;
}

std::string endRecords(const ZipForm& form, std::size_t count, std::uint64_t offset, std::uint64_t bytes) {
    std::string out;
    if (form.wide)
        out += "PK\x06\x06" + u64(44) + u16(45) + u16(45) + u32(0) + u32(0) + u64(count) + u64(count) + u64(bytes) + u64(offset) +
               "PK\x06\x07" + u32(0) + u64(offset + bytes) + u32(1);
    const std::uint64_t members = form.members.value_or(form.wide ? 0xFFFF : count);
    return out + "PK\x05\x06" + u16(form.disk.value_or(0)) + u16(form.disk.value_or(0)) + u16(members) + u16(members) +
           u32(form.wide ? 0xFFFFFFFF : bytes) + u32(form.wide ? 0xFFFFFFFF : form.directoryOffset.value_or(offset)) +
           u16(form.comment.size()) + form.comment;
}

} // namespace

std::string makeZip(const std::vector<ZipMember>& members, const ZipForm& form) {
    const std::size_t uncounted = form.prefixIsCounted ? 0 : form.prefix.size();
    std::string out = form.prefix;
    std::string directory;
    for (const ZipMember& member : members) {
        out += member.padding;
        const Fields fields = memberFields(member);
        directory += central(member, fields, out.size() - uncounted);
        addLocal(out, member, fields);
    }
    const std::uint64_t offset = out.size() - uncounted;
    return out + directory + endRecords(form, members.size(), offset, directory.size()) + form.suffix;
}

} // namespace wb::test
