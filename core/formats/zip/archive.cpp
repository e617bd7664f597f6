// SPDX-License-Identifier: MIT
#include "core/base/ascii.h"
#include "core/base/checked.h"
#include "core/formats/zip/records.h"
#include "core/formats/zip/member_checks.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <numeric>

namespace wb::zip {
namespace {

// The whole central directory, with the caps that a count or size from the file must keep.
Result<std::vector<std::byte>> readDirectory(const io::ByteSource& source, const End& end, const formats::Limits& limits,
                                             const Findings& findings) {
    const std::uint64_t from = end.begin + end.directoryOffset; // beginOf() found it in the file
    const std::uint64_t bytes = end.position > from ? end.position - from : 0;
    if (end.members > limits.archiveMembers)
        return findings.refuse(ErrorCode::TooLarge, Reason("zip.too_many_members"),
                               WB_TEXT("{} is a zip archive with {} entries; at most {} are read."), end.members,
                               limits.archiveMembers);
    if (bytes > limits.directoryBytes)
        return findings.refuse(ErrorCode::TooLarge, Reason("zip.directory_too_long"),
                               WB_TEXT("{} is a zip archive with a central directory of {} bytes; at most {} are read."), bytes,
                               limits.directoryBytes);
    std::vector<std::byte> directory(bytes);
    WB_TRY(source.readAt(from, directory));
    return directory;
}

Result<std::vector<Member>> readMembers(const io::ByteSource& source, const End& end, const formats::Limits& limits,
                                        Findings& findings) {
    WB_TRY_ASSIGN(const auto directory, readDirectory(source, end, limits, findings));
    std::vector<Member> members;
    members.reserve(std::min(end.members, directory.size() / centralBytes));
    std::uint64_t position = 0;
    for (std::uint64_t i = 0; i < end.members; ++i) {
        WB_TRY_ASSIGN(auto member, readCentralEntry(directory, position));
        if (!member) {
            findings.add(Severity::Error, "zip.directory_damaged", end.begin + end.directoryOffset + position,
                         WB_TEXT("{}: the central directory declares {} entries but ends after {}."), end.members, i);
            break;
        }
        members.push_back(std::move(*member));
    }
    return members;
}

int compareLowered(std::string_view a, std::string_view b) {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i)
        if (ascii::lower(a[i]) != ascii::lower(b[i])) return ascii::lower(a[i]) < ascii::lower(b[i]) ? -1 : 1;
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

std::vector<std::uint32_t> sortedByName(const std::vector<Member>& members) {
    std::vector<std::uint32_t> indices(members.size());
    std::iota(indices.begin(), indices.end(), 0U);
    std::ranges::sort(indices, [&](std::uint32_t a, std::uint32_t b) {
        const int order = compareLowered(members[a].name, members[b].name);
        return order != 0 ? order < 0 : a < b;
    });
    return indices;
}

// Finds the data of each member through the header in front of them and says where the two descriptions differ.
Result<void> readLocalHeaders(const io::ByteSource& source, const formats::OpenOptions& options, Archive& archive,
                              Findings& findings) {
    constexpr std::uint64_t checkedEvery = 1000;
    for (std::size_t i = 0; i < archive.members.size(); ++i) {
        if (i % checkedEvery == 0) WB_TRY(options.progress.at(i, archive.members.size()));
        Member& member = archive.members[i];
        const auto position = checked::add(archive.begin, member.header);
        member.header = position.value_or(source.size());
        WB_TRY_ASSIGN(const auto local, readLocalHeader(source, member.header, member.name.size()));
        if (local) member.data = io::Extent::make(archive.directory, local->dataOffset, member.packedBytes);
        if (local && member.data) compareHeaders(member, *local, findings);
        else
            findings.add(Severity::Error, "zip.outside_file", member.header,
                         WB_TEXT("{}: the entry {} is outside the archive and cannot be read."), shown(member.name));
    }
    return {};
}

} // namespace

const Member* Archive::find(std::string_view name) const {
    const auto same = std::ranges::equal_range(
        byName, 0, [](int a, int b) { return a < b; }, [&](std::uint32_t i) { return compareLowered(members[i].name, name); });
    if (same.empty()) return nullptr;
    for (auto i = same.end(); i != same.begin();)
        if (members[*--i].name == name) return &members[*i];
    return &members[*(same.end() - 1)];
}

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

Result<Archive> readArchive(const io::ByteSource& source, const formats::OpenOptions& options, Findings& findings) {
    WB_TRY_ASSIGN(const FoundEnd found, findEnd(source, findings));
    const End& end = found.end;
    if (end.isDivided)
        return findings.refuse(ErrorCode::Unsupported, Reason("zip.divided"),
                               WB_TEXT("{} is one part of a split zip archive; join the parts with the program that split them."));
    Archive archive;
    archive.begin = end.begin;
    archive.directory = end.begin + end.directoryOffset;
    archive.end = end.archiveEnd;
    WB_TRY_ASSIGN(archive.members, readMembers(source, end, options.limits, findings));
    archive.byName = sortedByName(archive.members);
    WB_TRY(readLocalHeaders(source, options, archive, findings));
    checkEnds(source, archive, found, findings);
    checkNames(archive, findings);
    checkPlaces(archive, findings);
    return archive;
}

std::string_view rootFolder(const Archive& archive) {
    if (archive.members.empty()) return {};
    const std::string_view first = archive.members.front().name;
    const std::size_t slash = first.find('/');
    return slash == std::string_view::npos ? std::string_view() : first.substr(0, slash);
}

std::shared_ptr<io::ByteSource> storedMember(std::shared_ptr<const io::ByteSource> source, const Member& member) {
    return std::make_shared<io::RangeSource>(std::move(source), *member.data, member.name);
}

} // namespace wb::zip
