// SPDX-License-Identifier: MIT
#include "core/convert/run/run_files.h"

#include "core/base/text.h"
#include "core/convert/run/work_files.h"
#include "core/io/disk_space.h"
#include "core/io/failures.h"
#include "core/io/target.h"

#include <algorithm>
#include <array>

namespace wb::run {
namespace {

namespace fs = std::filesystem;

bool hasSize(const fs::path& path, std::uint64_t bytes) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) == bytes;
}

// 0 where there is not such a file.
std::uint64_t sizeFromPath(const fs::path& path) {
    std::error_code error;
    const std::uint64_t bytes = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    return error ? 0 : bytes;
}

std::unexpected<Error> isTaken(ErrorCode code, const fs::path& path) {
    return fail(code, targetExists, About{io::baseName(path)},
                WB_TEXT("{} already exists; choose another name, or allow replacing it."), io::baseName(path));
}

} // namespace

RunFiles::RunFiles(const OutputPlan& plan) : m_plan(plan), m_journalPath(journalPath(plan.target)) {
    for (const PlannedFile& file : plan.files) m_parts.push_back(partPath(file.path));
}

Result<void> RunFiles::open(bool replace, bool restart, const std::function<Result<void>()>& ready) {
    m_replace = replace;
    WB_TRY(checkSources());
    for (const PlannedFile& file : m_plan.files) WB_TRY(io::checkReplaceable(file.path));
    WB_TRY(named(openJournal()));
    m_resumes = !restart && !m_journal->records().empty();
    // A part may be longer: another job that was killed before it began has reserved space there.
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        m_resumes = m_resumes && (sizeFromPath(m_parts[i]) >= planned(i).bytes || isRenamed(i));
    m_hasDropped = !restart && m_journal->isOfAnotherJob();
    return begin(ready);
}

Result<void> RunFiles::startOver() {
    m_resumes = false;
    m_open.clear();
    return begin([] { return Result<void>(); });
}

// Nothing is changed before everything is allowed and all parts have their space: until then an earlier run's work is complete.
Result<void> RunFiles::begin(const std::function<Result<void>()>& ready) {
    auto allowed = checkTargets();
    if (allowed) allowed = checkSpace();
    if (allowed) allowed = ready();
    if (allowed && m_journal->isNew())
        allowed = named(m_journal->begin(Journal::Start::Anew)); // a kill leaves no parts without one
    if (allowed) allowed = named(openParts());
    if (!allowed) return refuse(std::move(allowed));
    WB_TRY(named(beginJournal()));
    WB_TRY(named(beginParts()));
    io::flushFolder(m_journalPath.parent_path()); // the parts are there too
    return {};
}

// Delete old part files before the journal that lists them.
Result<void> RunFiles::beginJournal() {
    if (m_resumes) return m_journal->begin(Journal::Start::Resume);
    removeFormerParts();
    if (!m_journal->isNew()) WB_TRY(m_journal->begin(Journal::Start::Anew));
    std::vector<PartMark> marks;
    for (std::size_t i = 0; i < m_open.size(); ++i) {
        const fs::path name = folder().empty() ? m_parts[i] : m_parts[i].lexically_relative(folder());
        marks.push_back({name, m_open[i]->number(), planned(i).bytes});
    }
    return m_journal->appendParts(marks);
}

// Of another job on this target, which may have had other part files.
void RunFiles::removeFormerParts() const {
    for (const PartMark& mark : m_journal->formerParts()) {
        const fs::path part = folder() / mark.name;
        if (std::ranges::find(m_parts, part) == m_parts.end() && !sourceAt(m_plan.sources, part))
            io::PartFile::removeLeft(part, mark.number, mark.bytes);
    }
}

// A journal that found no space for its first line holds nothing.
Result<void> RunFiles::openJournal() {
    auto opened = Journal::open(m_journalPath, m_plan.job);
    std::error_code ignored;
    if (!opened && opened.error().code == ErrorCode::NoSpace) fs::remove(m_journalPath, ignored);
    WB_TRY_ASSIGN(m_journal, std::move(opened));
    return {};
}

// Names the first file where the disk is full, whichever of the run's files found it so.
Result<void> RunFiles::named(Result<void> result) const {
    if (!result && result.error().code == ErrorCode::NoSpace) return io::noRoom(io::baseName(planned(0).path));
    return result;
}

// The files of an earlier run survive the error; a journal that was made just now does not.
Result<void> RunFiles::refuse(Result<void> refusal) {
    m_open.clear();
    if (m_journal->isNew()) m_journal->remove();
    m_journal.reset();
    return refusal;
}

// A run that was killed between two renames left a file in place that is its own.
bool RunFiles::isRenamed(std::size_t file) const {
    std::error_code ignored;
    return m_resumes && m_journal && m_journal->isRenaming() && !fs::exists(m_parts[file], ignored) &&
           hasSize(planned(file).path, planned(file).bytes);
}

// Working files count too: they are emptied or removed without a question.
Result<void> RunFiles::checkSources() const {
    std::vector<fs::path> files;
    for (const PlannedFile& file : m_plan.files) files.push_back(file.path);
    for (const fs::path& path : workFiles(m_plan.target, files)) {
        if (const auto source = sourceAt(m_plan.sources, path))
            return fail(ErrorCode::Invalid, Reason("run.target_is_source"), About{*source},
                        WB_TEXT("{} is an input of this job and would be overwritten; choose another output name."), *source);
    }
    return {};
}

