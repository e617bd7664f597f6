// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"

#include "core/convert/quantize/quantize_item.h"
#include "core/convert/run/run_files.h"
#include "core/io/failures.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

namespace wb::convert {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t mostBufferBytes = 256ull
                                          << 20; // of all workers, which are fewer where each needs much; a device has its own
constexpr unsigned mostWorkers = 256;

unsigned workersFor(unsigned threads, const BufferSizes& each) {
    const unsigned wanted = std::min(threads > 0 ? threads : jobs::machineThreads(), mostWorkers);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(mostBufferBytes / std::max<std::uint64_t>(1, each.bytes()), 1, wanted));
}

// Whether the same run can succeed later: nothing is wrong with the model or the plan, but somebody stopped it or a disk gave up.
bool canGoOnAfter(ErrorCode code) {
    return code == ErrorCode::Cancelled || code == ErrorCode::NoRoom || code == ErrorCode::NotReadable ||
           code == ErrorCode::NotWritable;
}

// One run: its files, and what was finished but not yet journalled.
class Run {
public:
    Run(const QuantizePlan& plan, const std::filesystem::path& target, const QuantizeRunOptions& options, const Progress& progress)
        : m_plan(plan), m_options(options), m_files(plan, target), m_items(workItems(plan, itemElements(plan))),
          m_records(m_items.size()), m_progress(progress) {}

    Result<void> begin();
    Result<void> work();
    Result<void> finish();
    void discard() { m_files.discard(); }
    bool hasWork() const { return m_files.hasWork(); }
    bool hasDropped() const { return m_files.hasDropped(); }
    std::uint64_t resumedItems() const { return m_items.size() - m_todo.size(); }
    std::vector<TensorError> errors() const;
    quant::Backend& backend() { return m_options.backend ? *m_options.backend : *m_cpu; }

private:
    Result<void> openReaders();
    Result<void> takeOver();
    std::uint64_t targetOffset(const WorkItem& item) const;
    std::uint64_t targetBytes(const WorkItem& item) const;
    Result<void> doItem(std::uint64_t index, ItemBuffers& buffers);
    Result<void> noteDone(std::uint64_t index, std::uint64_t bytes);
    Result<void> flushPending(std::unique_lock<std::mutex>& lock);
    unsigned workers() const { return workersFor(m_options.threads, m_bufferSizes); }

    const QuantizePlan& m_plan;
    QuantizeRunOptions m_options;
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
    RunFiles m_files;
    std::vector<WorkItem> m_items;
    std::vector<ItemRecord> m_records;
    BufferSizes m_bufferSizes = bufferSizes(m_plan, m_items, backend().bestValues());
    Progress m_progress;
    Model m_source;                      // the files only, each held open once however many tensors it has
    std::vector<TensorReader> m_readers; // one a planned tensor
    std::vector<std::uint64_t> m_todo;

    std::mutex m_mutex;
    std::vector<Journal::Entry> m_pending;
    std::uint64_t m_pendingBytes = 0;
    std::uint64_t m_doneElements = 0;
    const std::uint64_t m_parameters = m_plan.parameters(); // added up once for all items
    Clock::time_point m_flushed = Clock::now();
    bool m_flushing = false; // by the one worker that waits for the disk
};

Result<void> Run::openReaders() {
    m_source.path = m_plan.model->path;
    m_source.folder = m_plan.model->folder;
    m_source.files = m_plan.model->files;
    m_source.bigEndian = m_plan.model->bigEndian;
    for (std::uint32_t i = 0; i < m_source.files.size(); ++i) {
        WB_TRY_ASSIGN(m_source.files[i].source, openFile(*m_plan.model, i));
    }
    for (const PlannedTensor& tensor : m_plan.tensors) {
        WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(m_source, m_plan.model->tensors[tensor.source]));
        m_readers.push_back(std::move(reader));
    }
    return {};
}

