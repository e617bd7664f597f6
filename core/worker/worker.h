// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/io/byte_source.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

// A separate process for every parser and decompressor that is too large to be trusted with hostile bytes
// (docs/reference/safety.md, "Process isolation"). The program starts itself in a hidden mode, without files, names or an
// environment, connected by one pair of sockets. The child shuts itself in (sandbox.h), runs one task on one model and ends. It can
// open nothing: what it reads it asks the parent for, by the index of a source that the parent gave it, and the parent checks every
// position and length.
//
// What comes back is data of an untrusted process. Whoever asked for it must check every number in it, as if it came from the file.
namespace wb::worker {

// ---- the child's side

// The input of a task. The sources read through the parent, in the order of Request::sources. `progress` reports to the parent; the
// parent stops a task by ending the process, so its stop token never asks.
struct TaskInput {
    std::span<const std::byte> request;
    std::vector<std::shared_ptr<io::ByteSource>> sources;
    Progress progress;
};

// A task runs in the child and returns its reply, which WireWriter makes and WireReader reads (wire.h). An Error comes out of run()
// as it is.
using TaskFunction = Result<std::vector<std::byte>> (*)(const TaskInput& input);

struct WorkerTask {
    const char* name; // "<room>.<what it does>"
    TaskFunction run;
};

// To be called first in main(): where this process was started as a worker, does the work and returns its exit status. Empty
// otherwise; from then on run() may start this program as the worker.
std::optional<int> serveIfAsked(int argc, char** argv, std::span<const WorkerTask> tasks);

// ---- the parent's side

struct Request {
    std::string task;
    std::string subject; // the file in sentences about what went wrong
    std::vector<std::byte> request = {};
    std::vector<std::shared_ptr<const io::ByteSource>> sources = {};
    std::uint64_t maxReply = 1ull << 30;
};

// Runs one task in its own process and waits for its reply. Thread-safe. Fails with the task's own Error, Canceled where
// `progress` is asked to stop, Unsupported (worker.not_started) where no worker can be started, and otherwise with Malformed:
// worker.died where the process ended or was ended by its sandbox, worker.timeout where it took more than 60 s and one more for
// each 100 MB of its sources, worker.garbled where what it sent is invalid. Never retried in this process.
Result<std::vector<std::byte>> run(const Request& request, const Progress& progress);

// The program that run() starts, instead of this one or the `wb` next to it.
void setProgram(const std::filesystem::path& program);

// The restrictions of a started worker, for people: empty where everything holds (Linux), else a sentence with the missing ones.
const char* weakerGuarantee();

} // namespace wb::worker
