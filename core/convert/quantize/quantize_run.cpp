// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"

#include "core/convert/quantize/quantize_check.h"
#include "core/convert/quantize/quantize_item.h"
#include "core/convert/quantize/quantize_output.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace wb::quantize {
namespace {

// The sums of an item as a journal keeps them, of this machine's byte order.
std::string recordOf(const ErrorSums& sums) {
    static_assert(sizeof(ErrorSums) == 4 * sizeof(double) && sizeof(ErrorSums) <= run::maxRecord);
    return {reinterpret_cast<const char*>(&sums), sizeof sums};
}

bool readRecord(std::string_view record, ErrorSums& sums) {
    if (record.size() != sizeof sums) return false;
    std::memcpy(&sums, record.data(), sizeof sums);
    return true;
}

// Quantizes and copies the tensors of a plan, item by item.
class QuantizeProducer : public run::Producer {
public:
    QuantizeProducer(const QuantizePlan& plan, std::span<const WorkItem> items, const QuantizeRunOptions& options)
        : m_plan(plan), m_items(items), m_options(options), m_sums(items.size()) {}

    Result<void> openReaders();
    Result<void> begin() override;
    std::unique_ptr<Worker> makeWorker() override;
    std::uint64_t workerBytes() const override { return m_bufferSizes.bytes(); }
    bool resume(std::uint64_t item, std::string_view record) override { return readRecord(record, m_sums[item]); }
    Result<void> checkSources() override;

    std::span<const TensorReader> readers() const { return m_readers; }
    std::vector<TensorError> errors() const;
    std::string device() const { return m_backend->name(); }
    std::vector<Problem> remarks() const { return m_backend->remarks(); }

private:
    class ItemWorker;

    const QuantizePlan& m_plan;
    std::span<const WorkItem> m_items;
    const QuantizeRunOptions& m_options;
    std::vector<ErrorSums> m_sums; // one an item
    std::shared_ptr<quant::Backend> m_backend = quant::makeCpuBackend();
    BufferSizes m_bufferSizes;
    Model m_source;                      // the files only, each held open once however many tensors it has
    std::vector<TensorReader> m_readers; // one a planned tensor
};

class QuantizeProducer::ItemWorker : public Worker {
public:
    explicit ItemWorker(QuantizeProducer& producer) : m_producer(producer) { m_buffers.reserve(producer.m_bufferSizes); }

    Result<std::string> compute(std::uint64_t index, std::span<std::byte> bytes) override {
        const WorkItem& item = m_producer.m_items[index];
        WB_TRY_ASSIGN(const ErrorSums sums, quantizeItem(m_producer.m_plan, item, m_producer.m_readers[item.tensor],
                                                         *m_producer.m_backend, bytes, m_buffers));
        m_producer.m_sums[index] = sums;
        return recordOf(sums);
    }

private:
    QuantizeProducer& m_producer;
    ItemBuffers m_buffers;
};

Result<void> QuantizeProducer::openReaders() {
    m_source.path = m_plan.model->path;
    m_source.folder = m_plan.model->folder;
    m_source.files = m_plan.model->files;
    m_source.tensors = m_plan.whole->tensors; // what recipes name
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

Result<void> QuantizeProducer::begin() {
    if (m_options.backend) {
        WB_TRY_ASSIGN(auto backend, m_options.backend());
        if (backend) m_backend = std::move(backend);
    }
    m_backend->expect(m_plan.parameters());
    m_bufferSizes = bufferSizes(m_plan, m_items, m_backend->bestValues());
    return {};
}

std::unique_ptr<run::Producer::Worker> QuantizeProducer::makeWorker() { return std::make_unique<ItemWorker>(*this); }

Result<void> QuantizeProducer::checkSources() {
    for (const ModelFile& file : m_source.files) WB_TRY(file.source->checkUnchanged());
    return m_plan.matrix ? m_plan.matrix->source->checkUnchanged() : Result<void>();
}

// Items are added in order, so that the sums of a tensor do not depend on threads.
std::vector<TensorError> QuantizeProducer::errors() const {
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

// Beside what is looked at anyway.
void compareAtTheEnd(run::OutputPlan& output, const QuantizeCheck& check) {
    for (std::uint32_t i = 0; i < output.files.size(); ++i)
        output.files[i].isAsPlanned = [check, i,
                                       isLaidOut = output.files[i].isAsPlanned](const io::ByteSource& written) -> Result<bool> {
            WB_TRY_ASSIGN(const bool isAsPlanned, isLaidOut(written));
            if (isAsPlanned) WB_TRY(compareWithSource(check, i, written));
            return isAsPlanned;
        };
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
    std::uint64_t bytes = run::peakBytes(outputItems(plan, items), each.bytes(), threads);
    bytes += items.size() * (sizeof(WorkItem) + sizeof(ErrorSums));
    for (const PlannedFile& file : plan.files) bytes += file.header.size() * 2; // as planned, and as read back for the check
    return bytes;
}

Result<QuantizeOutcome> runQuantize(const QuantizePlan& plan, const std::filesystem::path& target,
                                    const QuantizeRunOptions& options, const Progress& progress) {
    WB_TRY(requireExecutable(plan));
    const auto items = workItems(plan, itemElements(plan));
    QuantizeProducer producer(plan, items, options);
    WB_TRY(producer.openReaders());
    WB_TRY_ASSIGN(run::OutputPlan output, outputPlan(plan, items, target));
    if (options.verify) compareAtTheEnd(output, {plan, items, producer.readers(), *options.verify, options.threads, progress.stop});
    WB_TRY_ASSIGN(const run::RunOutcome done, run::execute(output, producer, options, progress));
    QuantizeOutcome outcome{producer.errors(), done.resumedItems, done.seconds, producer.device(), producer.remarks()};
    if (done.hasDropped)
        outcome.remarks.push_back(makeProblem(Severity::Note, "quantize.dropped", {}, std::nullopt,
                                              WB_TEXT("The unfinished work of another job on {} was dropped."),
                                              io::baseName(target)));
    return outcome;
}

} // namespace wb::quantize
