// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/convert/run/run_files.h"
#include "core/convert/run/unfinished.h"
#include "core/convert/run/verify.h"

// The engine of every job that writes a model: workers compute items, each writes its item at its place, and the journal records
// what is on the disk. It knows neither formats nor what the bytes mean.
namespace wb::run {

// Computes the bytes of an output plan.
class Producer {
public:
    virtual ~Producer() = default;

    // One thread's share of the work, with the buffers it reuses from item to item.
    class Worker {
    public:
        virtual ~Worker() = default;

        // Computes all bytes of an item, by index into OutputPlan::items, and gives what the journal shall keep of it (at most
        // maxRecord bytes).
        virtual Result<std::string> compute(std::uint64_t item, std::span<std::byte> bytes) = 0;
    };

    // Called once after all checks passed and before the first write: the place to open what is expensive, or to
    // refuse the run.
    virtual Result<void> begin() = 0;

    virtual std::unique_ptr<Worker> makeWorker() = 0; // thread-safe
    virtual std::uint64_t workerBytes() const = 0;    // the most memory a worker takes next to the bytes of its item

    // Restores the record of an item that an earlier run finished. False if that is not a record of this producer, and the
    // item is computed again. Called by one thread before any worker is made.
    virtual bool resume(std::uint64_t item, std::string_view record) = 0;

    // Called when all is written, before files are renamed to their final names: refuses where the sources changed meanwhile.
    virtual Result<void> checkSources() = 0;
};

struct RunOptions {
    unsigned threads = 0; // 0: as many as the machine has; the files do not depend on it
    bool replace = false; // existing targets are replaced, else refused
    bool restart = false; // an earlier run's part files are discarded instead of continued
    // How much work a power failure can cost: finished work is flushed and journaled after this many bytes or
    // seconds.
    std::uint64_t flushBytes = 1ull << 30;
    double flushSeconds = 5;
    Claim* claim = nullptr; // whose record is written when the run starts; null: the run is not listed
    Verify verify = Verify::Sample;
};

struct RunOutcome {
    std::uint64_t resumedItems = 0; // work taken over from an earlier run
    bool hasDropped = false;        // the work of another job on this target was dropped
    double seconds = 0;
};

// Adds to the check of every file that its bytes are those of its source, as far as `options.verify` says. `comparisonOf` gives the
// ranges of a file; threads and stop are filled in here.
void compareAtTheEnd(OutputPlan& output, const RunOptions& options, const std::stop_token& stop,
                     const std::function<Comparison(std::uint32_t file)>& comparisonOf);

// How many workers that need this many bytes each may share what a run takes; `threads`: the most that are wanted, 0: all there
// are.
unsigned workerCount(unsigned threads, std::uint64_t bytesEach);

// The most memory that `execute` takes with so many threads (0: all) for workers of this many bytes each, what the producer holds
// for all of them aside.
std::uint64_t peakBytes(std::span<const Item> items, std::uint64_t workerBytes, unsigned threads);

// How long the items take here: some of them, spread over all, are computed for about `seconds` and thrown away. Writing to the
// disk is omitted. The producer must be ready for its workers.
Result<double> estimateSeconds(std::span<const Item> items, Producer& producer, unsigned threads, double seconds,
                               const std::stop_token& stop);

// Writes the planned files. Work is in part files next to each and in a journal next to the target; all stay after a cancel, a kill
// and a disk that becomes full or fails half-way, and the same call continues where they end, doing again what the parts no longer
// hold. What another job left there is dropped. Any other failure removes them; one that comes before any work (no space, the
// target exists, another run contains it) changes nothing. The files appear only by rename, after every byte was written, checked
// and flushed; where another file got such a name meanwhile and `replace` is not set, that is refused too, and the same call with
// it has only the names left to give. Workers share at most 256 MiB unless one alone needs more. Progress counts Item::work, that
// of an earlier run included; it is called from the workers' threads without any lock, so that a job is paused by not returning
// from it. Blocks the calling thread.
Result<RunOutcome> execute(const OutputPlan& plan, Producer& producer, const RunOptions& options, const Progress& progress);

} // namespace wb::run
