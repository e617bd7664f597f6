// SPDX-License-Identifier: MIT
#include "gpu/compute/statistics.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/stats/compare.h"
#include "tests/unit/stats/made_tensor.h"

#include <algorithm>

namespace wb::gpu::compute {
namespace {

using Kind = DeviceRef::Kind;

TensorReader sampleReader(Dtype dtype, std::uint64_t elements) {
    return test::makeReader(dtype, *Shape::make({elements}), test::randomBytes(dtype, elements, 3));
}

std::string codeOf(const stats::TensorStats& stats) { return stats.deviceNote ? stats.deviceNote->code.id() : ""; }

TEST(Statistics, OpenNoDeviceForTheProcessorOrForSmallTensors) {
    const auto open = [](const DeviceRef&) -> Result<DevicePtr> {
        ADD_FAILURE() << "opened";
        return fail(ErrorCode::NotFound, Reason("test.failure"), "none");
    };
    const auto reader = sampleReader(Dtype::F32, 5000);
    for (const Kind kind : {Kind::Processor, Kind::Automatic}) {
        const ComputeDevice device({kind}, open);
        EXPECT_EQ(makeStatistics(device)->compute(reader, {}, {})->device, "cpu");
    }
    const auto wide = sampleReader(Dtype::F64, 5000);
    const ComputeDevice device({Kind::Best}, open);
    EXPECT_EQ(codeOf(*makeStatistics(device)->compute(wide, {}, {})), "device.type");
}

TEST(Statistics, SayWhyThereIsNoDevice) {
    int times = 0;
    const ComputeDevice device({Kind::Best}, [&times](const DeviceRef&) -> Result<DevicePtr> {
        ++times;
        return fail(ErrorCode::NotFound, Reason("test.failure"), "None of {}.", "them");
    });
    const auto backend = makeStatistics(device);
    for (int i = 0; i < 2; ++i) {
        const auto stats = backend->compute(sampleReader(Dtype::F16, 5000), {}, {});
        ASSERT_TRUE(stats);
        EXPECT_EQ(stats->device, "cpu");
        ASSERT_TRUE(stats->deviceNote);
        EXPECT_EQ(stats->deviceNote->message(), "None of them.");
        EXPECT_EQ(stats->deviceNote->severity, Severity::Warning);
    }
    EXPECT_EQ(times, 1);
}

class StatisticsOnADevice : public test::GpuTest {};

TEST_F(StatisticsOnADevice, AreTheCpusAndNameIt) {
    ComputeDevice chosen = test::chosen(device);
    const auto backend = makeStatistics(chosen);
    const auto reader = sampleReader(Dtype::Q4_0, 64 * 100);
    const auto stats = backend->compute(reader, {}, {});
    ASSERT_TRUE(stats) << stats.error().message();
    EXPECT_EQ(stats->device, "gpu:" + std::to_string(device->info().index));
    EXPECT_FALSE(stats->deviceNote);
    test::expectSame(*stats, *stats::makeCpuBackend()->compute(reader, {}, {}), "chosen", test::gpuTolerances);
    chosen.choose({Kind::Processor});
    EXPECT_EQ(backend->compute(reader, {}, {})->device, "cpu");
}

TEST_F(StatisticsOnADevice, AreComparedWithTheProcessorForLargeTensors) {
    const ComputeDevice chosen = test::chosen(device, {Kind::Automatic});
    const auto backend = makeStatistics(chosen);
    const auto reader = sampleReader(Dtype::Q1_0, 1 << 20);
    std::vector<std::string> devices;
    for (int i = 0; i < 4; ++i) devices.push_back(backend->compute(reader, {}, {})->device);
    EXPECT_EQ(std::ranges::count(devices, "cpu"), 2);
    EXPECT_EQ(codeOf(*backend->compute(reader, {}, {})), "device.measured");
}

TEST_F(StatisticsOnADevice, FallBackWhereItIsLost) {
    const ComputeDevice chosen = test::chosen(device);
    const auto backend = makeStatistics(chosen);
    const auto reader = sampleReader(Dtype::F32, 2'000'000);
    ASSERT_TRUE(device->selfTest());
    test::injectFault(*device, test::Fault::Lost, 4);
    for (int i = 0; i < 5; ++i) { // `chosen` gives the lost device again, as if every new one were lost at once
        const auto stats = backend->compute(reader, {}, {});
        ASSERT_TRUE(stats) << stats.error().message();
        EXPECT_EQ(stats->device, "cpu");
        EXPECT_EQ(codeOf(*stats), "device.lost");
        EXPECT_EQ(stats->deviceNote->severity, Severity::Warning);
        test::expectSame(*stats, *stats::makeCpuBackend()->compute(reader, {}, {}), "after the loss");
    }
}

} // namespace
} // namespace wb::gpu::compute
