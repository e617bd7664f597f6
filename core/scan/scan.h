// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/io/byte_source.h"
#include "core/model/danger.h"
#include "core/worker/worker.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

// Code that loading a file, or the files of a folder, with the programs that they were made for would run
// (docs/reference/safety.md). Nothing is ever executed or imported; each file is read by a separate worker process. README.md
// next to this header lists the rules.
namespace wb::scan {

struct Options {
    formats::Limits limits;
    bool disassembles = false; // whether ScannedFile::disassembly is filled
    Progress progress;         // counts bytes of files
};

// Scans a file, or every file below a folder by its content; links to folders are not followed. A file that a worker dies of is
// reported as such. NotFound and NotReadable only where `path` itself cannot be read.
Result<Danger> scan(const std::filesystem::path& path, const Options& options);

// The files of a model from which loaders take code, classes or templates: `model` itself or, where it is a folder, those in it by
// their names, sorted. All others contain values or are not loaded.
std::vector<std::filesystem::path> filesWithCode(const std::filesystem::path& model);

// The same as scan() for one file that contains texts only (the metadata of GGUF and safetensors, JSON), without a worker: fast
// enough to be done before a model is opened. It reads the first 16 MiB at most. Nothing for other files, and where the texts
// continue behind these; a clean report for a file that cannot be read.
std::optional<Danger> scanText(const std::filesystem::path& file);

// One file, in this process: the worker's own work, for tests and fuzzing.
Danger scanSource(std::shared_ptr<io::ByteSource> source, const Options& options);

// What scan() lets a worker do; every program that scans hands it to worker::serveIfAsked.
worker::WorkerTask scanTask();

} // namespace wb::scan
