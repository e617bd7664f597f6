// SPDX-License-Identifier: MIT
#include "core/convert/run/run_files.h"

#include "core/base/text.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/formats/gguf/part.h"
#include "core/io/disk_space.h"
#include "core/io/failures.h"
#include "core/io/target.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

fs::path withSuffix(fs::path path, const char* suffix) { return path += suffix; }

bool hasSize(const fs::path& path, std::uint64_t bytes) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) == bytes;
}

// 0 where there is no such file.
std::uint64_t sizeOf(const fs::path& path) {
    std::error_code error;
    const std::uint64_t bytes = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    return error ? 0 : bytes;
}

} // namespace

RunFiles::RunFiles(const QuantizePlan& plan, fs::path target)
    : m_plan(plan), m_target(std::move(target)), m_targets(targetPaths(plan, m_target)),
      m_journalPath(withSuffix(m_target, ".part.journal")) {
    for (const fs::path& path : m_targets) m_parts.push_back(withSuffix(path, ".part"));
}

Result<void> RunFiles::open(const std::string& fingerprint, std::uint64_t items, bool replace, bool restart) {
    m_replace = replace;
    WB_TRY(checkSources());
    for (const fs::path& target : m_targets) WB_TRY(io::checkReplaceable(target));
    WB_TRY(named(openJournal(fingerprint, items)));
    m_goesOn = !restart && !m_journal->resumed().empty();
    // A part may be longer: another job that was killed before it began has taken room there.
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        m_goesOn = m_goesOn && (sizeOf(m_parts[i]) >= m_plan.files[i].bytes || isRenamed(i));
    m_hasDropped = !restart && m_journal->isOfAnotherJob();
    return begin();
}

Result<void> RunFiles::startOver() {
    m_goesOn = false;
    m_open.clear();
    return begin();
}

// Nothing is changed before everything is allowed and all parts have their room: until then an earlier run's work is whole.
Result<void> RunFiles::begin() {
    auto allowed = checkTargets();
    if (allowed) allowed = checkRoom();
    if (allowed && m_journal->isNew())
        allowed = named(m_journal->begin(Journal::Start::Anew)); // a kill leaves no parts without one
    if (allowed) allowed = named(openParts());
    if (!allowed) return refuse(std::move(allowed));
    WB_TRY(named(beginJournal()));
    WB_TRY(named(beginParts()));
    io::flushFolder(m_journalPath.parent_path()); // the parts lie there too
    return {};
}

// With the journal nobody would know any more that the former parts may go.
Result<void> RunFiles::beginJournal() {
    if (m_goesOn) return m_journal->begin(Journal::Start::GoOn);
    removeFormerParts();
    if (!m_journal->isNew()) WB_TRY(m_journal->begin(Journal::Start::Anew));
    JobParts parts{m_plan.keepSplit, {}};
    for (std::size_t i = 0; i < m_open.size(); ++i) parts.marks.push_back({m_open[i]->number(), m_plan.files[i].bytes});
    return m_journal->noteParts(parts);
}

// Of another job on this target, which may have had another number of them.
void RunFiles::removeFormerParts() const {
    const auto& [isSplit, marks] = m_journal->formerParts();
    const auto targets = isSplit ? splitPaths(m_target, marks.size()) : std::vector(marks.size(), m_target);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const fs::path part = withSuffix(targets[i], ".part");
        if (std::ranges::find(m_parts, part) == m_parts.end() && !sourceAt(m_plan, part))
            io::PartFile::removeLeft(part, marks[i].number, marks[i].bytes);
    }
}

// A journal that found no room for its first line holds nothing.
Result<void> RunFiles::openJournal(const std::string& fingerprint, std::uint64_t items) {
    auto opened = Journal::open(m_journalPath, fingerprint, items);
    std::error_code ignored;
    if (!opened && opened.error().code == ErrorCode::NoRoom) fs::remove(m_journalPath, ignored);
    WB_TRY_ASSIGN(m_journal, std::move(opened));
    return {};
}

// Names the model where there is no room, whichever of the run's files found none.
Result<void> RunFiles::named(Result<void> result) const {
    if (!result && result.error().code == ErrorCode::NoRoom) return io::noRoom(io::baseName(m_targets.front()));
    return result;
}

// What an earlier run left outlives the refusal; a journal that was made just now does not.
Result<void> RunFiles::refuse(Result<void> refusal) {
    m_open.clear();
    if (m_journal->isNew()) m_journal->remove();
    m_journal.reset();
    return refusal;
}

// A run that was killed between two renames left a file in place that is its own.
bool RunFiles::isRenamed(std::size_t file) const {
    std::error_code ignored;
    return m_goesOn && m_journal && m_journal->renaming() && !fs::exists(m_parts[file], ignored) &&
           hasSize(m_targets[file], m_plan.files[file].bytes);
}

// Working files count too: they are emptied or removed without a question.
Result<void> RunFiles::checkSources() const {
    std::vector<fs::path> ours = m_targets;
    ours.insert(ours.end(), m_parts.begin(), m_parts.end());
    ours.push_back(m_journalPath);
    for (const fs::path& path : ours) {
        if (const auto source = sourceAt(m_plan, path))
            return fail(ErrorCode::Invalid,
                        WB_TEXT("{} is read for this and would be overwritten; choose another name for the result."), *source);
    }
    return {};
}

