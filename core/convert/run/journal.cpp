// SPDX-License-Identifier: MIT
#include "core/convert/run/journal.h"

#include "core/base/text.h"
#include "core/io/sha256.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>
#include <utility>

namespace wb::convert {
namespace {

constexpr std::string_view journalName = "weighbridge quantize";
constexpr std::string_view version = "weighbridge quantize 7 "; // the journal's name, and the form of what it holds
constexpr std::string_view renamingMark = "renaming";
constexpr std::string_view wholeMark = "whole";
constexpr std::string_view splitMark = "split";
constexpr std::uint64_t longestLine = 176; // an index, four doubles of up to 24 characters, two check values

constexpr std::uint64_t mostParts = 1 << 16; // GGUF counts them in 16 bits

// FNV-1a: enough to notice a line that was cut.
constexpr std::uint64_t hashStart = 0xcbf29ce484222325u;
constexpr std::uint64_t hashFactor = 0x100000001b3u;
std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = hashStart;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * hashFactor;
    return hash;
}

std::string checkedLine(std::string_view text) { return fmt::format("{} {:016x}\n", text, hashOf(text)); }

std::string lineOf(const Journal::Entry& entry) {
    const auto& [index, record] = entry;
    const ErrorSums& sums = record.sums;
    return checkedLine(fmt::format("{} {} {} {} {} {}", index, shortest(sums.e2), shortest(sums.w2), shortest(sums.v2),
                                   shortest(sums.wv), record.check));
}

// The text of a line before its check value; empty where they do not belong together.
std::string_view checkedText(std::string_view line) {
    const std::size_t last = line.rfind(' ');
    if (last == std::string_view::npos || line.substr(last + 1) != fmt::format("{:016x}", hashOf(line.substr(0, last)))) return {};
    return line.substr(0, last);
}

std::optional<Journal::Entry> parseEntry(std::string_view text) {
    std::istringstream words{std::string(text)};
    words.imbue(std::locale::classic());
    Journal::Entry entry;
    ErrorSums& sums = entry.second.sums;
    words >> entry.first >> sums.e2 >> sums.w2 >> sums.v2 >> sums.wv >> entry.second.check;
    return words.fail() ? std::nullopt : std::optional(entry);
}

// Whether the line is one of a part, which is then added.
bool addPart(std::string_view text, JobParts& parts) {
    std::istringstream words{std::string(text)};
    words.imbue(std::locale::classic());
    std::string kind;
    JobParts::Mark mark;
    words >> kind >> mark.number >> mark.bytes;
    const bool isSplit = kind == splitMark;
    if (words.fail() || (!isSplit && kind != wholeMark) || parts.marks.size() == mostParts) return false;
    if (!parts.marks.empty() && !(isSplit && parts.isSplit)) return false; // a whole file is one
    parts.isSplit = isSplit;
    parts.marks.push_back(mark);
    return true;
}

void update(io::Sha256& hash, const auto& values) { hash.update(std::as_bytes(std::span(values))); }

// What a restart and a renamed folder leave as it is: systems number their devices anew at a start or a mount. A file system that
// does not number its files leaves only the name to tell them apart.
std::string sourceText(std::string_view name, const io::Identity& id) {
    return fmt::format("{} {} {} {}\n", id.inode == 0 ? name : "", id.inode, id.bytes, id.modifiedNs);
}

// A crash may leave the first line cut, or blocks that the disk never filled.
bool mayBeOurs(std::string_view text) {
    return text.starts_with(journalName) || journalName.starts_with(text) || text.find_first_not_of('\0') == std::string_view::npos;
}

} // namespace

// Four strands, so that one's multiplication need not wait for another's.
std::uint64_t checkOf(std::span<const std::byte> bytes) {
    std::array<std::uint64_t, 4> strands{hashStart, hashStart + 1, hashStart + 2, hashStart + 3};
    const auto add = [&strands](std::span<const std::byte> part) {
        std::array<std::uint64_t, 4> words{};
        std::memcpy(words.data(), part.data(), part.size());
        // Written out, so that the strands stay in registers.
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((strands[i] = (strands[i] ^ words[i]) * hashFactor), ...);
        }(std::make_index_sequence<4>());
    };
    std::uint64_t hash = hashStart ^ bytes.size();
    for (; bytes.size() >= sizeof strands; bytes = bytes.subspan(sizeof strands)) add(bytes.first<sizeof strands>());
    if (!bytes.empty()) add(bytes);
    for (const std::uint64_t strand : strands) hash = (hash ^ strand) * hashFactor;
    return hash;
}

