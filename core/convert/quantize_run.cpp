// SPDX-License-Identifier: MIT
#include "core/convert/quantize_run.h"

#include "core/convert/journal.h"
#include "core/convert/quantize_item.h"
#include "core/formats/gguf/gguf.h"
#include "core/io/part_file.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t itemElements = 1 << 20;   // 4 MiB as f32; a worker's buffers stay below 16 MiB
constexpr std::uint64_t flushBytes = 256ull << 20; // how much work a power failure can cost

fs::path withSuffix(fs::path path, const char* suffix) { return path += suffix; }

// One run: the part file, the journal, and what was finished but not yet journalled.
class Run {
public:
    Run(const QuantizePlan& plan, const fs::path& target, const Progress& progress)
        : m_plan(plan), m_target(target), m_partPath(withSuffix(target, ".part")), m_journalPath(withSuffix(target, ".part.journal")),
          m_items(workItems(plan, itemElements)), m_sums(m_items.size()), m_progress(progress) {}

    Result<void> begin(const QuantizeRunOptions& options);
    Result<void> work(unsigned threads);
    Result<void> finish();
    void discard();
    std::uint64_t resumedItems() const { return m_journal->resumed().size(); }
    std::vector<TensorError> errors() const;

private:
    Result<void> openReaders();
    Result<void> doItem(std::uint64_t index);
    Result<void> noteDone(std::uint64_t index, std::uint64_t bytes, std::uint64_t elements);
    Result<void> flushPending();
    Result<void> verify() const;

    const QuantizePlan& m_plan;
    fs::path m_target;
    fs::path m_partPath;
    fs::path m_journalPath;
    std::vector<WorkItem> m_items;
    std::vector<ErrorSums> m_sums;
    Progress m_progress;
    std::vector<TensorReader> m_readers; // one a planned tensor
    std::vector<std::uint64_t> m_todo;
    std::unique_ptr<io::PartFile> m_part;
    std::unique_ptr<Journal> m_journal;

    std::mutex m_mutex;
    std::vector<Journal::Entry> m_pending;
    std::uint64_t m_pendingBytes = 0;
    std::uint64_t m_doneElements = 0;
};

Result<void> Run::openReaders() {
    for (const PlannedTensor& tensor : m_plan.tensors) {
        WB_TRY_ASSIGN(TensorReader reader, TensorReader::open(*m_plan.model, m_plan.model->tensors[tensor.source]));
        m_readers.push_back(std::move(reader));
    }
    return {};
}

Result<void> Run::begin(const QuantizeRunOptions& options) {
    std::error_code ignored;
    if (fs::exists(m_target, ignored) && !options.replace)
        return fail(ErrorCode::Invalid, WB_TEXT("{} exists already; choose another name or replace it with --force."),
                    io::pathText(m_target.filename()));
    for (const ModelFile& file : m_plan.model->files)
        if (fs::equivalent(m_plan.model->folder / file.name, m_target, ignored))
            return fail(ErrorCode::Invalid, WB_TEXT("{} is the model that is read; choose another name for the result."), file.name);
    WB_TRY(openReaders());
    if (options.restart) discard();
    WB_TRY_ASSIGN(const std::string fingerprint, fingerprintOf(m_plan, itemElements));
    const bool partExists = fs::exists(m_partPath, ignored) && fs::file_size(m_partPath, ignored) == m_plan.fileBytes;
    if (!partExists) discard();
    WB_TRY_ASSIGN(m_part, io::PartFile::open(m_partPath, m_plan.fileBytes));
    WB_TRY_ASSIGN(m_journal, Journal::open(m_journalPath, fingerprint));
    WB_TRY(m_part->writeAt(0, std::as_bytes(std::span(m_plan.header))));
    for (std::uint64_t i = 0; i < m_items.size(); ++i) {
        const auto known = m_journal->resumed().find(i);
        if (known == m_journal->resumed().end()) m_todo.push_back(i);
        else m_sums[i] = known->second;
    }
    return {};
}

