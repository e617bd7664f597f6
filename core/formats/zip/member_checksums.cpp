// SPDX-License-Identifier: MIT
#include "core/formats/zip/member_checksums.h"

#include "core/base/text.h"
#include "core/model/stored_files.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace wb::zip {
namespace {

constexpr std::uint64_t comparedBytes = 4 << 20; // read at a time

struct MemberPlace {
    std::string archive;
    std::string member;

    auto operator<=>(const MemberPlace&) const = default;
};

// Empty if the tensor is in no archive.
std::optional<MemberPlace> tensorMember(const Model& model, const TensorInfo& tensor) {
    if (tensor.logical || tensor.file() >= model.files.size()) return std::nullopt;
    const StoredPlace place = storedPlace(model, tensor.file());
    const std::string& member = tensor.details && !tensor.details->member.empty() ? tensor.details->member : place.member;
    return member.empty() ? std::nullopt : std::optional(MemberPlace{place.file, member});
}

// An archive of the model: one of its files, or the file that its files are members of. Null if none exists.
Result<std::shared_ptr<io::ByteSource>> openArchive(const Model& model, const std::string& name) {
    for (std::uint32_t i = 0; i < model.files.size(); ++i)
        if (model.files[i].name == name) return openFile(model, i);
    if (io::baseName(model.path) != name) return nullptr;
    WB_TRY_ASSIGN(std::shared_ptr<io::FileSource> source, io::FileSource::open(model.path));
    return source;
}

// The file of the model that shows a compressed member unpacked.
std::shared_ptr<io::ByteSource> unpackedFile(const Model& model, const MemberPlace& place, std::uint64_t bytes) {
    for (std::uint32_t i = 0; i < model.files.size(); ++i) {
        const ModelFile& file = model.files[i];
        if (!file.source || file.source->size() != bytes) continue;
        const StoredPlace stored = storedPlace(model, i);
        if (stored.file == place.archive && stored.member == place.member) return file.source;
    }
    return nullptr;
}

Result<bool> isIntact(const io::ByteSource& source, std::uint64_t offset, std::uint64_t bytes, std::uint32_t expected,
                      const Progress& progress) {
    std::vector<std::byte> slab;
    std::uint32_t crc = 0;
    for (std::uint64_t done = 0; done < bytes; done += slab.size()) {
        WB_TRY(progress.at(done, bytes));
        slab.resize(std::min(comparedBytes, bytes - done));
        WB_TRY(source.readAt(offset + done, slab));
        crc = crc32(crc, slab);
    }
    return crc == expected;
}

} // namespace

Result<MemberChecksums> MemberChecksums::read(const Model& model) {
    MemberChecksums out(model);
    std::map<MemberPlace, std::vector<std::size_t>> users;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (auto place = tensorMember(model, model.tensors[i])) users[std::move(*place)].push_back(i);
    std::shared_ptr<io::ByteSource> source;
    Archive archive;
    std::string opened;
    for (const auto& [place, tensors] : users) {
        if (place.archive != opened) { // they are sorted by it
            opened = place.archive;
            WB_TRY_ASSIGN(source, openArchive(model, opened));
            formats::Findings ignored(opened, formats::Strictness::Lenient);
            auto directory = source ? readArchive(*source, {}, ignored) : Result<Archive>(Archive());
            archive = directory ? std::move(*directory) : Archive();
        }
        const Member* member = archive.find(place.member);
        if (member == nullptr || member->crc == 0) continue;
        Entry entry{place.archive, place.member, source, 0, member->bytes, member->crc, tensors.size()};
        if (member->isStored()) entry.offset = member->data->offset();
        else entry.source = unpackedFile(model, place, member->bytes);
        if (!entry.source) continue; // compared when it was unpacked to be opened
        for (const std::size_t tensor : tensors) out.m_owners[tensor] = out.m_entries.size();
        out.m_entries.push_back(std::move(entry));
    }
    return out;
}

// The stored tensors that reading a tensor reads.
void MemberChecksums::addStored(std::size_t tensor, std::vector<std::size_t>& out) const {
    const TensorInfo& info = m_model->tensors[tensor];
    if (!info.logical) return out.push_back(tensor);
    if (!info.details) return;
    for (const std::string& part : info.details->parts) {
        const auto at = std::ranges::find_if(m_model->tensors,
                                             [&](const TensorInfo& stored) { return !stored.logical && stored.name == part; });
        if (at != m_model->tensors.end()) out.push_back(static_cast<std::size_t>(at - m_model->tensors.begin()));
    }
}

std::vector<std::size_t> MemberChecksums::wholeMembers(std::span<const std::size_t> tensors) const {
    std::vector<std::size_t> stored;
    for (const std::size_t tensor : tensors) addStored(tensor, stored);
    std::ranges::sort(stored);
    const auto [end, last] = std::ranges::unique(stored);
    stored.erase(end, last);
    std::map<std::size_t, std::uint64_t> wanted; // tensors of each entry
    for (const std::size_t tensor : stored)
        if (m_owners[tensor]) ++wanted[*m_owners[tensor]];
    std::vector<std::size_t> whole;
    for (const auto& [entry, count] : wanted)
        if (count == m_entries[entry].tensors) whole.push_back(entry);
    return whole;
}

Result<std::vector<Problem>> MemberChecksums::compare(std::span<const std::size_t> tensors, const Progress& progress) const {
    std::vector<Problem> problems;
    if (m_entries.empty()) return problems;
    const std::vector<std::size_t> members = wholeMembers(tensors);
    const auto add = [&](std::uint64_t sum, std::size_t i) { return sum + m_entries[i].bytes; };
    const std::uint64_t total = std::accumulate(members.begin(), members.end(), std::uint64_t{0}, add);
    std::uint64_t before = 0;
    for (const std::size_t i : members) {
        const Entry& entry = m_entries[i];
        const Progress part{progress.stop, [&](std::uint64_t done, std::uint64_t) {
                                if (progress.report) progress.report(before + done, total);
                            }};
        WB_TRY_ASSIGN(const bool isSame, isIntact(*entry.source, entry.offset, entry.bytes, entry.crc, part));
        before += entry.bytes;
        if (!isSame)
            problems.push_back(makeProblem(
                Severity::Error, checksumDiffers, entry.archive, std::nullopt,
                WB_TEXT("{}: the checksum (CRC-32) of {} does not match its content; get an undamaged copy of the file."),
                entry.archive, formats::shown(entry.name)));
    }
    return problems;
}

Result<std::vector<Problem>> compareChecksums(const Model& model, std::span<const std::size_t> tensors, const Progress& progress) {
    WB_TRY_ASSIGN(const MemberChecksums checksums, MemberChecksums::read(model));
    return checksums.compare(tensors, progress);
}

Result<void> requireChecksums(const Model& model, const Progress& progress) {
    std::vector<std::size_t> all(model.tensors.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    WB_TRY_ASSIGN(const auto problems, compareChecksums(model, all, progress));
    if (problems.empty()) return {};
    return std::unexpected(asError(ErrorCode::Malformed, problems.front()));
}

} // namespace wb::zip
