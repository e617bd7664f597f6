// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/sample.h"
#include "core/model/format_id.h"
#include "core/model/model.h"
#include "core/worker/worker.h"

#include <filesystem>
#include <memory>
#include <span>

namespace wb::formats {

// A format that this program reads, as one row of the table. All limits are those of OpenOptions.
struct Format {
    using Path = std::filesystem::path;

    FormatId id;                       // what the reader yields, some yield a relative of it; Unknown: a container that is refused
    bool (*sniff)(const Sample& file); // by content alone
    Result<ModelPtr> (*open)(const Path& path, const Sample& file, const OpenOptions& options); // reads headers only
    std::span<const worker::WorkerTask> (*tasks)() = nullptr; // what the reader lets a worker do; null: nothing

    // The same from memory, for the content of a compressed file; null where the format cannot.
    Result<ModelPtr> (*openContent)(const std::shared_ptr<io::ByteSource>& content, const OpenOptions& options) = nullptr;

    const char* ending = nullptr; // of names whose damaged files are left to this reader, which can report the cause
    bool mayDecline = false;      // Unknown of `open`: the file only starts like this format, the next rows are asked
};

// A format that is a folder.
struct FolderFormat {
    using Path = std::filesystem::path;

    FormatId id; // what the reader yields, some yield a relative of it
    bool (*isOne)(const Path& folder);
    Result<ModelPtr> (*open)(const Path& folder, const OpenOptions& options); // reads headers only; Unknown: the next are asked
    std::span<const worker::WorkerTask> (*tasks)() = nullptr; // what the reader lets a worker do beyond those of files
};

// In the order of their checks.
std::span<const FolderFormat> folderTable();

// In the order of their checks: formats with a signature in the first bytes before those that have to parse.
std::span<const Format> formatTable();

// The worker tasks of the readers of all formats. Every program that opens models hands this to worker::serveIfAsked
// first of all.
std::span<const worker::WorkerTask> workerTasks();

} // namespace wb::formats
