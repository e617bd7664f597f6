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
std::string sumsRecord(const ErrorSums& sums) {
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
    QuantizeProducer(const QuantizePlan& plan, std::span<const WorkItem> items, const convert::RunOptions& options)
        : m_plan(plan), m_items(items), m_options(options), m_sums(items.size()) {}

    Result<void> openInputs();
    Result<void> begin() override;
    std::unique_ptr<Worker> makeWorker() override;
    std::uint64_t workerBytes() const override { return m_bufferSizes.bytes(); }
    bool resume(std::uint64_t item, std::string_view record) override { return readRecord(record, m_sums[item]); }
    Result<void> checkSources() override;

    const convert::TensorInputs& inputs() const { return *m_inputs; }
    std::vector<convert::TensorError> errors() const;
    std::string device() const { return m_backend->name(); }
    std::vector<Problem> remarks() const { return m_backend->remarks(); }

private:
    class ItemWorker;

    const QuantizePlan& m_plan;
    std::span<const WorkItem> m_items;
    const convert::RunOptions& m_options;
    std::vector<ErrorSums> m_sums; // one an item
    std::shared_ptr<quant::Backend> m_backend = quant::makeCpuBackend();
    BufferSizes m_bufferSizes;
    std::shared_ptr<convert::TensorInputs> m_inputs;
};

class QuantizeProducer::ItemWorker : public Worker {
public:
    explicit ItemWorker(QuantizeProducer& producer) : m_producer(producer) { m_buffers.reserve(producer.m_bufferSizes); }

    Result<std::string> compute(std::uint64_t index, std::span<std::byte> bytes) override {
        const WorkItem& item = m_producer.m_items[index];
        WB_TRY_ASSIGN(const ErrorSums sums, quantizeItem(m_producer.m_plan, item, m_producer.m_inputs->first(item.tensor),
                                                         *m_producer.m_backend, bytes, m_buffers));
        m_producer.m_sums[index] = sums;
        return sumsRecord(sums);
    }

private:
    QuantizeProducer& m_producer;
    ItemBuffers m_buffers;
};

Result<void> QuantizeProducer::openInputs() {
    WB_TRY_ASSIGN(m_inputs, convert::TensorInputs::open(*m_plan.model, m_plan.whole->tensors));
    for (const PlannedTensor& tensor : m_plan.tensors) {
        const TensorInfo* const source = &m_plan.model->tensors[tensor.source];
        WB_TRY(m_inputs->add(std::span(&source, 1)));
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
    WB_TRY(m_inputs->checkUnchanged());
    return m_plan.matrix ? m_plan.matrix->source->checkUnchanged() : Result<void>();
}

// Items are added in order, so that the sums of a tensor do not depend on threads.
std::vector<convert::TensorError> QuantizeProducer::errors() const {
    std::vector<ErrorSums> sums(m_plan.tensors.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) sums[m_items[i].tensor] += m_sums[i];
    std::vector<convert::TensorError> errors;
    for (std::size_t t = 0; t < sums.size(); ++t) {
        const ErrorSums& s = sums[t];
        const auto n = static_cast<double>(m_plan.model->tensors[m_plan.tensors[t].source].shape.elements());
        convert::TensorError error;
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
    std::uint64_t bytes = run::peakBytes(outputItems(plan, items), each.bytes(), threads);
    bytes += items.size() * (sizeof(WorkItem) + sizeof(ErrorSums));
    for (const PlannedFile& file : plan.files) bytes += file.header.size() * 2; // as planned, and as read back for the check
    return bytes;
}

Result<convert::Outcome> runQuantize(const QuantizePlan& plan, const std::filesystem::path& target,
                                     const convert::RunOptions& options, const Progress& progress) {
    WB_TRY(requireExecutable(plan));
    const auto items = workItems(plan, itemElements(plan));
    QuantizeProducer producer(plan, items, options);
    WB_TRY(producer.openInputs());
    WB_TRY_ASSIGN(run::OutputPlan output, outputPlan(plan, items, target));
    run::compareAtTheEnd(output, options, progress.stop, [&](std::uint32_t file) {
        return quantizeComparison(plan, items, producer.inputs(), file, options.verify);
    });
    WB_TRY_ASSIGN(const run::RunOutcome done, run::execute(output, producer, options, progress));
    convert::Outcome outcome = convert::jobOutcome(done, producer.remarks(), target);
    outcome.errors = producer.errors();
    outcome.device = producer.device();
    return outcome;
}

} // namespace wb::quantize
