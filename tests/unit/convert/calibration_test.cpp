// SPDX-License-Identifier: MIT
#include "core/convert/calibration.h"
#include "core/convert/quantize_run.h"
#include "tests/unit/convert/small_model.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

QuantizePlan smallPlan(const test::TemporaryFolder& folder) {
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q4_K_M;
    return *planQuantize(openStrict(writeSmallModel(folder, 4)), request);
}

TEST(Calibration, knowsEveryTypeOfThePlan) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = smallPlan(folder);
    const Speeds speeds = calibrate(plan, 0.02, {});
    for (const PlannedTensor& tensor : plan.tensors)
        if (!tensor.copied()) { EXPECT_GT(speeds.at(tensor.to), 0); }
    EXPECT_GT(estimateSeconds(plan, speeds, 1), 0);
    EXPECT_NEAR(estimateSeconds(plan, speeds, 1), 4 * estimateSeconds(plan, speeds, 4), 1e-9);
}

// However many processors a machine has.
TEST(PeakMemory, staysBelowHalfAGibibyte) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = smallPlan(folder);
    EXPECT_GT(peakMemory(plan, 2), peakMemory(plan, 1));
    EXPECT_LT(peakMemory(plan, 1000), 512ull << 20);
}

} // namespace
} // namespace wb::convert