std::size_t Journal::readParts(std::string_view text) {
    if (!text.starts_with(version)) return 0;
    std::size_t at = std::min(text.find('\n'), text.size() - 1) + 1;
    for (std::size_t end; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1)
        if (!addPart(checkedText(text.substr(at, end - at)), m_formerParts)) break;
    return at;
}

std::size_t Journal::readLines(std::string_view text, const std::string& fingerprint, std::uint64_t items) {
    std::size_t at = readParts(text);
    if (!text.starts_with(fingerprint + "\n")) return 0;
    for (std::size_t end; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
        const std::string_view line = checkedText(text.substr(at, end - at));
        const auto entry = line == renamingMark ? std::nullopt : parseEntry(line);
        if (line == renamingMark) m_renaming = true;
        else if (!entry || entry->first >= items) break;
        else m_resumed.insert_or_assign(entry->first, entry->second); // the last word counts
    }
    return at;
}

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path, const std::string& fingerprint,
                                               std::uint64_t items) {
    std::unique_ptr<Journal> journal(new Journal);
    WB_TRY_ASSIGN(journal->m_file, io::LockedFile::open(path));
    // Another job's may be longer, but its parts stand at its head.
    const auto text = journal->m_file->read((items + mostParts + 2) * longestLine);
    journal->m_fingerprint = fingerprint;
    journal->m_believed = text ? journal->readLines(*text, fingerprint, items) : 0;
    journal->m_isNew = text && text->empty();
    journal->m_isForeign = text && !mayBeOurs(*text);
    journal->m_isOfAnotherJob = journal->m_believed == 0 && text && text->starts_with(journalName);
    return journal;
}

Result<void> Journal::begin(Start start) {
    if (start == Start::Anew) {
        m_resumed.clear();
        m_renaming = false;
        m_believed = 0;
    }
    WB_TRY(m_file->truncate(m_believed));
    return m_believed == 0 ? m_file->append(m_fingerprint + "\n") : Result<void>();
}

Result<void> Journal::noteParts(const JobParts& parts) {
    std::string lines;
    for (const JobParts::Mark& mark : parts.marks)
        lines += checkedLine(fmt::format("{} {} {}", parts.isSplit ? splitMark : wholeMark, mark.number, mark.bytes));
    return m_file->append(lines);
}

Result<void> Journal::append(const std::vector<Entry>& items) {
    std::string lines;
    for (const Entry& item : items) lines += lineOf(item);
    WB_TRY(m_file->append(lines));
    WB_TRY(m_file->flush());
    m_hasEntries |= !items.empty();
    return {};
}

Result<void> Journal::markRenaming() {
    WB_TRY(m_file->append(checkedLine(renamingMark)));
    return m_file->flush();
}

Result<std::string> fingerprintOf(const QuantizePlan& plan, std::uint64_t itemElements) {
    io::Sha256 hash;
    for (const PlannedFile& file : plan.files) update(hash, file.header);
    for (const ModelFile& file : plan.model->files) update(hash, sourceText(file.name, file.identity));
    if (plan.matrix) update(hash, sourceText({}, plan.matrix->identity)); // the headers hold the name it was given by
    for (const PlannedTensor& tensor : plan.tensors) {
        const TensorInfo& source = plan.model->tensors[tensor.source]; // of another layer, where some are left out
        update(hash,
               fmt::format("{} {} {} {}\n", source.file, source.offset.value_or(0), tensor.weights.size(), tensor.weights.place()));
    }
    update(hash, fmt::format("{}", itemElements));
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return fmt::format("{}{}", version, io::hexText(digest));
}

} // namespace wb::convert
