// SPDX-License-Identifier: MIT
#include "core/formats/tar/tar.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::tar {
namespace {

using formats::Findings;
using formats::shown;

constexpr std::uint64_t blockBytes = 512;
using Block = std::array<std::byte, blockBytes>;

// A field of a header up to its first NUL.
std::string_view field(const Block& block, std::size_t offset, std::size_t length) {
    const std::string_view text(reinterpret_cast<const char*>(block.data()) + offset, length);
    return text.substr(0, text.find('\0'));
}

// Octal digits between blanks, or a big-endian number where the highest bit is set.
std::optional<std::uint64_t> number(const Block& block, std::size_t offset, std::size_t length) {
    if ((block[offset] & std::byte{0x80}) != std::byte{0}) {
        std::uint64_t value = std::to_integer<std::uint64_t>(block[offset] & std::byte{0x7F});
        for (std::size_t i = 1; i < length; ++i) {
            if (value >> 56 != 0) return std::nullopt;
            value = value << 8 | std::to_integer<std::uint64_t>(block[offset + i]);
        }
        return value;
    }
    std::string_view digits = field(block, offset, length);
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    std::uint64_t value = 0;
    if (digits.empty()) return value;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

// The sum of all bytes, those of the sum itself counted as blanks.
bool isSumRight(const Block& block) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < blockBytes; ++i) sum += i >= 148 && i < 156 ? ' ' : std::to_integer<unsigned>(block[i]);
    return number(block, 148, 8) == sum;
}

bool leadsOut(std::string_view name) {
    return name.starts_with('/') || name == ".." || name.starts_with("../") || name.find("/../") != std::string_view::npos ||
           name.ends_with("/..") || name.find('\\') != std::string_view::npos;
}

// What pax says about the next member: "LENGTH key=value\n" repeated.
void readPax(std::string_view text, std::string& name, std::optional<std::uint64_t>& size) {
    while (!text.empty()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        if (error != std::errc() || length == 0 || length > text.size() || end == text.data() + text.size() || *end != ' ') return;
        const std::string_view record(end + 1, text.data() + length);
        if (record.starts_with("path=")) name = record.substr(5, record.size() - 6);
        std::uint64_t value = 0;
        if (record.starts_with("size=") &&
            std::from_chars(record.data() + 5, record.data() + record.size(), value).ec == std::errc())
            size = value;
        text.remove_prefix(length);
    }
}

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options, Findings& findings)
        : m_source(source), m_options(options), m_findings(findings) {}

    Result<std::vector<Member>> read() {
        std::uint64_t at = 0;
        for (std::uint64_t count = 0; at + blockBytes <= m_source.size(); ++count) {
            if (count % 1000 == 0) WB_TRY(m_options.progress.at(at, m_source.size()));
            if (count > m_options.limits.archiveMembers)
                return m_findings.refuse(ErrorCode::TooLarge, Reason("tar.too_many_members"),
                                         WB_TEXT("{} is a tar archive with more than {} entries."),
                                         m_options.limits.archiveMembers);
            Block block;
            WB_TRY(m_source.readAt(at, block));
            if (std::ranges::all_of(block, [](std::byte b) { return b == std::byte{0}; })) break;
            WB_TRY_ASSIGN(const auto next, readMember(block, at));
            if (!next) break;
            at = *next;
        }
        return std::move(m_members);
    }

private:
    // Where the next header starts; empty where this one is damaged.
    Result<std::optional<std::uint64_t>> readMember(const Block& block, std::uint64_t at) {
        const auto stored = number(block, 124, 12);
        const std::uint64_t size = m_size.value_or(stored.value_or(0));
        const auto data = io::Extent::make(m_source.size(), at + blockBytes, size);
        if (!isSumRight(block) || !stored || !data) {
            m_findings.add(Severity::Error, "tar.damaged", at, WB_TEXT("{}: the tar archive is corrupted or truncated at byte {}."),
                           at);
            return std::nullopt;
        }
        const char type = static_cast<char>(block[156]);
        if (type == 'L' || type == 'x') {
            WB_TRY(readLongName(type, *data));
        } else {
            addMember(block, type, at, *data);
            m_name.clear();
            m_size.reset();
        }
        return checked::alignUp(data->end(), blockBytes);
    }

    Result<void> readLongName(char type, const io::Extent& data) {
        constexpr std::uint64_t longest = 64 << 10;
        if (data.length() > longest) return {};
        std::string text(data.length(), '\0');
        WB_TRY(m_source.readAt(data.offset(), std::as_writable_bytes(std::span(text))));
        if (type == 'x') readPax(text, m_name, m_size);
        else m_name = text.substr(0, text.find('\0'));
        return {};
    }

    void addMember(const Block& block, char type, std::uint64_t at, const io::Extent& data) {
        std::string name = m_name;
        if (name.empty()) {
            const std::string_view prefix = field(block, 345, 155);
            if (!prefix.empty() && field(block, 257, 5) == "ustar") name = std::string(prefix) + "/";
            name += field(block, 0, 100);
        }
        if (leadsOut(name))
            m_findings.add(Severity::Error, "path.traversal", at, WB_TEXT("{}: the name {} points outside the extraction folder."),
                           shown(name));
        if (type == '0' || type == '\0' || type == '7') m_members.push_back({std::move(name), data});
        else if (type != '5' && type != 'g' && type != 'K')
            m_findings.add(Severity::Warning, "tar.link", at, WB_TEXT("{}: the entry {} is a link or a device."), shown(name));
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    Findings& m_findings;
    std::vector<Member> m_members;
    std::string m_name; // of the next member, if its own header specifies it
    std::optional<std::uint64_t> m_size;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.size() > 262 && text.substr(257, 5) == "ustar";
}

Result<std::vector<Member>> readArchive(const io::ByteSource& source, const formats::OpenOptions& options, Findings& findings) {
    return Reader(source, options, findings).read();
}

} // namespace wb::tar
