// SPDX-License-Identifier: MIT
#include "core/convert/run/journal.h"

#include "core/convert/run/work_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace wb::run {
namespace {

constexpr std::string_view programName = "weighbridge ";
constexpr std::string_view version = "weighbridge run 1 ";
constexpr std::string_view renamingMark = "renaming";
constexpr std::string_view partWord = "part";
constexpr std::size_t maxWords = 5;
constexpr std::size_t maxParts = 1 << 16;
constexpr std::uint64_t maxHeadBytes = 64ull << 20;         // the first line and those of the parts
constexpr std::uint64_t maxRecordLine = 80 + 2 * maxRecord; // an index, two check values, the record in hexadecimal

// FNV-1a: enough to notice a line that was cut.
constexpr std::uint64_t hashStart = 0xcbf29ce484222325u;
constexpr std::uint64_t hashFactor = 0x100000001b3u;
std::uint64_t hashFromText(std::string_view text) {
    std::uint64_t hash = hashStart;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * hashFactor;
    return hash;
}

std::string checkedLine(std::string_view text) { return fmt::format("{} {:016x}\n", text, hashFromText(text)); }

// The text of a line before its check value; empty where they do not belong together.
std::string_view checkedText(std::string_view line) {
    const std::size_t last = line.rfind(' ');
    if (last == std::string_view::npos || line.substr(last + 1) != fmt::format("{:016x}", hashFromText(line.substr(0, last))))
        return {};
    return line.substr(0, last);
}

// The words between single spaces; empty where there are more than maxWords.
std::vector<std::string_view> wordsFromLine(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        if (words.size() == maxWords) return {};
        words.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

bool readNumber(std::string_view text, std::uint64_t& number, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc{} && end == text.data() + text.size();
}

// "-" stands for nothing, so that every line has all its words.
std::string hexFromBytes(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text.empty() ? "-" : text;
}

std::optional<std::string> bytesOfHex(std::string_view text) {
    std::string bytes;
    if (text == "-") return bytes;
    if (text.size() % 2 != 0) return std::nullopt;
    for (std::size_t at = 0; at < text.size(); at += 2) {
        std::uint64_t byte = 0;
        if (!readNumber(text.substr(at, 2), byte, 16)) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

std::string firstLine(const JobId& job) { return fmt::format("{}{} {} {}\n", version, job.kind, job.items, job.fingerprint); }

bool readFirstLine(std::string_view line, JobId& job) {
    if (!line.starts_with(version)) return false;
    const auto words = wordsFromLine(line.substr(version.size()));
    if (words.size() != 3 || words[0].empty() || words[2].empty() || words[2].size() > maxFingerprint) return false;
    job.kind = words[0];
    job.fingerprint = words[2];
    return readNumber(words[1], job.items);
}

std::string journalLine(const PartMark& part) {
    const auto name = part.name.generic_u8string();
    return checkedLine(fmt::format("{} {} {} {}", partWord, part.number, part.bytes,
                                   hexFromBytes({reinterpret_cast<const char*>(name.data()), name.size()})));
}

// Whether the name stays beneath the folder of the journal and is one that runs give.
bool isPartName(const std::filesystem::path& name) {
    return isPartPath(name) && !name.has_root_path() &&
           std::ranges::none_of(name, [](const auto& component) { return component == ".."; });
}

std::optional<PartMark> parsePart(std::string_view text) {
    const auto words = wordsFromLine(text);
    PartMark part;
    if (words.size() != 4 || words[0] != partWord || !readNumber(words[1], part.number) || !readNumber(words[2], part.bytes))
        return std::nullopt;
    const auto name = bytesOfHex(words[3]);
    if (!name || name->find('\0') != std::string::npos) return std::nullopt;
    part.name = std::filesystem::path(std::u8string(name->begin(), name->end()));
    return part;
}

std::string journalLine(const Journal::Entry& entry) {
    return checkedLine(fmt::format("{} {:016x} {}", entry.first, entry.second.check, hexFromBytes(entry.second.text)));
}

std::optional<Journal::Entry> parseEntry(std::string_view text) {
    const auto words = wordsFromLine(text);
    Journal::Entry entry;
    if (words.size() != 3 || !readNumber(words[0], entry.first) || !readNumber(words[1], entry.second.check, 16))
        return std::nullopt;
    auto record = bytesOfHex(words[2]);
    if (!record || record->size() > maxRecord) return std::nullopt;
    entry.second.text = *std::move(record);
    return entry;
}

// Whether a line after the first is a whole one; what it says is then kept.
bool addLine(std::string_view text, JournalText& journal) {
    if (text == renamingMark) return journal.isRenaming = true;
    if (auto part = parsePart(text)) {
        if (journal.parts.size() == maxParts || !journal.records.empty()) return false;
        if (isPartName(part->name)) journal.parts.push_back(*std::move(part));
        return true;
    }
    auto entry = parseEntry(text);
    if (!entry || entry->first >= journal.job.items) return false;
    journal.records.insert_or_assign(entry->first, std::move(entry->second)); // the last record of an item counts
    return true;
}

// A crash may leave the first line cut, or blocks that the disk never filled.
bool mayBeJournal(std::string_view text) {
    return isJournal(text) || programName.starts_with(text) || text.find_first_not_of('\0') == std::string_view::npos;
}

} // namespace

// Four strands, so that one's multiplication need not wait for another's.
// Of a size that the compiler knows, so that the copy is four loads.
void Check::addBlock(Strands& strands, std::span<const std::byte, blockBytes> block) {
    Strands words{};
    std::memcpy(words.data(), block.data(), blockBytes);
    // Written out, so that the strands stay in registers.
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((strands[i] = (strands[i] ^ words[i]) * hashFactor), ...);
    }(std::make_index_sequence<std::tuple_size_v<Strands>>());
}

void Check::add(std::span<const std::byte> bytes) {
    const std::size_t held = m_bytes % blockBytes;
    m_bytes += bytes.size();
    if (held > 0) {
        const auto first = bytes.first(std::min(bytes.size(), blockBytes - held));
        std::ranges::copy(first, m_rest.begin() + static_cast<std::ptrdiff_t>(held));
        if (held + first.size() < blockBytes) return;
        addBlock(m_strands, m_rest);
        bytes = bytes.subspan(first.size());
    }
    Strands strands = m_strands;
    for (; bytes.size() >= blockBytes; bytes = bytes.subspan(blockBytes)) addBlock(strands, bytes.first<blockBytes>());
    m_strands = strands;
    std::ranges::copy(bytes, m_rest.begin());
}

std::uint64_t Check::value() const {
    Strands strands = m_strands;
    if (const std::size_t held = m_bytes % blockBytes; held > 0) {
        std::array<std::byte, blockBytes> last{}; // missing bytes count as zeros
        std::ranges::copy(std::span(m_rest).first(held), last.begin());
        addBlock(strands, last);
    }
    std::uint64_t hash = start ^ m_bytes;
    for (const std::uint64_t strand : strands) hash = (hash ^ strand) * hashFactor;
    return hash;
}

std::uint64_t recordChecksum(std::span<const std::byte> bytes) {
    Check check;
    check.add(bytes);
    return check.value();
}

bool isJournal(std::string_view text) { return text.starts_with(programName); }

std::optional<JournalText> parseJournal(std::string_view text) {
    JournalText journal;
    std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !readFirstLine(text.substr(0, end), journal.job)) return std::nullopt;
    journal.validBytes = end + 1;
    while ((end = text.find('\n', journal.validBytes)) != std::string_view::npos) {
        if (!addLine(checkedText(text.substr(journal.validBytes, end - journal.validBytes)), journal)) break;
        journal.validBytes = end + 1;
    }
    return journal;
}

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path, const JobId& job) {
    std::unique_ptr<Journal> journal(new Journal);
    WB_TRY_ASSIGN(journal->m_file, io::LockedFile::open(path));
    journal->m_job = job;
    // Another job's may be longer, but its parts are at its head.
    const auto text = journal->m_file->read(maxHeadBytes + job.items * maxRecordLine);
    journal->m_isNew = text && text->empty();
    if (!text) return journal;
    const std::string line = firstLine(job);
    journal->m_keptHead = static_cast<std::size_t>(std::ranges::mismatch(*text, line).in1 - text->begin());
    journal->m_isForeign = !mayBeJournal(*text);
    auto former = parseJournal(*text);
    journal->m_isOfAnotherJob = isJournal(*text) && !(former && former->job == job);
    if (!former) return journal;
    journal->m_former = *std::move(former);
    if (journal->m_isOfAnotherJob) journal->m_former = {{}, std::move(journal->m_former.parts), {}, false, 0};
    return journal;
}

Result<void> Journal::begin(Start start) {
    if (start == Start::Resume) return m_file->truncate(m_former.validBytes);
    m_former = {{}, std::move(m_former.parts), {}, false, 0};
    WB_TRY(m_file->truncate(m_keptHead));
    return m_file->append(firstLine(m_job).substr(m_keptHead));
}

Result<void> Journal::appendParts(const std::vector<PartMark>& parts) {
    std::string lines;
    for (const PartMark& part : parts) lines += journalLine(part);
    return m_file->append(lines);
}

Result<void> Journal::append(const std::vector<Entry>& items) {
    std::string lines;
    for (const Entry& item : items) lines += journalLine(item);
    WB_TRY(m_file->append(lines));
    WB_TRY(m_file->flush());
    m_hasEntries |= !items.empty();
    return {};
}

Result<void> Journal::markRenaming() {
    WB_TRY(m_file->append(checkedLine(renamingMark)));
    return m_file->flush();
}

} // namespace wb::run
