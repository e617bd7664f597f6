// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/journal.h"
#include "core/io/part_file.h"

namespace wb::convert {

// The files of one run: every file of the new model under its temporary name, and the journal, which keeps other runs away from the
// target. Writes are thread-safe, everything else is one thread's.
class RunFiles {
public:
    RunFiles(const QuantizePlan& plan, std::filesystem::path target);

    // Refuses a target that exists or a part that no run left (unless `replace`), one that is no file, a name of ours that the
    // model or the matrix has, a target another run holds, and a disk without room for what is still to be written; none of them
    // changes anything. What an earlier run of the same job left is then taken over, unless `restart`; that of another job is
    // dropped, with its parts where they have other names.
    Result<void> open(const std::string& fingerprint, std::uint64_t items, bool replace, bool restart);

    // Drops what was taken over, where that turns out to be of no use. Refuses as open() does.
    Result<void> startOver();

    // Whether an earlier run gave the file its name already: it is no part any more, and cannot be written.
    bool isRenamed(std::size_t file) const;

    // Whether the bytes that an earlier run wrote there are those it recorded. Thread-safe; `buffer` is scratch.
    bool holds(std::uint32_t file, std::uint64_t offset, std::uint64_t bytes, std::uint64_t check,
               std::vector<std::byte>& buffer) const;

    // Whether open() dropped what a run of another job had left, without being asked to begin anew.
    bool hasDropped() const { return m_hasDropped; }

    Journal& journal() { return *m_journal; }
    bool hasWork() const { return m_journal && !m_journal->isEmpty(); } // that a later run can go on with
    Result<void> write(std::uint32_t file, std::uint64_t offset, std::span<const std::byte> bytes);
    Result<void> flush();

    // Checks that the written files read back strictly as planned, then gives them their names, the first file last: whoever sees
    // it sees a whole model. Removes the journal. A name that was taken meanwhile is refused unless open() may replace it
    // (NotWritable, `targetExists`); journal and parts then stay.
    Result<void> finish();

    // Removes the journal and the parts, if they are this run's.
    void discard();

private:
    Result<void> openJournal(const std::string& fingerprint, std::uint64_t items);
    Result<void> begin();
    Result<void> named(Result<void> result) const;
    Result<void> checkSources() const;
    Result<void> checkTargets() const;
    Result<void> checkRoom() const;
    Result<void> refuse(Result<void> refusal);
    Result<void> openParts();
    void removeFormerParts() const;
    Result<void> beginJournal();
    Result<void> beginParts();
    Result<void> writePadding(std::uint32_t file);
    Result<void> verify() const;
    Result<void> rename(std::size_t file);

    const QuantizePlan& m_plan;
    std::filesystem::path m_target;               // as it was named
    std::vector<std::filesystem::path> m_targets; // one a file
    std::vector<std::filesystem::path> m_parts;
    std::filesystem::path m_journalPath;
    std::vector<std::unique_ptr<io::PartFile>> m_open;
    std::unique_ptr<Journal> m_journal;
    bool m_replace = false;
    bool m_goesOn = false; // where an earlier run ended
    bool m_hasDropped = false;
};

} // namespace wb::convert
