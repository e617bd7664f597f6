// SPDX-License-Identifier: MIT
#include "core/convert/run/run.h"

#include "core/io/failures.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

namespace wb::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t maxWorkerBytes = 256ull << 20; // of all workers, which are fewer where each needs much
constexpr unsigned maxWorkers = 256;

std::uint64_t largestItem(std::span<const Item> items) {
    std::uint64_t largest = 0;
    for (const Item& item : items) largest = std::max(largest, item.bytes);
    return largest;
}

// Whether the same run can succeed later: nothing is wrong with the sources or the plan, but the run was stopped or a disk failed.
bool canResumeAfter(ErrorCode code) {
    return code == ErrorCode::Canceled || code == ErrorCode::NoSpace || code == ErrorCode::NotReadable ||
           code == ErrorCode::NotWritable;
}

// State of one thread of the loop over the items.
struct Slot {
    std::unique_ptr<Producer::Worker> worker;
    std::vector<std::byte> bytes; // of its item
};

// One run: its files, and what was finished but not yet journalled.
class Run {
public:
    Run(const OutputPlan& plan, Producer& producer, const RunOptions& options, const Progress& progress)
        : m_plan(plan), m_producer(producer), m_options(options), m_progress(progress), m_files(plan),
          m_largestItem(largestItem(plan.items)) {}

    Result<void> begin();
    Result<void> work();
    Result<void> finish();
    void discard() { m_files.discard(); }
    bool hasWork() const { return m_files.hasWork(); }
    bool hasDropped() const { return m_files.hasDropped(); }
    std::uint64_t resumedItems() const { return m_plan.items.size() - m_todo.size(); }

private:
    Result<void> resume();
    Result<std::vector<char>> checkFormerItems();
    Result<void> doItem(std::uint64_t index, Slot& slot);
    bool noteDone(std::uint64_t index, Record record);
    std::uint64_t doneWork();
    Result<void> flushPending();

    const OutputPlan& m_plan;
    Producer& m_producer;
    const RunOptions& m_options;
    Progress m_progress;
    RunFiles m_files;
    const std::uint64_t m_largestItem;          // bytes
    const std::uint64_t m_work = m_plan.work(); // added up once for all items
    std::vector<std::uint64_t> m_todo;

    std::mutex m_mutex; // guards the members below
    std::vector<Journal::Entry> m_pending;
    std::uint64_t m_pendingBytes = 0;
    std::uint64_t m_doneWork = 0;
    Clock::time_point m_flushed = Clock::now();
    bool m_isFlushing = false; // by the one worker that waits for the disk
};

Result<void> Run::begin() {
    WB_TRY(m_files.open(m_options.replace, m_options.restart, [this] { return m_producer.begin(); }));
    if (m_options.claim) m_options.claim->writeRecord();
    return resume();
}

// Journalled items are believed only where the part file still holds their bytes: something may have damaged it between two runs.
Result<std::vector<char>> Run::checkFormerItems() {
    const auto& records = m_files.journal().records();
    std::vector<char> isDone(m_plan.items.size(), 0);
    const std::uint64_t count = records.empty() ? 0 : isDone.size();
    std::vector<std::vector<std::byte>> buffers(jobs::loopWidth(count, workerCount(m_options.threads, m_largestItem)));
    const auto check = [&](std::uint64_t i, unsigned slot) -> Result<void> {
        const auto known = records.find(i);
        if (known != records.end()) isDone[i] = m_files.holds(m_plan.items[i], known->second.check, buffers[slot]);
        return {};
    };
    WB_TRY(jobs::parallelFor(count, static_cast<unsigned>(buffers.size()), m_progress.stop, check));
    return isDone;
}

// A file with its final name can no longer be written: where an item of it is not what it was, all starts again.
Result<void> Run::resume() {
    WB_TRY_ASSIGN(std::vector<char> isDone, checkFormerItems());
    const auto& records = m_files.journal().records();
    for (std::uint64_t i = 0; i < isDone.size(); ++i) isDone[i] = isDone[i] && m_producer.resume(i, records.at(i).text);
    for (std::uint64_t i = 0; i < isDone.size(); ++i) {
        if (isDone[i] || !m_files.isRenamed(m_plan.items[i].file)) continue;
        WB_TRY(m_files.startOver());
        std::ranges::fill(isDone, 0);
    }
    for (std::uint64_t i = 0; i < isDone.size(); ++i) {
        if (isDone[i]) m_doneWork += m_plan.items[i].work;
        else m_todo.push_back(i);
    }
    return {};
}

Result<void> Run::doItem(std::uint64_t index, Slot& slot) {
    const Item& item = m_plan.items[index];
    if (!slot.worker) slot.worker = m_producer.makeWorker();
    slot.bytes.reserve(m_largestItem); // so that it never grows beyond
    slot.bytes.resize(item.bytes);
    WB_TRY_ASSIGN(std::string record, slot.worker->compute(index, slot.bytes));
    WB_TRY(m_files.write(item, slot.bytes));
    if (noteDone(index, {std::move(record), recordChecksum(slot.bytes)})) WB_TRY(flushPending());
    return m_progress.at(doneWork(), m_work);
}