Result<void> Run::begin() {
    backend().expect(m_parameters);
    WB_TRY(openReaders());
    WB_TRY_ASSIGN(const std::string fingerprint, fingerprintOf(m_plan, itemElements(m_plan)));
    WB_TRY(m_files.open(fingerprint, m_items.size(), m_options.replace, m_options.restart));
    return takeOver();
}

// What the journal tells of is believed where the part still holds it: parts are damaged by what befalls them between two runs.
Result<void> Run::takeOver() {
    const auto& resumed = m_files.journal().resumed();
    std::vector<char> isDone(m_items.size(), 0);
    std::vector<std::vector<std::byte>> buffers(workers());
    const auto check = [&](std::uint64_t i, unsigned slot) -> Result<void> {
        const WorkItem& item = m_items[i];
        const auto known = resumed.find(i);
        if (known == resumed.end()) return {};
        m_records[i] = known->second;
        isDone[i] = m_files.holds(m_plan.tensors[item.tensor].file, targetOffset(item), targetBytes(item), known->second.check,
                                  buffers[slot]);
        return {};
    };
    WB_TRY(jobs::parallelFor(resumed.empty() ? 0 : m_items.size(), workers(), m_progress.stop, check));
    for (std::uint64_t i = 0; i < m_items.size(); ++i) {
        if (isDone[i] || !m_files.isRenamed(m_plan.tensors[m_items[i].tensor].file)) continue;
        WB_TRY(m_files.startOver());
        std::ranges::fill(isDone, 0);
    }
    for (std::uint64_t i = 0; i < m_items.size(); ++i) {
        if (isDone[i]) m_doneElements += m_items[i].elements();
        else m_todo.push_back(i);
    }
    return {};
}

std::uint64_t Run::targetOffset(const WorkItem& item) const {
    const PlannedTensor& planned = m_plan.tensors[item.tensor];
    return planned.offset + *rowBytes(planned.to, item.first);
}

std::uint64_t Run::targetBytes(const WorkItem& item) const { return *rowBytes(m_plan.tensors[item.tensor].to, item.elements()); }

Result<void> Run::doItem(std::uint64_t index, ItemBuffers& buffers) {
    buffers.reserve(m_bufferSizes);
    const WorkItem& item = m_items[index];
    WB_TRY_ASSIGN(m_records[index].sums, quantizeItem(m_plan, item, m_readers[item.tensor], backend(), buffers));
    m_records[index].check = checkOf(buffers.result);
    WB_TRY(m_files.write(m_plan.tensors[item.tensor].file, targetOffset(item), buffers.result));
    return noteDone(index, buffers.result.size());
}

Result<void> Run::noteDone(std::uint64_t index, std::uint64_t bytes) {
    std::unique_lock lock(m_mutex);
    m_pending.emplace_back(index, m_records[index]);
    m_pendingBytes += bytes;
    m_doneElements += m_items[index].elements();
    const std::chrono::duration<double> since = Clock::now() - m_flushed;
    const bool due = m_pendingBytes >= m_options.flushBytes || since.count() >= m_options.flushSeconds;
    WB_TRY(m_progress.at(m_doneElements, m_parameters));
    return due && !m_flushing ? flushPending(lock) : Result<void>();
}

// The disk is waited for without the lock, so that the other workers go on.
Result<void> Run::flushPending(std::unique_lock<std::mutex>& lock) {
    const auto pending = std::exchange(m_pending, {});
    m_pendingBytes = 0;
    m_flushed = Clock::now();
    m_flushing = true;
    lock.unlock();
    Result<void> flushed = m_files.flush();
    if (flushed) flushed = m_files.journal().append(pending);
    lock.lock();
    m_flushing = false;
    return flushed;
}

Result<void> Run::work() {
    std::vector<ItemBuffers> buffers(workers());
    auto result = jobs::parallelFor(m_todo.size(), workers(), m_progress.stop,
                                    [&](std::uint64_t i, unsigned slot) { return doItem(m_todo[i], buffers[slot]); });
    std::unique_lock lock(m_mutex);
    if (result || result.error().code == ErrorCode::Cancelled) WB_TRY(flushPending(lock));
    // What is done is worth a try at least: journals are small.
    else if (canGoOnAfter(result.error().code)) (void)flushPending(lock);
    return result;
}

