// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/work_items.h"
#include "core/io/locked_file.h"

#include <filesystem>
#include <map>
#include <memory>
#include <span>

namespace wb::convert {

// What is known of a finished item: its error sums, and checkOf its bytes, by which a later run tells whether they are still there.
struct ItemRecord {
    ErrorSums sums;
    std::uint64_t check = 0;
};

// Any change to one word of eight bytes changes it. For a few gigabytes a second, not against somebody who means it.
std::uint64_t checkOf(std::span<const std::byte> bytes);

// The part files of a job: whether they are those of a split, and of each its number and bytes, by which it is told from another
// file that has got its name.
struct JobParts {
    struct Mark {
        std::uint64_t number = 0; // io::PartFile::number
        std::uint64_t bytes = 0;
    };
    bool isSplit = false;
    std::vector<Mark> marks; // in order
};

// Which items of a job are done, in a text file beside the part files. The first line is the job's fingerprint, then there is one
// for each of its parts; each further line is one finished item with its record. All but the first have a check value, so that a
// line cut by a crash is not believed. The caller flushes the data to the disk before it appends the lines that speak of them. Who
// holds the journal holds the target: a second run is refused.
class Journal {
public:
    // Takes the journal and reads what an earlier run of this job left, without changing it. NotWritable where another run holds it
    // or it cannot be written. `items` is the number of items of the job.
    static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& path, const std::string& fingerprint,
                                                 std::uint64_t items);

    // To be called once before anything is noted: goes on where the earlier run ended, or forgets it and whatever else is there.
    enum class Start { GoOn, Anew };
    Result<void> begin(Start start);

    // To be called once after it began anew, before the first item.
    Result<void> noteParts(const JobParts& parts);

    // What the earlier run, of whatever job, noted of its parts.
    const JobParts& formerParts() const { return m_formerParts; }

    // Whether no run has left anything here, of whatever job.
    bool isNew() const { return m_isNew; }

    // Whether the file is no journal at all but has the name of one.
    bool isForeign() const { return m_isForeign; }

    // Whether it tells of work, but not of this job's.
    bool isOfAnotherJob() const { return m_isOfAnotherJob; }

    // Finished items of the earlier run.
    const std::map<std::uint64_t, ItemRecord>& resumed() const { return m_resumed; }

    // Whether there is nothing to go on with.
    bool isEmpty() const { return m_resumed.empty() && !m_hasEntries; }

    // Whether the earlier run had written everything and begun to give the files their names.
    bool renaming() const { return m_renaming; }

    // What these note is on the disk when they return, the name of the journal aside.
    using Entry = std::pair<std::uint64_t, ItemRecord>;
    Result<void> append(const std::vector<Entry>& items);
    Result<void> markRenaming();
    void remove() { m_file->remove(); }

private:
    Journal() = default;
    std::size_t readParts(std::string_view text);                                                      // where they end
    std::size_t readLines(std::string_view text, const std::string& fingerprint, std::uint64_t items); // bytes that are believed

    std::map<std::uint64_t, ItemRecord> m_resumed;
    std::string m_fingerprint;
    JobParts m_formerParts;
    std::size_t m_believed = 0; // bytes
    bool m_isNew = true;
    bool m_isForeign = false;
    bool m_isOfAnotherJob = false;
    bool m_renaming = false;
    bool m_hasEntries = false; // of this run
    std::unique_ptr<io::LockedFile> m_file;
};

// What tells one job from another: the inode, size and time of the source's files and of the importance matrix, wherever they are
// mounted and whatever their folder is called, the headers of the new files, which weights each tensor has and the item size.
Result<std::string> fingerprintOf(const QuantizePlan& plan, std::uint64_t itemElements);

} // namespace wb::convert
