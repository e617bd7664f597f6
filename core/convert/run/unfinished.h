// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/output_plan.h"
#include "core/io/system/locked_file.h"

#include <memory>

// The runs that were started and have not ended: enough is kept of each to continue with it after a crash or a restart. Records are
// in the folder "unfinished" of the state folder, one small file a target, so that all programs of this user see each other's runs;
// part files and journals are next to the targets. Everything here touches the disk; a journal is read whole. Thread-safe.
namespace wb::run {

// The record of a run from its start.
struct RunRecord {
    std::string kind;                         // of its producer: "quantize"
    std::filesystem::path target;             // OutputPlan::target, absolute
    std::filesystem::path source;             // input paths, absolute
    std::string plan;                         // a text that its producer makes the same plan from; empty: none exists
    std::vector<std::filesystem::path> files; // OutputPlan::files
    bool replace = false;                     // the target may exist
    // Of a producer whose items are all of one size but the last, and whose journal records a number for an item of which only this
    // many bytes are written: progress is then counted in bytes. 0: progress is counted in items.
    std::uint64_t bytes = 0; // of all items
    std::uint64_t itemBytes = 0;

    bool operator==(const RunRecord&) const = default;
};

struct UnfinishedRun {
    enum class State {
        Waiting, // can be taken up or discarded
        Held,    // runs at this moment, in this program or another
        Away,    // the folder of the target does not exist, as that of a disk which was taken out
    };
    RunRecord record;
    State state = State::Waiting;
    std::optional<int> percent;                // of its bytes where these are known, else of its items; empty: not known
    std::optional<std::uint64_t> written = {}; // of RunRecord::bytes; empty: not known
    std::uint64_t bytes = 0;                   // that part files and journal occupy
    std::optional<std::int64_t> changed;       // when something was written to it last, in seconds since 1970
    bool canResume = false;                    // it waits, its plan is recorded and its journal is of this version
    std::string fingerprint; // JobId::fingerprint; empty where the journal contains no finished item of this version

    bool operator==(const UnfinishedRun&) const = default;
};

// Says for as long as it exists that a run to the target lives, also before its journal is there. The system ends it with the
// process, however that ends. Its record stays as long as the journal does.
class Claim {
public:
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    // Puts the record in the place of that of an earlier run, whose work is dropped or continued with now. The run itself calls it.
    void writeRecord();

private:
    friend Result<std::unique_ptr<Claim>> claim(const std::filesystem::path& stateFolder, RunRecord record);
    Claim(std::filesystem::path file, RunRecord record, std::unique_ptr<io::LockedFile> lock);

    std::filesystem::path m_file; // of the record
    RunRecord m_record;
    std::unique_ptr<io::LockedFile> m_lock;
};

// Claims the target for a run that is about to start or to be resumed. The record of an earlier run to that target stays until
// Claim::writeRecord. NotWritable where another run holds the target or nothing can be written; Unsupported where a path is not
// UTF-8. A run can continue without a claim; it is then not listed.
Result<std::unique_ptr<Claim>> claim(const std::filesystem::path& stateFolder, RunRecord record);

// All of them, those that were written to last first. Records whose journal is gone are removed on the way, unless the run lives or
// the whole folder is gone.
std::vector<UnfinishedRun> listUnfinished(const std::filesystem::path& stateFolder);

// The one to this target, also where it has a journal but no record here. Empty where there is neither.
std::optional<UnfinishedRun> unfinishedAt(const std::filesystem::path& stateFolder, const std::filesystem::path& target);

// Removes part files, journal and record. NotFound (`noUnfinishedRun`) if none exists to this target, NotWritable where it is
// held; all stays then.
inline constexpr Reason noUnfinishedRun("run.none_unfinished");
Result<void> discard(const std::filesystem::path& stateFolder, const std::filesystem::path& target);

} // namespace wb::run