Result<void> Run::finish() {
    for (const ModelFile& file : m_source.files) WB_TRY(file.source->checkUnchanged());
    if (m_plan.matrix) WB_TRY(m_plan.matrix->source->checkUnchanged());
    return m_files.finish();
}

std::vector<TensorError> Run::errors() const {
    std::vector<ErrorSums> sums(m_plan.tensors.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) sums[m_items[i].tensor] += m_records[i].sums;
    std::vector<TensorError> errors;
    for (std::size_t t = 0; t < sums.size(); ++t) {
        const ErrorSums& s = sums[t];
        const auto n = static_cast<double>(m_plan.model->tensors[m_plan.tensors[t].source].shape.elements());
        TensorError error;
        if (n > 0) error.rmse = std::sqrt(s.e2 / n);
        if (s.w2 > 0) error.relativeRmse = std::sqrt(s.e2 / s.w2);
        if (s.w2 > 0 && s.v2 > 0) error.cosine = s.wv / std::sqrt(s.w2 * s.v2);
        errors.push_back(error);
    }
    return errors;
}

Result<void> requireExecutable(const QuantizePlan& plan) {
    const auto blocker = std::ranges::find(plan.problems, Severity::Error, &Problem::severity);
    if (blocker == plan.problems.end()) return {};
    return std::unexpected(asError(ErrorCode::Invalid, *blocker));
}

} // namespace

std::uint64_t peakMemory(const QuantizePlan& plan, unsigned threads) {
    const auto items = workItems(plan, itemElements(plan));
    const BufferSizes each = bufferSizes(plan, items, quant::makeCpuBackend()->bestValues());
    std::uint64_t bytes = std::min<std::uint64_t>(workersFor(threads, each), items.size()) * each.bytes();
    bytes += items.size() * (sizeof(WorkItem) + sizeof(ItemRecord) + sizeof(std::uint64_t));
    for (const PlannedFile& file : plan.files) bytes += file.header.size() * 2; // as planned, and as read back for the check
    return bytes;
}

Result<QuantizeOutcome> runQuantize(const QuantizePlan& plan, const std::filesystem::path& target,
                                    const QuantizeRunOptions& options, const Progress& progress) {
    WB_TRY(requireExecutable(plan));
    const auto begin = Clock::now();
    Run run(plan, target, options, progress);
    auto worked = run.begin();
    const bool begun = worked.has_value();
    const std::uint64_t resumed = run.resumedItems();
    if (worked) worked = run.work();
    if (worked) worked = run.finish();
    const bool isFull = !worked && worked.error().code == ErrorCode::NoRoom;
    if (isFull && run.hasWork())
        return fail(ErrorCode::NoRoom,
                    WB_TEXT("The disk became full while {} was written; make room and start it again, and it goes on where it "
                            "stopped."),
                    io::baseName(target));
    if (!worked) {
        const ErrorCode code = worked.error().code;
        if (code != ErrorCode::Cancelled && !(canGoOnAfter(code) && run.hasWork())) run.discard();
        if (isFull && begun) return io::noRoom(io::baseName(target)); // whichever of the run's files it was
        return std::unexpected(std::move(worked).error());
    }
    QuantizeOutcome outcome;
    outcome.errors = run.errors();
    outcome.resumedItems = resumed;
    outcome.device = run.backend().name();
    outcome.remarks = run.backend().remarks();
    if (run.hasDropped())
        outcome.remarks.push_back(makeProblem(Severity::Note, "quantize.dropped", {}, std::nullopt,
                                              WB_TEXT("The unfinished work of another job on {} was dropped."),
                                              io::baseName(target)));
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return outcome;
}

} // namespace wb::convert
