// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Whether a model is complete and undamaged: strict structure, checksums, hashes, and with `isDeep` every value of its weights
// (docs/reference/command_line.md, "verify"). `wb verify` and the panel Integrity show the same report.
namespace wb::verify {

// Suspicious: something that no loader minds and no correct writer leaves. Damaged: a loader refuses it or reads other values than
// were written.
enum class Verdict : std::uint8_t { Intact, Suspicious, Damaged };
const char* verdictName(Verdict verdict); // "intact" …

// The source of an expected hash.
enum class HashSource : std::uint8_t { None, LfsPointer, HubCache, Option };
const char* hashSourceName(HashSource source); // "lfs pointer", "hf cache", "option"; empty for None

struct CheckedFile {
    std::string name; // relative to the model's folder
    std::uint64_t bytes = 0;
    std::string sha256;   // empty: not computed
    std::string expected; // a sha256, or 40 digits of git's SHA-1; empty: nothing is recorded
    HashSource source = HashSource::None;
    std::optional<bool> isGood; // empty: there is nothing to compare with
};

// One rule that was checked. The code of the problem is the rule, its file the place; its severity counts only where the check
// failed: Warning is suspicious, Error is damage.
struct Check {
    Problem problem;
    bool isPassed = false;
};

// Numbers of tensors.
struct ValueCounts {
    std::uint64_t checked = 0;
    std::uint64_t withNan = 0;
    std::uint64_t withInfinity = 0;
    std::uint64_t unavailable = 0;
};

struct Report {
    std::vector<CheckedFile> files;
    std::vector<Check> checks;
    std::optional<ValueCounts> values; // with `isDeep`
    std::optional<bool> isResumable;   // empty: the model is not a training checkpoint

    Verdict verdict() const; // the worst of files and checks
};

struct Options {
    bool isDeep = false;        // read every weight and look for NaN and infinite values
    bool hashesAll = false;     // compute the SHA-256 of every file; else only of those with a recorded or expected hash
    std::string expectedSha256; // of the file, 64 small hexadecimal digits; empty: none. Of files only
    unsigned threads = 0;       // 0: as many as the machine has
    Progress progress;          // counts bytes of the step at hand
};

// Checks a file or folder. Fails where it cannot be read at all (NotFound, NotReadable), is of no format that is read and no hash
// tells more (Unknown, Unsupported), and with Canceled; everything else is in the report. Blocks the calling thread.
Result<Report> verify(const std::filesystem::path& path, const Options& options);

} // namespace wb::verify
