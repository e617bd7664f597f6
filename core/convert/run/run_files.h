// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/journal.h"
#include "core/io/system/part_file.h"

namespace wb::run {

// The refusal of a name that is taken, whose way out is to allow that the file is replaced. Programs add what they call it.
inline constexpr Reason targetExists("run.target_exists");

// The files of one run: every planned file under its temporary name, and the journal, which keeps other runs away from the target.
// Writes are thread-safe, everything else is one thread's.
class RunFiles {
public:
    explicit RunFiles(const OutputPlan& plan); // which outlives it

    // Refuses a target that exists or a part that no run left (unless `replace`), one that is not a file, a name of ours that a
    // source has, a target another run holds, and a disk without space for the rest of the output; none of them changes anything.
    // The files of an earlier run of the same job are then reused, unless `restart`; that of another job is dropped, with its parts
    // where they have other names.
    // `ready` is asked last, and its error is one more refusal.
    Result<void> open(bool replace, bool restart, const std::function<Result<void>()>& ready);

    // Drops what was taken over, where that turns out to be of no use. Refuses as open() does.
    Result<void> startOver();

    // Whether an earlier run gave the file its name already: it is no longer a part file and cannot be written.
    bool isRenamed(std::size_t file) const;

    // Whether the bytes that an earlier run wrote for the item are those it recorded. Thread-safe; `buffer` is scratch.
    bool holds(const Item& item, std::uint64_t check, std::vector<std::byte>& buffer) const;

    // Where the bytes of the file are by now: under its temporary name or its own.
    std::filesystem::path workPath(std::size_t file) const { return isRenamed(file) ? planned(file).path : m_parts[file]; }

    // Whether open() dropped what a run of another job had left, without being asked to restart.
    bool hasDropped() const { return m_hasDropped; }

    Journal& journal() { return *m_journal; }
    bool hasWork() const { return m_journal && !m_journal->isEmpty(); } // that a later run can continue with
    Result<void> write(const Item& item, std::span<const std::byte> bytes);
    Result<void> flush();

    // Checks that the written files read back as planned, then gives them their names, the first file last. Removes the journal. A
    // name that was taken meanwhile is refused unless open() may replace it (NotWritable, `targetExists`); journal and parts then
    // stay.
    Result<void> finish();

    // Removes the journal and the parts, if they are this run's.
    void discard();

private:
    Result<void> openJournal();
    Result<void> begin(const std::function<Result<void>()>& ready);
    Result<void> named(Result<void> result) const;
    Result<void> checkSources() const;
    Result<void> checkTargets() const;
    Result<void> checkSpace() const;
    Result<void> refuse(Result<void> refusal);
    Result<void> openParts();
    void removeFormerParts() const;
    Result<void> beginJournal();
    Result<void> beginParts();
    using Range = std::pair<std::uint64_t, std::uint64_t>; // begin and end, in bytes of a file
    Result<void> writeGaps(std::uint32_t file, std::vector<Range> covered);
    Result<void> writeZeros(std::uint32_t file, std::uint64_t begin, std::uint64_t end);
    Result<void> verify(std::size_t file) const;
    Result<void> rename(std::size_t file);
    std::filesystem::path folder() const { return m_plan.target.parent_path(); }
    const PlannedFile& planned(std::size_t file) const { return m_plan.files[file]; }

    const OutputPlan& m_plan;
    std::vector<std::filesystem::path> m_parts; // one a file
    std::filesystem::path m_journalPath;
    std::vector<std::unique_ptr<io::PartFile>> m_open;
    std::unique_ptr<Journal> m_journal;
    bool m_replace = false;
    bool m_resumes = false; // where an earlier run ended
    bool m_hasDropped = false;
};

} // namespace wb::run
