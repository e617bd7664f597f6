// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <cstdint>
#include <string>
#include <vector>

// Code that loading a file in its original program would run (docs/reference/safety.md, "Verdict levels"). Nothing here is ever
// run.
namespace wb {

// The classification of a name that a pickle refers to, and of a file as the worst of its names.
enum class DangerLevel : std::uint8_t {
    A, // builds tensors and plain data
    B, // builds objects of known libraries, which run nothing when they are loaded
    C, // not known
    D  // known to be dangerous
};

// The end of `wb scan` and the badge of the window: A and B are clean. NotChecked: no reader parsed the file, so the code that
// loading it would run is unknown.
enum class Verdict : std::uint8_t { Clean, NotChecked, Suspicious, Dangerous };

// The effect of loading, in one word for a file or a whole scan.
enum class DangerKind : std::uint8_t {
    TensorsOnly,
    KnownLibraries,
    UnknownCode,
    DangerousCode,
    Malformed, // broken or not to be followed
    NotChecked
};

// The verdict of a file with a finding of this severity.
Verdict severityVerdict(Severity severity);

const char* levelName(DangerLevel level); // "A" … "D"
const char* verdictName(Verdict verdict); // "clean", "not checked", "suspicious", "dangerous"

// One thing that a loader would do: a call, or a reference to a name of level C or D.
struct DangerousCall {
    std::uint32_t file = 0;     // index into the files of the report
    std::uint32_t stream = 0;   // of the file, from 0
    std::uint64_t position = 0; // of the opcode in its stream
    std::string module;
    std::string name;
    DangerLevel level = DangerLevel::A;
    const char* how = "import"; // reduce newobj inst obj build setitem persid ext import
    std::string arguments;      // cut at 120 characters
    bool isBeyondStop = false;  // a loader fails before it gets here
};

struct DangerousName {
    std::string module;
    std::string name;
    DangerLevel level = DangerLevel::A;
    std::uint64_t position = 0;
};

// An opcode of a pickle as a disassembly shows it.
struct ShownOpcode {
    std::uint32_t stream = 0;   // of the file, from 0
    std::uint64_t position = 0; // in its stream
    std::string name;
    std::string argument; // empty: it has none
};

// One file, or one member of an archive, that was looked at.
struct ScannedFile {
    std::string path;   // relative to the scanned path
    std::string member; // empty: the file itself
    std::string format; // empty: not recognized
    DangerLevel level = DangerLevel::A;
    bool isIncomplete = false;  // not everything could be followed: never clean
    bool isUnscannable = false; // nothing of it could
    bool isMalformed = false;   // broken
    bool isUnchecked = false;   // no reader took it apart
    std::string why;            // where it is clean by a rule rather than by a reader: "plain text"
    std::uint32_t streams = 0;
    std::uint64_t opcodes = 0;
    std::vector<DangerousName> globals;
    std::vector<ShownOpcode> disassembly; // where it was asked for
    int weightsOnlyLoads = -1; // whether torch.load(weights_only=True) would take it: 0, 1, or -1 where that is no question

    Verdict verdict() const;
    DangerKind kind() const;
};

// Findings: other suspicious or dangerous properties of a file, as problems with the severity note, warning (suspicious) or error
// (dangerous). `member` is part of the place.
struct DangerFinding {
    Problem problem;
    std::string member;
};

// The verdict of several files is the worst of them. In a folder a file that is not checked is counted and changes nothing, unless
// nothing in the folder was checked; in an archive it leaves the whole unchecked.
struct Danger {
    bool isFolder = false;
    std::vector<ScannedFile> files;
    std::vector<DangerousCall> calls;
    std::vector<DangerFinding> findings;

    Verdict verdict() const;
    DangerKind kind() const;
    DangerLevel level() const;
    bool isIncomplete() const;      // something in it could not be followed or was not checked
    std::size_t notChecked() const; // files
};

// Adds the report of another file of the same model or folder: loading the whole does what loading each part does.
void append(Danger& all, Danger one);

// "tensors only", "known libraries", "unknown code", "dangerous code", "malformed", and "unknown" for files that were not checked.
const char* kindName(DangerKind kind);
inline const char* kindName(const ScannedFile& file) { return kindName(file.kind()); }
inline const char* kindName(const Danger& danger) { return kindName(danger.kind()); }

} // namespace wb
