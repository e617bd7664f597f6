// SPDX-License-Identifier: MIT
#include "gpu/quant/quantizer.h"

#include "gpu/quant/engine.h"
#include "gpu/quant/trust.h"

#include <set>

namespace wb::gpu {
namespace {

class Quantizer final : public quant::Backend {
public:
    Quantizer(DevicePtr device, Use use)
        : m_name(fmt::format("gpu:{}", device->info().index)), m_use(use), m_engine(std::move(device)), m_cpu(quant::makeCpuBackend()) {}

    std::string name() const override { return m_name; }

    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        if (kernel == nullptr || !m_engine.fits(rows.columns) || !trusted(*kernel)) return m_cpu->quantize(dtype, rows, out);
        const auto done = m_engine.run(*kernel, rows, out);
        if (done) return {};
        giveUp(dtype, done.error());
        return m_cpu->quantize(dtype, rows, out);
    }

    Result<std::optional<quant::ErrorSums>> quantizeStored(Dtype dtype, const quant::StoredRows& rows,
                                                           std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        if (kernel == nullptr || !m_engine.takesStored(*kernel, rows) || !trusted(*kernel) || !trusted(*kernel, rows.dtype))
            return std::nullopt;
        const auto sums = m_engine.runStored(*kernel, rows, out);
        if (sums) return *sums;
        giveUp(dtype, sums.error());
        return std::nullopt;
    }

    std::vector<Problem> remarks() const override {
        const std::lock_guard lock(m_mutex);
        return m_remarks;
    }

private:
    // Tests a type when it is first asked for; others wait meanwhile.
    // `from` is the stored type that the device decodes itself.
    bool trusted(const QuantKernel& kernel, std::optional<Dtype> from = {}) {
        const std::lock_guard lock(m_testMutex);
        if (m_allGivenUp || m_givenUp.contains(kernel.dtype)) return false;
        if (!m_tested.insert({kernel.dtype, from}).second) return true;
        auto outcome = from ? testStored(m_engine, kernel, *from) : testKernel(m_engine, kernel);
        if (outcome && !from && m_use == Use::WhereFaster) outcome = testSpeed(m_engine, kernel, *m_cpu);
        if (!outcome) note(kernel.dtype, outcome.error());
        return outcome.has_value();
    }

    void giveUp(Dtype dtype, const Error& error) {
        const std::lock_guard lock(m_testMutex);
        note(dtype, error);
    }

    // Says a thing once: a lost device is lost for every type and thread.
    void note(Dtype dtype, const Error& error) {
        const bool lost = error.code == ErrorCode::DeviceLost;
        const bool known = m_allGivenUp || m_givenUp.contains(dtype);
        m_allGivenUp |= lost;
        m_givenUp.insert(dtype);
        if (known) return;
        const std::lock_guard lock(m_mutex);
        const Severity severity = std::string_view(error.format) == slowerDevice ? Severity::Note : Severity::Warning;
        m_remarks.push_back({severity, lost ? "gpu.lost" : "gpu.given-up", {}, {}, error.format, error.arguments});
    }

    std::string m_name;
    Use m_use;
    QuantEngine m_engine;
    std::unique_ptr<quant::Backend> m_cpu;
    std::mutex m_testMutex;
    std::set<std::pair<Dtype, std::optional<Dtype>>> m_tested;
    std::set<Dtype> m_givenUp;
    bool m_allGivenUp = false;
    mutable std::mutex m_mutex;
    std::vector<Problem> m_remarks;
};

} // namespace

std::unique_ptr<quant::Backend> makeQuantizer(DevicePtr device, Use use) {
    return std::make_unique<Quantizer>(std::move(device), use);
}

Result<void> testQuantizer(const DevicePtr& device, Dtype dtype) {
    const QuantKernel* kernel = findQuantKernel(dtype);
    if (kernel == nullptr) return {};
    QuantEngine engine(device);
    return testKernel(engine, *kernel);
}

} // namespace wb::gpu
