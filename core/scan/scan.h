// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/io/byte_source.h"
#include "core/model/danger.h"
#include "core/worker/worker.h"

#include <filesystem>
#include <memory>

// What loading a file, or the files of a folder, with the programs that they were made for would run
// (specs/pickle_and_scanning.md). Nothing is ever executed or imported; each file is read by a worker process of its own. README.md
// beside this header lists the rules.
namespace wb::scan {

struct Options {
    formats::Limits limits;
    bool disassembles = false; // whether ScannedFile::disassembly is filled
    Progress progress;         // counts bytes of files
};

// Scans a file, or every file below a folder by its content; links to folders are not followed. A file that a worker dies of is
// reported as such. NotFound and NotReadable only where `path` itself cannot be read.
Result<Danger> scan(const std::filesystem::path& path, const Options& options);

// One file, in this process: the worker's own work, for tests and fuzzing.
Danger scanSource(std::shared_ptr<io::ByteSource> source, const Options& options);

// What scan() lets a worker do; every program that scans hands it to worker::serveIfAsked.
worker::Task scanTask();

} // namespace wb::scan
