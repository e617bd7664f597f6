// SPDX-License-Identifier: MIT
#include "core/convert/source/cast_work.h"

namespace wb::convert {
namespace {

std::vector<run::Item> outputItems(const CastWork& work) {
    std::vector<run::Item> outputs;
    for (const WorkItem& item : work.items) {
        const WrittenTensor& tensor = work.tensors[item.tensor];
        outputs.push_back(
            {tensor.file, tensor.offset + *rowBytes(tensor.to, item.first), *rowBytes(tensor.to, item.elements), item.elements});
    }
    return outputs;
}

class CastProducer : public run::Producer {
public:
    explicit CastProducer(const CastWork& work) : m_work(work), m_losses(work.items.size()) {}

    Result<void> begin() override { return {}; }
    std::unique_ptr<Worker> makeWorker() override { return std::make_unique<ItemWorker>(*this); }
    std::uint64_t workerBytes() const override { return m_work.workerBytes; }
    bool resume(std::uint64_t item, std::string_view record) override { return m_losses[item].read(record); }
    Result<void> checkSources() override { return m_work.inputs->checkUnchanged(); }

    std::vector<Problem> remarks() const {
        std::vector<CastLoss> losses(m_work.tensors.size());
        for (std::size_t i = 0; i < m_work.items.size(); ++i) losses[m_work.items[i].tensor] += m_losses[i];
        std::vector<Problem> remarks;
        for (std::size_t t = 0; t < losses.size(); ++t)
            addRemarks(remarks, m_work.tensors[t].name, m_work.tensors[t].to, losses[t]);
        return remarks;
    }

private:
    class ItemWorker : public Worker {
    public:
        explicit ItemWorker(CastProducer& producer) : m_producer(producer) {}

        Result<std::string> compute(std::uint64_t index, std::span<std::byte> bytes) override {
            const CastWork& work = m_producer.m_work;
            WB_TRY_ASSIGN(const CastLoss loss, work.compute(work.items[index], bytes, m_buffers));
            m_producer.m_losses[index] = loss;
            return loss.record();
        }

    private:
        CastProducer& m_producer;
        ItemBuffers m_buffers;
    };

    const CastWork& m_work;
    std::vector<CastLoss> m_losses; // one per item
};

run::Recompute recompute(const CastWork& work) {
    return [&work, buffers = std::make_shared<ItemBuffers>()](std::uint64_t item, std::span<std::byte> bytes) -> Result<void> {
        WB_TRY(work.compute(work.items[item], bytes, *buffers));
        return {};
    };
}

run::Comparison workComparison(const CastWork& work, std::span<const run::Item> outputs, std::uint32_t file, run::Verify verify) {
    run::Comparison comparison;
    for (std::uint64_t i = 0; i < outputs.size(); ++i) {
        const WorkItem& item = work.items[i];
        const bool isEnd = item.first == 0 || item.first + item.elements == work.tensors[item.tensor].elements;
        if (outputs[i].file == file && (isEnd || verify == run::Verify::All))
            comparison.ranges.push_back({i, outputs[i].offset, outputs[i].bytes});
    }
    comparison.makeWorker = [&work] { return recompute(work); };
    comparison.workerBytes = work.workerBytes;
    comparison.tensorName = [&work](std::uint64_t item) { return work.tensors[work.items[item].tensor].name; };
    return comparison;
}

} // namespace

std::uint64_t peakMemory(const CastWork& work, unsigned threads) {
    return run::peakBytes(outputItems(work), work.workerBytes, threads) + work.items.size() * (sizeof(WorkItem) + sizeof(CastLoss));
}

Result<double> estimateSeconds(const CastWork& work, unsigned threads, const std::stop_token& stop) {
    constexpr double seconds = 0.5;
    CastProducer producer(work);
    return run::estimateSeconds(outputItems(work), producer, threads, seconds, stop);
}

Result<Outcome> runCast(const CastWork& work, run::OutputPlan output, const run::RunOptions& options, const Progress& progress) {
    output.items = outputItems(work);
    output.job.items = work.items.size();
    run::compareAtTheEnd(output, options, progress.stop,
                         [&](std::uint32_t file) { return workComparison(work, output.items, file, options.verify); });
    CastProducer producer(work);
    WB_TRY_ASSIGN(const run::RunOutcome done, run::execute(output, producer, options, progress));
    return jobOutcome(done, producer.remarks(), output.target);
}

} // namespace wb::convert
