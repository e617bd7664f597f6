// SPDX-License-Identifier: MIT
#include "core/convert/quantize/calibration.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/convert/quantize/work_items.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

namespace wb::quantize {
namespace {

QuantizePlan smallPlan(const test::TemporaryFolder& folder) {
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q4_K_M;
    return *planQuantize(openStrict(writeSmallModel(folder, 4)), request);
}

TEST(Calibration, KnowsEveryTypeOfThePlan) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = smallPlan(folder);
    const Speeds speeds = calibrate(plan, *quant::makeCpuBackend(), 2, 0.02, {});
    for (const PlannedTensor& tensor : plan.tensors)
        if (!tensor.copied()) {
            EXPECT_GT(speeds.at(tensor.to), 0);
        }
    EXPECT_GT(estimateSeconds(plan, speeds), 0);
}

// A device that takes ten milliseconds for whatever it is given, one piece after another.
class SlowBackend final : public quant::Backend {
public:
    std::string name() const override { return "slow"; }
    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        const std::lock_guard lock(m_mutex);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return m_cpu->quantize(dtype, rows, out);
    }

private:
    std::mutex m_mutex;
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
};

// However many threads wait for it.
TEST(Calibration, IsThatOfTheBackendWhichDoesTheWork) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = smallPlan(folder);
    SlowBackend slow;
    const Speeds speeds = calibrate(plan, slow, 8, 0.05, {});
    ASSERT_FALSE(speeds.empty());
    for (const auto& [type, speed] : speeds) EXPECT_LE(speed, 100.0 * static_cast<double>(itemElements(plan))) << name(type);
}

TEST(Calibration, EndsWhenItIsStopped) {
    const test::TemporaryFolder folder;
    std::stop_source stop;
    stop.request_stop();
    calibrate(smallPlan(folder), *quant::makeCpuBackend(), 1, 1e9, stop.get_token());
}

// However many processors a machine has.
TEST(PeakMemory, StaysBelowHalfAGibibyte) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = smallPlan(folder);
    EXPECT_GT(peakMemory(plan, 2), peakMemory(plan, 1));
    EXPECT_LT(peakMemory(plan, 1000), 512ull << 20);
}

} // namespace
} // namespace wb::quantize
