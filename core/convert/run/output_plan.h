// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The output of a run, for any producer (quantizing, conversion, merging): pure data, known before a byte is read.
namespace wb::run {

// Tells one job from every other. All that changes a byte of the result belongs into the fingerprint, and the inputs:
// finished work is taken over where the ids are equal.
struct JobId {
    std::string kind;        // of the producer, one word: "quantize"
    std::uint64_t items = 0; // OutputPlan::items
    std::string fingerprint; // one word, at most maxFingerprint characters

    bool operator==(const JobId&) const = default;
};
inline constexpr std::size_t maxFingerprint = 128;

// One file that will be written: its header, then the items, zeros wherever neither is.
struct PlannedFile {
    std::filesystem::path path; // next to OutputPlan::target or in a folder beneath
    std::string_view header;    // outlives the run
    std::uint64_t bytes = 0;    // of the whole file
    // Whether the written file reads back as planned; asked before it is renamed to its final name. Empty: only its size is
    // checked.
    std::function<Result<bool>(const io::ByteSource& written)> isAsPlanned = {};
};

// A byte range that is computed at once: what workers take, journals record and a resumed run does not do again.
struct Item {
    std::uint32_t file = 0;   // index into OutputPlan::files
    std::uint64_t offset = 0; // in that file
    std::uint64_t bytes = 0;
    std::uint64_t work = 0; // what it counts for in the progress, in the producer's own unit
};

// A file that is read, which no file of the run may replace.
struct SourceFile {
    std::string name;
    io::Identity identity;
};

struct OutputPlan {
    std::filesystem::path target; // what the run is called by: the only file, or what names them all
    JobId job;
    std::vector<PlannedFile> files; // the first is renamed to its final name last: if it exists, all exist
    std::vector<Item> items;        // without overlaps
    std::vector<SourceFile> sources;

    std::uint64_t work() const; // of all items
};

// The name of the source that `path` leads to, under whatever name.
std::optional<std::string> sourceAt(const std::vector<SourceFile>& sources, const std::filesystem::path& path);

} // namespace wb::run
