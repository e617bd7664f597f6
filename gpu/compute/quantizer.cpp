// SPDX-License-Identifier: MIT
#include "gpu/compute/quantizer.h"

#include "core/jobs/thread_pool.h"
#include "gpu/quant/quantizer_self_test.h"
#include "gpu/quant/self_test_rows.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

namespace wb::gpu::compute {
namespace {

constexpr std::uint64_t smallJob = 32 << 20; // values, which the CPU quantizes in about the time that a device takes to start

MeasuredTask taskFromWeighted(bool weighted) { return weighted ? MeasuredTask::WeightedQuantizing : MeasuredTask::Quantizing; }

template <typename Work>
Result<double> workSeconds(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    WB_TRY(work());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Quantizer final : public quant::Backend {
public:
    Quantizer(std::shared_ptr<ChosenDevice> chosen, DevicePtr device, unsigned threads)
        : m_chosen(std::move(chosen)), m_name(device->info().option()), m_threads(threads), m_engine(std::move(device)),
          m_cpu(quant::makeCpuBackend()) {}

    std::string name() const override { return m_name; }

    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        if (m_isSmallJob || kernel == nullptr || !m_engine.fits(rows.columns) || !isUsable(*kernel, !rows.weights.empty()))
            return m_cpu->quantize(dtype, rows, out);
        const auto redone = m_engine.run(*kernel, rows, out);
        if (redone) {
            count(dtype, rows.values.size(), *redone);
            return {};
        }
        giveUp(dtype, redone.error());
        return m_cpu->quantize(dtype, rows, out);
    }

    Result<std::optional<quant::ErrorSums>> quantizeStored(Dtype dtype, const quant::StoredRows& rows,
                                                           std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        const bool weighted = !rows.weights.empty();
        if (m_isSmallJob || kernel == nullptr || !m_engine.canRunStored(rows) || !isUsable(*kernel, weighted) ||
            !isUsable(*kernel, weighted, rows.dtype))
            return std::nullopt;
        const auto done = m_engine.runStored(*kernel, rows, out);
        if (done) {
            count(dtype, rows.bytes.size() / wb::info(rows.dtype).blockBytes * wb::info(rows.dtype).blockElements, done->redone);
            return done->sums;
        }
        giveUp(dtype, done.error());
        return std::nullopt;
    }

    void expect(std::uint64_t values) override { m_isSmallJob = m_chosen->choice().isAutomatic() && values < smallJob; }

    void distrust(Dtype dtype) override { giveUp(dtype, wrongBytes(m_engine, dtype)); }

    std::vector<Problem> remarks() const override {
        const std::lock_guard lock(m_mutex);
        std::vector<Problem> all = m_remarks;
        if (m_redone > 0)
            all.push_back(makeProblem(Severity::Note, Reason("device.redone_blocks"), {}, std::nullopt,
                                      WB_TEXT("The GPU {} flushes numbers below 1.2e-38 to zero, so the CPU requantized {} of {} "
                                              "blocks that may contain such numbers."),
                                      m_engine.info().name, m_redone, m_blocks));
        return all;
    }

private:
    void count(Dtype dtype, std::uint64_t values, std::uint64_t redone) {
        const std::lock_guard lock(m_mutex);
        m_blocks += values / wb::info(dtype).blockElements;
        m_redone += redone;
    }

    // Tests a type when it is first asked for; other threads block meanwhile. `from` is the stored type that the device decodes
    // itself.
    bool isUsable(const QuantKernel& kernel, bool weighted, std::optional<Dtype> from = {}) {
        const std::lock_guard lock(m_testMutex);
        if (m_allGivenUp || m_givenUp.contains(kernel.dtype)) return false;
        if (!m_tested.insert({kernel.dtype, from}).second) return true;
        auto outcome = from ? testStored(m_engine, kernel, *from) : testKernel(m_engine, kernel);
        if (outcome && !from && m_chosen->choice().isAutomatic()) outcome = checkSpeed(kernel, weighted && kernel.weighted);
        if (!outcome) remark(kernel.dtype, outcome.error());
        return outcome.has_value();
    }

    Result<void> checkSpeed(const QuantKernel& kernel, bool weighted) {
        SpeedTable& speeds = m_chosen->speeds();
        const MeasuredTask task = taskFromWeighted(weighted);
        if (!speeds.find(task, kernel.dtype)) WB_TRY(measureQuantizing(m_engine, kernel, weighted, *m_cpu, m_threads, speeds));
        if (speeds.next(task, kernel.dtype) == Worker::Device) return {};
        return fail(ErrorCode::Unsupported, Reason("device.slower"),
                    WB_TEXT("The CPU quantizes {} faster than the GPU {}, so the CPU is used."), wb::name(kernel.dtype),
                    m_engine.info().name);
    }

    void giveUp(Dtype dtype, const Error& error) {
        const std::lock_guard lock(m_testMutex);
        remark(dtype, error);
    }

    // The same error with the type in its sentence; one that concerns every type, or names its type already, stays.
    Error nameType(Dtype dtype, const Error& error) const {
        const std::string& device = m_engine.info().name;
        if (error.code == ErrorCode::TooLarge)
            return makeError(error.code, error.reason,
                             WB_TEXT("The GPU {} has too little memory to quantize to {}; the CPU is used instead."), device,
                             wb::name(dtype));
        if (error.code == ErrorCode::Internal)
            return makeError(error.code, error.reason,
                             WB_TEXT("The driver of the GPU {} failed to quantize to {}; the CPU is used instead."), device,
                             wb::name(dtype));
        return error;
    }

    // Reports a type, or the whole device, only once, however many threads meet the failure. m_testMutex is held.
    void remark(Dtype dtype, const Error& error) {
        const bool lost = error.code == ErrorCode::DeviceLost;
        const bool isKnown = m_allGivenUp || (!lost && m_givenUp.contains(dtype));
        m_allGivenUp |= lost;
        m_givenUp.insert(dtype);
        if (isKnown) return;
        const std::lock_guard lock(m_mutex);
        m_remarks.push_back(fallbackRemark(m_chosen->choice(), nameType(dtype, error)));
    }

    const std::shared_ptr<ChosenDevice> m_chosen;
    const std::string m_name;
    const unsigned m_threads;
    QuantEngine m_engine;
    const std::unique_ptr<quant::Backend> m_cpu;
    std::atomic<bool> m_isSmallJob = false;
    std::mutex m_testMutex;
    std::set<std::pair<Dtype, std::optional<Dtype>>> m_tested;
    std::set<Dtype> m_givenUp;
    bool m_allGivenUp = false;
    mutable std::mutex m_mutex;
    std::vector<Problem> m_remarks;
    std::uint64_t m_blocks = 0, m_redone = 0; // that the device quantized, and those of them that the CPU did again
};

} // namespace

std::shared_ptr<quant::Backend> makeQuantizer(const ComputeDevice& device, unsigned threads) {
    const auto chosen = device.chosen();
    auto opened = chosen->device();
    if (opened && *opened != nullptr) return std::make_shared<Quantizer>(chosen, std::move(*opened), threads);
    std::vector<Problem> remarks;
    if (!opened) remarks.push_back(fallbackRemark(chosen->choice(), opened.error()));
    std::erase_if(remarks, [](const Problem& remark) { return remark.severity == Severity::Note; });
    return quant::makeCpuBackend(std::move(remarks));
}

Result<void> measureQuantizing(QuantEngine& engine, const QuantKernel& kernel, bool weighted, quant::Backend& cpu, unsigned threads,
                               SpeedTable& speeds) {
    constexpr std::size_t columns = 512, rows = 1024, rowsOnCpu = 128;
    constexpr unsigned calls = 4; // at a time
    const bool isWeighted = weighted || quant::weightUse(kernel.dtype) == quant::WeightUse::Required;
    const std::span<const float> weights = isWeighted ? std::span(selfTestWeights()) : std::span<const float>();
    std::vector<float> values;
    for (std::size_t row = 0; row < rows; ++row)
        values.insert(values.end(), selfTestRows().begin(), selfTestRows().begin() + columns);
    const auto some = std::span<const float>(values).first(rowsOnCpu * columns);
    std::vector<std::byte> out(*rowBytes(kernel.dtype, columns) * rows);
    const auto part = std::span(out).first(out.size() / rows * rowsOnCpu);
    const double allThreads = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    const auto all = static_cast<double>(values.size() * sizeof(float)) * calls;
    // As in a job: some fill or empty their buffers while the device works on another's.
    std::vector<std::vector<std::byte>> results(calls, out);
    const auto onAll = [&] {
        return jobs::parallelFor(calls, calls, {}, [&](std::uint64_t call) -> Result<void> {
            WB_TRY(engine.run(kernel, {values, columns, weights}, results[call]));
            return {};
        });
    };
    for (int run = 0; run < 2; ++run) {
        WB_TRY_ASSIGN(const double onCpu, workSeconds([&] { return cpu.quantize(kernel.dtype, {some, columns, weights}, part); }));
        WB_TRY_ASSIGN(const double onDevice, workSeconds(onAll));
        speeds.add(taskFromWeighted(weighted), kernel.dtype, Worker::Processor, static_cast<double>(some.size_bytes()) * allThreads,
                   onCpu);
        speeds.add(taskFromWeighted(weighted), kernel.dtype, Worker::Device, all, onDevice);
    }
    return {};
}

} // namespace wb::gpu::compute
