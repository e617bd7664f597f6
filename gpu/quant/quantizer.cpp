// SPDX-License-Identifier: MIT
#include "gpu/quant/quantizer.h"

#include "gpu/quant/engine.h"
#include "gpu/quant/known_rows.h"

#include <set>

namespace wb::gpu {
namespace {

// Both forms of a type on the known rows.
Result<void> testType(QuantEngine& engine, const QuantKernel& kernel) {
    const std::vector<float>& values = knownRows();
    const std::vector<float>& weights = knownWeights();
    for (const bool weighted : {false, true}) {
        if (weighted ? !kernel.weighted : quant::weightUse(kernel.dtype) == quant::WeightUse::Required) continue;
        const quant::Rows rows{values, weights.size(), weighted ? std::span<const float>(weights) : std::span<const float>()};
        std::vector<std::byte> ours(*rowBytes(kernel.dtype, rows.columns) * rows.count()), truth(ours.size());
        WB_TRY(engine.run(kernel, rows, ours));
        WB_TRY(quant::makeCpuBackend()->quantize(kernel.dtype, rows, truth));
        if (ours != truth)
            return fail(ErrorCode::Unsupported, WB_TEXT("The graphics device {} quantizes {} wrongly; the CPU does it."), engine.info().name,
                        name(kernel.dtype));
    }
    return {};
}

class Quantizer final : public quant::Backend {
public:
    explicit Quantizer(DevicePtr device)
        : m_name(fmt::format("gpu:{}", device->info().index)), m_engine(std::move(device)), m_cpu(quant::makeCpuBackend()) {}

    std::string name() const override { return m_name; }

    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        const QuantKernel* kernel = findQuantKernel(dtype);
        if (kernel == nullptr || !m_engine.fits(rows) || !trusted(*kernel)) return m_cpu->quantize(dtype, rows, out);
        const auto done = m_engine.run(*kernel, rows, out);
        if (done) return {};
        giveUp(dtype, done.error());
        return m_cpu->quantize(dtype, rows, out);
    }

    std::vector<Problem> remarks() const override {
        const std::lock_guard lock(m_mutex);
        return m_remarks;
    }

private:
    // Tests a type when it is first asked for; others wait meanwhile.
    bool trusted(const QuantKernel& kernel) {
        const std::lock_guard lock(m_testMutex);
        if (m_allGivenUp || m_givenUp.contains(kernel.dtype)) return false;
        if (m_tested.contains(kernel.dtype)) return true;
        const auto outcome = testType(m_engine, kernel);
        m_tested.insert(kernel.dtype);
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
        m_remarks.push_back({Severity::Warning, lost ? "gpu.lost" : "gpu.given-up", {}, {}, error.format, error.arguments});
    }

    std::string m_name;
    QuantEngine m_engine;
    std::unique_ptr<quant::Backend> m_cpu;
    std::mutex m_testMutex;
    std::set<Dtype> m_tested, m_givenUp;
    bool m_allGivenUp = false;
    mutable std::mutex m_mutex;
    std::vector<Problem> m_remarks;
};

} // namespace

std::unique_ptr<quant::Backend> makeQuantizer(DevicePtr device) { return std::make_unique<Quantizer>(std::move(device)); }

Result<void> testQuantizer(const DevicePtr& device, Dtype dtype) {
    const QuantKernel* kernel = findQuantKernel(dtype);
    if (kernel == nullptr) return {};
    QuantEngine engine(device);
    return testType(engine, *kernel);
}

} // namespace wb::gpu