std::uint64_t Run::doneWork() {
    const std::lock_guard lock(m_mutex);
    return m_doneWork;
}

// Whether it is time to bring what is finished to the disk.
bool Run::noteDone(std::uint64_t index, Record record) {
    const std::lock_guard lock(m_mutex);
    m_pending.emplace_back(index, std::move(record));
    m_pendingBytes += m_plan.items[index].bytes;
    m_doneWork += m_plan.items[index].work;
    const std::chrono::duration<double> since = Clock::now() - m_flushed;
    return m_pendingBytes >= m_options.flushBytes || since.count() >= m_options.flushSeconds;
}

// The disk is waited for without the lock, so that the other workers continue.
Result<void> Run::flushPending() {
    std::unique_lock lock(m_mutex);
    if (m_isFlushing) return {};
    const auto pending = std::exchange(m_pending, {});
    m_pendingBytes = 0;
    m_flushed = Clock::now();
    m_isFlushing = true;
    lock.unlock();
    Result<void> flushed = m_files.flush();
    if (flushed) flushed = m_files.journal().append(pending);
    lock.lock();
    m_isFlushing = false;
    return flushed;
}

Result<void> Run::work() {
    const unsigned workers = workerCount(m_options.threads, m_largestItem + m_producer.workerBytes());
    std::vector<Slot> slots(jobs::loopWidth(m_todo.size(), workers));
    const auto doIt = [&](std::uint64_t i, unsigned slot) { return doItem(m_todo[i], slots[slot]); };
    auto result = jobs::parallelFor(m_todo.size(), static_cast<unsigned>(slots.size()), m_progress.stop, doIt);
    if (result || result.error().code == ErrorCode::Canceled) WB_TRY(flushPending());
    // Saving progress is attempted anyway: journals are small.
    else if (canResumeAfter(result.error().code)) (void)flushPending();
    return result;
}

Result<void> Run::finish() {
    WB_TRY(m_producer.checkSources());
    return m_files.finish();
}

} // namespace

unsigned workerCount(unsigned threads, std::uint64_t bytesEach) {
    const unsigned wanted = std::min(threads > 0 ? threads : jobs::machineThreads(), maxWorkers);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(maxWorkerBytes / std::max<std::uint64_t>(1, bytesEach), 1, wanted));
}

std::uint64_t peakBytes(std::span<const Item> items, std::uint64_t workerBytes, unsigned threads) {
    const std::uint64_t each = largestItem(items) + workerBytes;
    constexpr std::uint64_t listed = sizeof(Item) + sizeof(std::uint64_t) + sizeof(char); // of every item
    return std::min<std::uint64_t>(workerCount(threads, each), items.size()) * each + items.size() * listed;
}

Result<double> estimateSeconds(std::span<const Item> items, Producer& producer, unsigned threads, double seconds,
                               const std::stop_token& stop) {
    constexpr std::uint64_t most = 256; // items that are tried
    const std::uint64_t step = std::max<std::uint64_t>(1, items.size() / most), count = items.size() / step;
    std::vector<Slot> slots(jobs::loopWidth(count, workerCount(threads, largestItem(items) + producer.workerBytes())));
    const auto begin = Clock::now();
    const auto passed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    std::atomic<std::uint64_t> done = 0;
    std::uint64_t all = 0;
    for (const Item& item : items) all += item.bytes;
    const auto compute = [&](std::uint64_t i, unsigned number) -> Result<void> {
        if (done > 0 && passed() >= seconds) return {};
        const std::uint64_t index = i * step;
        Slot& slot = slots[number];
        if (!slot.worker) slot.worker = producer.makeWorker();
        slot.bytes.resize(items[index].bytes);
        WB_TRY(slot.worker->compute(index, slot.bytes));
        done += items[index].bytes;
        return {};
    };
    WB_TRY(jobs::parallelFor(count, static_cast<unsigned>(slots.size()), stop, compute));
    if (done == 0) return 0.0;
    return passed() * static_cast<double>(all) / static_cast<double>(done);
}

Result<RunOutcome> execute(const OutputPlan& plan, Producer& producer, const RunOptions& options, const Progress& progress) {
    const auto start = Clock::now();
    const std::string target = io::baseName(plan.target);
    Run run(plan, producer, options, progress);
    auto worked = run.begin();
    const bool hasBegun = worked.has_value();
    const std::uint64_t resumed = hasBegun ? run.resumedItems() : 0;
    if (worked) worked = run.work();
    if (worked) worked = run.finish();
    if (worked) return RunOutcome{resumed, run.hasDropped(), std::chrono::duration<double>(Clock::now() - start).count()};
    const ErrorCode code = worked.error().code;
    const bool isFull = code == ErrorCode::NoSpace;
    if (isFull && run.hasWork())
        return fail(ErrorCode::NoSpace, Reason("run.disk_full"), About{target},
                    WB_TEXT("The disk became full while writing {}; free some space and start again to resume."), target);
    if (code != ErrorCode::Canceled && !(canResumeAfter(code) && run.hasWork())) run.discard();
    if (isFull && hasBegun) return io::noRoom(target); // whichever of the run's files it was
    return std::unexpected(std::move(worked).error());
}

} // namespace wb::run