Result<void> RunFiles::checkTargets() const {
    if (m_replace) return {};
    if (m_journal->isForeign()) return fail(ErrorCode::Invalid, targetExists, io::baseName(m_journalPath));
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        if (io::isTaken(m_targets[i]) && !isRenamed(i)) return fail(ErrorCode::Invalid, targetExists, io::baseName(m_targets[i]));
        if (io::isTaken(m_parts[i]) && m_journal->isNew()) return fail(ErrorCode::Invalid, targetExists, io::baseName(m_parts[i]));
    }
    return {};
}

// Parts that are gone on with have their room already; others use that of the part they follow.
Result<void> RunFiles::checkRoom() const {
    if (m_goesOn) return {};
    std::uint64_t needed = 0, given = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        needed += m_plan.files[i].bytes;
        given += std::min(m_plan.files[i].bytes, sizeOf(m_parts[i])); // no part is made shorter before all are longer
    }
    const auto room = io::freeSpace(m_targets[0]);
    if (!room || *room + given >= needed) return {}; // a system that does not say finds out by itself
    return fail(ErrorCode::NoRoom, WB_TEXT("{} needs {} on the disk, but only {} are free; make room or choose another place."),
                io::baseName(m_targets[0]), humanBytes(needed), humanBytes(*room + given));
}

Result<void> RunFiles::openParts() {
    m_open.resize(m_parts.size());
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (isRenamed(i)) continue;
        WB_TRY_ASSIGN(m_open[i], io::PartFile::open(m_parts[i], m_plan.files[i].bytes));
    }
    return {};
}

Result<void> RunFiles::beginParts() {
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_open[i]) continue;
        WB_TRY(m_open[i]->begin());
        WB_TRY(m_open[i]->writeAt(0, std::as_bytes(std::span(m_plan.files[i].header))));
        WB_TRY(writePadding(static_cast<std::uint32_t>(i)));
    }
    return {};
}

// No item covers the bytes between two tensors, so that only this makes those of a part that was there what they must be.
Result<void> RunFiles::writePadding(std::uint32_t file) {
    constexpr std::array<std::byte, gguf::writtenAlignment> zeros{};
    for (const PlannedTensor& tensor : m_plan.tensors) {
        const std::uint64_t used = tensor.bytes % zeros.size();
        if (tensor.file != file || used == 0) continue;
        WB_TRY(m_open[file]->writeAt(tensor.offset + tensor.bytes, std::span(zeros).subspan(used)));
    }
    return {};
}

bool RunFiles::holds(std::uint32_t file, std::uint64_t offset, std::uint64_t bytes, std::uint64_t check,
                     std::vector<std::byte>& buffer) const {
    const auto source = io::FileSource::open(isRenamed(file) ? m_targets[file] : m_parts[file]);
    buffer.resize(bytes);
    return source && (*source)->readAt(offset, buffer) && checkOf(buffer) == check;
}

Result<void> RunFiles::write(std::uint32_t file, std::uint64_t offset, std::span<const std::byte> bytes) {
    return m_open[file]->writeAt(offset, bytes);
}

Result<void> RunFiles::flush() {
    for (const auto& file : m_open)
        if (file) WB_TRY(file->flush());
    return {};
}

Result<void> RunFiles::verify() const {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    for (std::uint32_t f = 0; f < m_parts.size(); ++f) {
        std::vector<const PlannedTensor*> planned;
        for (const PlannedTensor& tensor : m_plan.tensors)
            if (tensor.file == f) planned.push_back(&tensor);
        const fs::path& path = isRenamed(f) ? m_targets[f] : m_parts[f];
        if (!io::isTaken(path))
            return fail(ErrorCode::Changed, WB_TEXT("{} cannot be finished, because {} was removed meanwhile; start it again."),
                        io::baseName(m_targets[f]), io::baseName(path));
        WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
        WB_TRY_ASSIGN(const gguf::Part written, gguf::readPart(*source, source->name(), options));
        const auto isAsPlanned = [](const TensorInfo& tensor, const PlannedTensor* plan) {
            return tensor.dtype == plan->to && tensor.offset == plan->offset && tensor.bytes == plan->bytes;
        };
        if (source->size() != m_plan.files[f].bytes || !std::ranges::equal(written.tensors, planned, isAsPlanned))
            return fail(ErrorCode::Internal, WB_TEXT("{} was not written as planned; please report this."),
                        io::baseName(m_targets[f]));
    }
    return {};
}

// The refusal keeps the work, as its code says that the same run can succeed later: with leave to replace.
Result<void> RunFiles::rename(std::size_t file) {
    WB_TRY_ASSIGN(const bool isRenamed, m_open[file]->renameTo(m_targets[file], m_replace));
    if (!isRenamed) return fail(ErrorCode::NotWritable, targetExists, io::baseName(m_targets[file]));
    return {};
}

Result<void> RunFiles::finish() {
    WB_TRY(verify());
    WB_TRY(flush());
    if (!m_journal->renaming()) WB_TRY(m_journal->markRenaming());
    for (std::size_t i = m_parts.size(); i-- > 0;)
        if (m_open[i]) WB_TRY(rename(i));
    m_open.clear();
    m_journal->remove();
    m_journal.reset();
    return {};
}

void RunFiles::discard() {
    if (!m_journal) return;
    std::error_code ignored;
    for (std::size_t i = 0; i < m_open.size(); ++i) {
        if (!m_open[i]) continue;
        m_open[i].reset();
        fs::remove(m_parts[i], ignored);
    }
    m_open.clear();
    m_journal->remove();
    m_journal.reset();
}

} // namespace wb::convert
