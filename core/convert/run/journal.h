// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/output_plan.h"
#include "core/io/system/locked_file.h"

#include <array>
#include <map>
#include <memory>
#include <span>

namespace wb::run {

// The record of a finished item: the data that its producer needs when the run continues, and recordChecksum its bytes, by which a
// later run tells whether the part file still contains them.
struct Record {
    std::string text; // of any bytes, at most maxRecord
    std::uint64_t check = 0;
};
inline constexpr std::size_t maxRecord = 64;

// Any change to one word of eight bytes changes it. For a few gigabytes a second, not against an attacker.
std::uint64_t recordChecksum(std::span<const std::byte> bytes);

// The same of bytes that come one after another.
class Check {
public:
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const; // of all that was added
    std::uint64_t bytes() const { return m_bytes; }

private:
    static constexpr std::size_t blockBytes = 32;
    using Strands = std::array<std::uint64_t, blockBytes / sizeof(std::uint64_t)>;
    static constexpr std::uint64_t start = 0xcbf29ce484222325u;
    static void addBlock(Strands& strands, std::span<const std::byte, blockBytes> block);

    Strands m_strands{start, start + 1, start + 2, start + 3};
    std::array<std::byte, blockBytes> m_rest{}; // bytes of a block that is not whole yet
    std::uint64_t m_bytes = 0;
};

// A part file as the journal knows it: by its number and bytes it is distinguished from a later file with the same name.
struct PartMark {
    std::filesystem::path name; // from the folder of the journal on
    std::uint64_t number = 0;   // io::PartFile::number
    std::uint64_t bytes = 0;
};

// The contents of a journal. This is its only parser.
struct JournalText {
    JobId job;
    std::vector<PartMark> parts;
    std::map<std::uint64_t, Record> records; // by item
    bool isRenaming = false;                 // all items are done, and the files are getting their names
    std::size_t validBytes = 0;              // bytes up to the first line that was cut or damaged
};

// Empty where the text is not a journal of this version. The text is untrusted: counts are capped, part names that
// points outside the folder are omitted.
std::optional<JournalText> parseJournal(std::string_view text);

// Whether the text starts as a journal of any version of this program does.
bool isJournal(std::string_view text);

// Which items of a job are done, in a text file next to the part files. The first line is the job's id, then there is one for each
// part file; each further line is one finished item with its record. All but the first have a check value, so that a line cut by a
// crash is not believed. The caller flushes the data to the disk before it appends the records of them. Who holds the journal holds
// the target: a second run is refused. Not thread-safe.
class Journal {
public:
    // Takes the journal and reads what an earlier run of this job left, without changing it. NotWritable where another run contains
    // it or it cannot be written.
    static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& path, const JobId& job);

    // To be called once before anything is appended: continues where the earlier run ended, or forgets it and whatever else is
    // there.
    enum class Start { Resume, Anew };
    Result<void> begin(Start start);

    // To be called once after a restart, before the first item.
    Result<void> appendParts(const std::vector<PartMark>& parts);

    // The part files that the earlier run, of whatever job, made.
    const std::vector<PartMark>& formerParts() const { return m_former.parts; }

    // Whether no run has left anything here, of whatever job.
    bool isNew() const { return m_isNew; }

    // Whether the file is no journal at all but has the name of one.
    bool isForeign() const { return m_isForeign; }

    // Whether it holds work, but not of this job.
    bool isOfAnotherJob() const { return m_isOfAnotherJob; }

    // Finished items of the earlier run of this job.
    const std::map<std::uint64_t, Record>& records() const { return m_former.records; }

    // Whether there is no finished work to continue with.
    bool isEmpty() const { return m_former.records.empty() && !m_hasEntries; }

    // Whether the earlier run had written everything and started renaming the files.
    bool isRenaming() const { return m_former.isRenaming; }

    // What these append is on the disk when they return, the name of the journal aside.
    using Entry = std::pair<std::uint64_t, Record>;
    Result<void> append(const std::vector<Entry>& items);
    Result<void> markRenaming();
    void remove() { m_file->remove(); }

private:
    Journal() = default;

    JobId m_job;
    JournalText m_former;
    std::size_t m_keptHead = 0; // bytes of the first line in the file; never 0 in between, since the line reserves the part files
    bool m_isNew = true;
    bool m_isForeign = false;
    bool m_isOfAnotherJob = false;
    bool m_hasEntries = false; // of this run
    std::unique_ptr<io::LockedFile> m_file;
};

} // namespace wb::run