Result<void> RunFiles::checkTargets() const {
    if (m_replace) return {};
    if (m_journal->isForeign()) return isTaken(ErrorCode::Invalid, m_journalPath);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (io::isTaken(planned(i).path) && !isRenamed(i)) return isTaken(ErrorCode::Invalid, planned(i).path);
        if (io::isTaken(m_parts[i]) && m_journal->isNew()) return isTaken(ErrorCode::Invalid, m_parts[i]);
    }
    return {};
}

// Parts of a run that is resumed have their space already; others use that of the part they follow.
Result<void> RunFiles::checkSpace() const {
    if (m_resumes) return {};
    std::uint64_t needed = 0, given = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        needed += planned(i).bytes;
        given += std::min(planned(i).bytes, sizeFromPath(m_parts[i])); // no part is made shorter before all are longer
    }
    const fs::path& first = planned(0).path;
    const auto space = io::freeSpace(first);
    if (!space || *space + given >= needed) return {}; // where the system does not specify, the disk will
    return fail(ErrorCode::NoSpace, Reason("run.disk_space"), About{io::baseName(first)},
                WB_TEXT("{} needs {} of disk space, but only {} is free; free some space or choose another folder."),
                io::baseName(first), humanBytes(needed), humanBytes(*space + given));
}

Result<void> RunFiles::openParts() {
    m_open.resize(m_parts.size());
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (isRenamed(i)) continue;
        WB_TRY_ASSIGN(m_open[i], io::PartFile::open(m_parts[i], planned(i).bytes));
    }
    return {};
}

Result<void> RunFiles::beginParts() {
    std::vector<std::vector<Range>> covered(m_parts.size());
    for (const Item& item : m_plan.items) covered[item.file].emplace_back(item.offset, item.offset + item.bytes);
    for (std::uint32_t i = 0; i < m_parts.size(); ++i) {
        if (!m_open[i]) continue;
        WB_TRY(m_open[i]->begin());
        WB_TRY(m_open[i]->writeAt(0, std::as_bytes(std::span(planned(i).header))));
        WB_TRY(writeGaps(i, std::move(covered[i])));
    }
    return {};
}

// No item covers the bytes between two items, so that only this makes those of a part that was there what they must be.
Result<void> RunFiles::writeGaps(std::uint32_t file, std::vector<Range> covered) {
    std::ranges::sort(covered);
    std::uint64_t at = planned(file).header.size();
    for (const auto& [begin, end] : covered) {
        WB_TRY(writeZeros(file, at, begin));
        at = std::max(at, end);
    }
    return writeZeros(file, at, planned(file).bytes);
}

Result<void> RunFiles::writeZeros(std::uint32_t file, std::uint64_t begin, std::uint64_t end) {
    static constexpr std::array<std::byte, 4096> zeros{};
    while (begin < end) {
        const std::uint64_t count = std::min<std::uint64_t>(zeros.size(), end - begin);
        WB_TRY(m_open[file]->writeAt(begin, std::span(zeros).first(count)));
        begin += count;
    }
    return {};
}

bool RunFiles::holds(const Item& item, std::uint64_t check, std::vector<std::byte>& buffer) const {
    const auto source = io::FileSource::open(workPath(item.file));
    buffer.resize(item.bytes);
    return source && (*source)->readAt(item.offset, buffer) && recordChecksum(buffer) == check;
}

Result<void> RunFiles::write(const Item& item, std::span<const std::byte> bytes) {
    return m_open[item.file]->writeAt(item.offset, bytes);
}

Result<void> RunFiles::flush() {
    for (const auto& file : m_open)
        if (file) WB_TRY(file->flush());
    return {};
}

Result<void> RunFiles::verify(std::size_t file) const {
    const fs::path path = workPath(file);
    if (!io::isTaken(path))
        return fail(ErrorCode::Changed, Reason("run.part_removed"), About{io::baseName(planned(file).path)},
                    WB_TEXT("Cannot finish {}, because {} was removed in the meantime; start again."),
                    io::baseName(planned(file).path), io::baseName(path));
    WB_TRY_ASSIGN(const auto written, io::FileSource::open(path));
    bool isAsPlanned = written->size() == planned(file).bytes;
    if (isAsPlanned && planned(file).isAsPlanned) {
        WB_TRY_ASSIGN(isAsPlanned, planned(file).isAsPlanned(*written));
    }
    if (isAsPlanned) return {};
    return fail(ErrorCode::Internal, Reason("run.not_as_planned"), About{io::baseName(planned(file).path)},
                WB_TEXT("{} was not written as planned; please report this bug."), io::baseName(planned(file).path));
}

// The refusal keeps the work, as its code says that the same run can succeed later: with leave to replace.
Result<void> RunFiles::rename(std::size_t file) {
    WB_TRY_ASSIGN(const bool isRenamed, m_open[file]->renameTo(planned(file).path, m_replace));
    if (!isRenamed) return isTaken(ErrorCode::NotWritable, planned(file).path);
    return {};
}

Result<void> RunFiles::finish() {
    for (std::size_t i = 0; i < m_parts.size(); ++i) WB_TRY(verify(i));
    WB_TRY(flush());
    if (!m_journal->isRenaming()) WB_TRY(m_journal->markRenaming());
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

} // namespace wb::run
