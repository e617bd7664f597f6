// SPDX-License-Identifier: MIT
#include "core/formats/zip/member_checks.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>

namespace wb::zip {
namespace {

constexpr Reason mismatch = "zip.local_central_mismatch";
constexpr std::uint16_t sizesFollow = 1 << 3; // the sizes are after the data; here they are 0

// Bits that a loader may take as encrypted or patched, though PyTorch ignores them: 0, 5, 6 and 13.
constexpr std::uint16_t strangeFlags = 1 | 1 << 5 | 1 << 6 | 1 << 13;

std::string hex(std::uint32_t number) { return fmt::format("{:#x}", number); }

void compareSizes(const Member& member, const LocalHeader& local, Findings& findings) {
    const bool areLater = (local.flags & sizesFollow) != 0 && local.packedBytes == 0 && local.bytes == 0 && local.crc == 0;
    if (areLater) return;
    if (local.packedBytes != member.packedBytes || local.bytes != member.bytes)
        findings.add(Severity::Warning, mismatch, member.header,
                     WB_TEXT("{}: the entry {} has {} bytes compressed and {} uncompressed in the central directory, but {} and {} "
                             "in its local header."),
                     shown(member.name), member.packedBytes, member.bytes, local.packedBytes, local.bytes);
    if (local.crc != member.crc)
        findings.add(Severity::Warning, mismatch, member.header,
                     WB_TEXT("{}: the checksum of the entry {} is {} in the central directory but {} in its local header."),
                     shown(member.name), hex(member.crc), hex(local.crc));
}

bool leadsOut(std::string_view name) {
    if (name.starts_with('/') || name.starts_with('\\')) return true;
    if (name.size() > 1 && name[1] == ':') return true;
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (std::ranges::any_of(name, isControl)) return true;
    while (true) {
        const std::size_t end = name.find_first_of("/\\");
        if (name.substr(0, end) == "..") return true;
        if (end == std::string_view::npos) return false;
        name.remove_prefix(end + 1);
    }
}

// The run of bytes from a member's header to the end of its data.
struct Run {
    std::uint64_t begin;
    std::uint64_t end;
    const Member* member;
};

std::vector<Run> archiveRuns(const Archive& archive) {
    std::vector<Run> runs;
    runs.reserve(archive.members.size());
    for (const Member& member : archive.members)
        if (member.data) runs.push_back({member.header, member.data->end(), &member});
    std::ranges::sort(runs, {}, &Run::begin);
    return runs;
}

} // namespace

void compareHeaders(const Member& member, const LocalHeader& local, Findings& findings) {
    if (local.name != member.name)
        findings.add(Severity::Warning, mismatch, member.header,
                     WB_TEXT("{}: the entry {} is named {} in its local header; programs differ in which name they use."),
                     shown(member.name), shown(local.name));
    if (local.method != member.method)
        findings.add(Severity::Warning, mismatch, member.header,
                     WB_TEXT("{}: the entry {} uses compression method {} in the central directory but {} in its local header."),
                     shown(member.name), member.method, local.method);
    if (((local.flags ^ member.flags) & ~sizesFollow) != 0)
        findings.add(Severity::Warning, mismatch, member.header,
                     WB_TEXT("{}: the entry {} has the flags {} in the central directory but {} in its local header."),
                     shown(member.name), hex(member.flags), hex(local.flags));
    if (((local.flags | member.flags) & strangeFlags) != 0)
        findings.add(Severity::Warning, "zip.flag_bits", member.header,
                     WB_TEXT("{}: the flags of the entry {} ({}) mark it as encrypted or patched; some loaders reject it, PyTorch "
                             "ignores them."),
                     shown(member.name), hex(local.flags | member.flags));
    compareSizes(member, local, findings);
}

void checkEnds(const io::ByteSource& source, const Archive& archive, const FoundEnd& found, Findings& findings) {
    if (found.isAmbiguous)
        findings.add(Severity::Warning, "zip.multiple_eocd", found.end.position,
                     WB_TEXT("{} has more than one zip central directory; programs differ in which one they read."));
    if (found.end.differs64)
        findings.add(Severity::Warning, "zip.end_mismatch", found.end.position,
                     WB_TEXT("{}: the two end-of-archive records of the zip file contradict each other."));
    std::uint64_t first = archive.directory;
    for (const Member& member : archive.members) first = std::min(first, member.header);
    if (first > 0) findings.add(Severity::Note, "zip.prefix", 0, WB_TEXT("{}: {} bytes precede the zip archive."), first);
    if (archive.end < source.size())
        findings.add(Severity::Note, "zip.suffix", archive.end, WB_TEXT("{}: {} bytes follow the zip archive."),
                     source.size() - archive.end);
}

void checkNames(const Archive& archive, Findings& findings) {
    for (std::size_t i = 1; i < archive.byName.size(); ++i) {
        const Member& before = archive.members[archive.byName[i - 1]];
        const Member& member = archive.members[archive.byName[i]];
        if (member.name == before.name)
            findings.add(Severity::Warning, "zip.duplicate", member.header,
                         WB_TEXT("{}: two entries are named {}; programs differ in which one they read."), shown(member.name));
        else if (ascii::same(member.name, before.name))
            findings.add(Severity::Warning, "zip.case_twins", member.header,
                         WB_TEXT("{}: the names {} and {} differ only in case; programs differ in which one they read."),
                         shown(before.name), shown(member.name));
    }
    for (const Member& member : archive.members)
        if (leadsOut(member.name))
            findings.add(Severity::Error, "path.traversal", member.header,
                         WB_TEXT("{}: the name {} points outside the extraction folder."), shown(member.name));
}

void checkPlaces(Archive& archive, Findings& findings) {
    constexpr std::uint64_t padding = 64; // sizes after the data take up to 24 bytes, alignment the rest
    std::uint64_t covered = archive.begin;
    const Member* last = nullptr;
    for (const Run& run : archiveRuns(archive)) {
        if (run.begin < covered && last != nullptr)
            findings.add(Severity::Error, "zip.overlap", run.begin,
                         WB_TEXT("{}: the entries {} and {} overlap, which regular programs never write."), shown(last->name),
                         shown(run.member->name));
        if (run.begin > covered && run.begin - covered > padding && last != nullptr) {
            findings.add(Severity::Note, "zip.gap", covered, WB_TEXT("{}: the bytes {} to {} belong to no entry."), covered,
                         run.begin);
            if (const auto gap = io::Extent::make(archive.directory, covered, run.begin - covered)) archive.gaps.push_back(*gap);
        }
        if (run.end >= covered) last = run.member;
        covered = std::max(covered, run.end);
    }
    if (archive.directory > covered && archive.directory - covered > padding && last != nullptr) {
        findings.add(Severity::Note, "zip.gap", covered, WB_TEXT("{}: the bytes {} to {} belong to no entry."), covered,
                     archive.directory);
        if (const auto gap = io::Extent::make(archive.directory, covered, archive.directory - covered))
            archive.gaps.push_back(*gap);
    }
}

} // namespace wb::zip
