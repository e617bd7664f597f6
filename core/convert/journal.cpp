// SPDX-License-Identifier: MIT
#include "core/convert/journal.h"

#include "core/base/text.h"
#include "core/io/sha256.h"

#include <sstream>

namespace wb::convert {
namespace {

// FNV-1a: enough to notice a line that was cut.
std::uint64_t checkOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

std::string lineOf(const Journal::Entry& entry) {
    const auto& [index, sums] = entry;
    const std::string text = fmt::format("{} {} {} {} {}", index, shortest(sums.e2), shortest(sums.w2), shortest(sums.v2), shortest(sums.wv));
    return fmt::format("{} {:016x}\n", text, checkOf(text));
}

std::optional<Journal::Entry> parseLine(const std::string& line) {
    const std::size_t last = line.rfind(' ');
    if (last == std::string::npos || line.substr(last + 1) != fmt::format("{:016x}", checkOf(line.substr(0, last)))) return std::nullopt;
    std::istringstream words(line.substr(0, last));
    words.imbue(std::locale::classic());
    Journal::Entry entry;
    words >> entry.first >> entry.second.e2 >> entry.second.w2 >> entry.second.v2 >> entry.second.wv;
    return words.fail() ? std::nullopt : std::optional(entry);
}

std::map<std::uint64_t, ErrorSums> readEntries(const std::filesystem::path& path, const std::string& fingerprint) {
    std::map<std::uint64_t, ErrorSums> entries;
    std::ifstream in(path, std::ios::binary);
    std::string line;
    if (!std::getline(in, line) || line != fingerprint) return entries;
    while (std::getline(in, line)) {
        const auto entry = parseLine(line);
        if (!entry) break;
        entries.insert(*entry);
    }
    return entries;
}

void update(io::Sha256& hash, const auto& values) { hash.update(std::as_bytes(std::span(values))); }

} // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path, const std::string& fingerprint) {
    std::unique_ptr<Journal> journal(new Journal);
    journal->m_name = io::pathText(path.filename());
    journal->m_resumed = readEntries(path, fingerprint);
    // Written anew, so that a cut line is gone before the next one is appended.
    journal->m_file.open(path, std::ios::binary | std::ios::trunc);
    journal->m_file << fingerprint << '\n';
    const std::vector<Entry> known(journal->m_resumed.begin(), journal->m_resumed.end());
    WB_TRY(journal->append(known));
    return journal;
}

Result<void> Journal::append(const std::vector<Entry>& items) {
    for (const Entry& item : items) m_file << lineOf(item);
    if (!m_file.flush()) return fail(ErrorCode::NotReadable, WB_TEXT("{} cannot be written; choose another place."), m_name);
    return {};
}

Result<std::string> fingerprintOf(const QuantizePlan& plan, std::uint64_t itemElements) {
    io::Sha256 hash;
    update(hash, plan.header);
    for (const ModelFile& file : plan.model->files) {
        const io::Identity& id = file.identity;
        update(hash, fmt::format("{} {} {} {} {}\n", file.name, id.device, id.inode, id.bytes, id.modifiedNs));
    }
    for (const PlannedTensor& tensor : plan.tensors) update(hash, tensor.weights);
    update(hash, fmt::format("{}", itemElements));
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return "weighbridge quantize 1 " + io::hexText(digest);
}

} // namespace wb::convert
