// SPDX-License-Identifier: MIT
#include "gpu/quant/quantizer.h"

#include "gpu/quant/engine.h"
#include "gpu/quant/quantizer_self_test.h"

#include <atomic>
#include <set>

namespace wb::gpu {
namespace {

constexpr std::uint64_t smallWork = 32 << 20; // values, which a CPU quantizes in about the time that a device takes to begin

class Quantizer final : public quant::Backend {
public:
    Quantizer(DevicePtr device, Use use, unsigned threads)
        : m_name(fmt::format("gpu:{}", device->info().index)), m_use(use), m_threads(threads), m_engine(std::move(device)),
          m_cpu(quant::makeCpuBackend()) {}

    std::string name() const override { return m_name; }

    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        if (m_isSmall || kernel == nullptr || !m_engine.fits(rows.columns) || !trusted(*kernel, !rows.weights.empty()))
            return m_cpu->quantize(dtype, rows, out);
        const auto done = m_engine.run(*kernel, rows, out);
        if (done) return {};
        giveUp(dtype, done.error());
        return m_cpu->quantize(dtype, rows, out);
    }

    Result<std::optional<quant::ErrorSums>> quantizeStored(Dtype dtype, const quant::StoredRows& rows,
                                                           std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        const bool weighted = !rows.weights.empty();
        if (m_isSmall || kernel == nullptr || !m_engine.canRunStored(rows) || !trusted(*kernel, weighted) ||
            !trusted(*kernel, weighted, rows.dtype))
            return std::nullopt;
        const auto sums = m_engine.runStored(*kernel, rows, out);
        if (sums) return *sums;
        giveUp(dtype, sums.error());
        return std::nullopt;
    }

    void expect(std::uint64_t values) override { m_isSmall = m_use == Use::WhereFaster && values < smallWork; }

    void distrust(Dtype dtype) override { giveUp(dtype, wrongBytes(m_engine, dtype)); }

    std::vector<Problem> remarks() const override {
        const std::lock_guard lock(m_mutex);
        return m_remarks;
    }

private:
    // Tests a type when it is first asked for; others wait meanwhile.
    // `from` is the stored type that the device decodes itself.
    bool trusted(const QuantKernel& kernel, bool weighted, std::optional<Dtype> from = {}) {
        const std::lock_guard lock(m_testMutex);
        if (m_allGivenUp || m_givenUp.contains(kernel.dtype)) return false;
        if (!m_tested.insert({kernel.dtype, from}).second) return true;
        auto outcome = from ? testStored(m_engine, kernel, *from) : testKernel(m_engine, kernel);
        if (outcome && !from && m_use == Use::WhereFaster)
            outcome = testSpeed(m_engine, kernel, weighted && kernel.weighted, *m_cpu, m_threads);
        if (!outcome) note(kernel.dtype, outcome.error());
        return outcome.has_value();
    }

    void giveUp(Dtype dtype, const Error& error) {
        const std::lock_guard lock(m_testMutex);
        note(dtype, error);
    }

    // What is told of a failure: with the type, unless that is all of them or named already.
    Error told(Dtype dtype, const Error& error) const {
        const std::string& device = m_engine.info().name;
        if (error.code == ErrorCode::TooLarge)
            return makeError(error.code,
                             WB_TEXT("The graphics device {} has no memory left for quantizing to {}; the CPU does it."), device,
                             wb::name(dtype));
        if (error.code == ErrorCode::Internal)
            return makeError(error.code,
                             WB_TEXT("The driver of the graphics device {} refused to quantize to {}; the CPU does it."), device,
                             wb::name(dtype));
        return error;
    }

    // Says a thing once: a lost device is lost for every type and thread.
    void note(Dtype dtype, const Error& error) {
        const bool lost = error.code == ErrorCode::DeviceLost;
        const bool known = m_allGivenUp || (!lost && m_givenUp.contains(dtype));
        m_allGivenUp |= lost;
        m_givenUp.insert(dtype);
        if (known) return;
        const Error words = told(dtype, error);
        const Severity severity = std::string_view(words.format) == slowerDevice ? Severity::Note : Severity::Warning;
        const std::lock_guard lock(m_mutex);
        m_remarks.push_back({severity, lost ? Reason("gpu.lost") : Reason("gpu.given-up"), {}, {}, words.format, words.arguments});
    }

    std::string m_name;
    Use m_use;
    unsigned m_threads;
    QuantEngine m_engine;
    std::unique_ptr<quant::Backend> m_cpu;
    std::atomic<bool> m_isSmall = false; // all of the work
    std::mutex m_testMutex;
    std::set<std::pair<Dtype, std::optional<Dtype>>> m_tested;
    std::set<Dtype> m_givenUp;
    bool m_allGivenUp = false;
    mutable std::mutex m_mutex;
    std::vector<Problem> m_remarks;
};

} // namespace

std::unique_ptr<quant::Backend> makeQuantizer(DevicePtr device, Use use, unsigned threads) {
    return std::make_unique<Quantizer>(std::move(device), use, threads);
}

Result<void> testQuantizer(const DevicePtr& device, Dtype dtype) {
    const QuantKernel* kernel = findQuantKernel(dtype);
    if (kernel == nullptr) return {};
    QuantEngine engine(device);
    return testKernel(engine, *kernel);
}

} // namespace wb::gpu
