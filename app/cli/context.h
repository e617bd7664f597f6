// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_files.h"
#include "app/cli/log_file.h"
#include "core/base/device_ref.h"
#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/formats/options.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace wb::cli {

// Exit statuses of every command (docs/reference/command_line.md).
enum Status : int { done = 0, failed = 1, wrongUsage = 2, canceledByUser = 130 };

// The options every command takes.
struct Context {
    bool json = false;
    bool quiet = false;
    unsigned threads = 0; // 0: as many as the machine has
    DeviceRef device;
    bool trustsModels = false; // --yes: models that would run something elsewhere are used without a question
    std::unique_ptr<LogFile> log = std::make_unique<LogFile>();
    std::unique_ptr<CommandFiles> files = std::make_unique<CommandFiles>();
    std::stop_token stop; // requested by Ctrl+C

    formats::OpenOptions openOptions() const;
};

// The last component of a path as the user typed it: the name that refusals call the file or folder by.
std::string baseName(const std::string& path);

// The name that refusals call a device by that the user named: "--device gpu:1".
std::string deviceOption(const Context& context);

// Prints the error as one line on stderr, adds it and its detail to the log (unless the error is about the log itself or an output
// that must not be written), and gives the exit status. With `path`, as the user typed it, the line contains its base name, unless
// the error names its input already.
int refuse(const Context& context, const Error& error);
int refuse(const Context& context, const Error& error, const std::string& path);

// The option of a command that permits or chooses what a plan or a run refuses with this reason.
struct Remedy {
    Reason reason;
    const char* option;
};

// The error with the option that helps after its sentence.
Error withOption(const Error& error, const char* option);

// The same with the option that helps after the sentence, where one of `remedies` has the error's reason.
int refuse(const Context& context, const Error& error, std::span<const Remedy> remedies);

// Prints one line on stderr and gives the exit status of wrong usage.
int refuseUsage(const std::string& sentence);

// LogFile::open, with errors that name the log. To be called once the files that the command reads are known.
Result<void> openLog(const Context& context);

// Adds one line to the log, if there is one.
void log(const Context& context, const std::string& line);
void logProblems(const Context& context, const std::vector<Problem>& problems);

} // namespace wb::cli