void Run::discard() {
    m_part.reset();
    m_journal.reset();
    std::error_code ignored;
    fs::remove(m_partPath, ignored);
    fs::remove(m_journalPath, ignored);
}

Result<void> Run::doItem(std::uint64_t index) {
    thread_local ItemBuffers buffers;
    const WorkItem& item = m_items[index];
    const PlannedTensor& planned = m_plan.tensors[item.tensor];
    const Shape& shape = m_plan.model->tensors[planned.source].shape;
    WB_TRY_ASSIGN(m_sums[index], quantizeItem(m_plan, item, m_readers[item.tensor], buffers));
    WB_TRY(m_part->writeAt(planned.offset + item.firstRow * *rowBytes(planned.to, shape.rowLength()), buffers.result));
    return noteDone(index, buffers.result.size(), item.rows * shape.rowLength());
}

Result<void> Run::noteDone(std::uint64_t index, std::uint64_t bytes, std::uint64_t elements) {
    const std::lock_guard lock(m_mutex);
    m_pending.emplace_back(index, m_sums[index]);
    m_pendingBytes += bytes;
    m_doneElements += elements;
    if (m_pendingBytes >= flushBytes) WB_TRY(flushPending());
    return m_progress.at(m_doneElements, m_plan.parameters());
}

Result<void> Run::flushPending() {
    WB_TRY(m_part->flush());
    WB_TRY(m_journal->append(m_pending));
    m_pending.clear();
    m_pendingBytes = 0;
    return {};
}

Result<void> Run::work(unsigned threads) {
    auto result = jobs::parallelFor(m_todo.size(), threads, m_progress.stop, [this](std::uint64_t i) { return doItem(m_todo[i]); });
    if (!result && result.error().code == ErrorCode::Cancelled) WB_TRY(flushPending());
    return result;
}

// The new file must read back strictly and hold what was planned.
Result<void> Run::verify() const {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const std::shared_ptr<io::FileSource> source, io::FileSource::open(m_partPath));
    WB_TRY_ASSIGN(const ModelPtr written, gguf::open(std::shared_ptr<io::ByteSource>(source), options));
    bool same = written->tensors.size() == m_plan.tensors.size() && source->size() == m_plan.fileBytes;
    for (std::size_t i = 0; same && i < m_plan.tensors.size(); ++i)
        same = written->tensors[i].dtype == m_plan.tensors[i].to && written->tensors[i].offset == m_plan.tensors[i].offset;
    if (!same) return fail(ErrorCode::Internal, WB_TEXT("{} was not written as planned; please report this."), io::pathText(m_target.filename()));
    return {};
}

Result<void> Run::finish() {
    for (const TensorReader& reader : m_readers) WB_TRY(reader.checkUnchanged());
    WB_TRY(verify());
    WB_TRY(m_part->renameTo(m_target));
    discard();
    return {};
}

std::vector<TensorError> Run::errors() const {
    std::vector<ErrorSums> sums(m_plan.tensors.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) sums[m_items[i].tensor] += m_sums[i];
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
    return std::unexpected(Error{ErrorCode::Invalid, blocker->format, blocker->arguments, {}});
}

} // namespace

Result<QuantizeOutcome> runQuantize(const QuantizePlan& plan, const fs::path& target, const QuantizeRunOptions& options,
                                    const Progress& progress) {
    WB_TRY(requireExecutable(plan));
    const auto begin = std::chrono::steady_clock::now();
    Run run(plan, target, progress);
    WB_TRY(run.begin(options));
    const std::uint64_t resumed = run.resumedItems();
    auto worked = run.work(options.threads);
    if (worked) worked = run.finish();
    if (!worked) {
        if (worked.error().code != ErrorCode::Cancelled) run.discard();
        return std::unexpected(std::move(worked).error());
    }
    QuantizeOutcome outcome;
    outcome.errors = run.errors();
    outcome.resumedItems = resumed;
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

} // namespace wb::convert
