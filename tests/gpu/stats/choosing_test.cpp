// SPDX-License-Identifier: MIT
#include "gpu/stats/choosing_backend.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/stats/compare.h"
#include "tests/unit/stats/made_tensor.h"

#include <algorithm>

namespace wb::gpu {
namespace {

using Policy = StatsChoice::Policy;

TensorReader sampleReader(Dtype dtype, std::uint64_t elements) {
    return test::makeReader(dtype, *Shape::make({elements}), test::randomBytes(dtype, elements, 3));
}

std::string codeOf(const stats::TensorStats& stats) { return stats.deviceNote ? stats.deviceNote->code.id() : ""; }

TEST(Speeds, TryBothTwiceAndThenTakeTheFaster) {
    Speeds speeds;
    EXPECT_EQ(speeds.next(Dtype::F32), Speeds::Device);
    speeds.add(Dtype::F32, Speeds::Device, 10, 10); // starting up
    EXPECT_EQ(speeds.next(Dtype::F32), Speeds::Cpu);
    speeds.add(Dtype::F32, Speeds::Cpu, 10, 2);
    speeds.add(Dtype::F32, Speeds::Device, 10, 1);
    EXPECT_FALSE(speeds.known(Dtype::F32));
    speeds.add(Dtype::F32, Speeds::Cpu, 10, 2);
    ASSERT_TRUE(speeds.known(Dtype::F32));
    EXPECT_EQ(speeds.next(Dtype::F32), Speeds::Device);
    EXPECT_EQ(speeds.best(Dtype::F32, Speeds::Cpu), 5);
    EXPECT_EQ(speeds.next(Dtype::Q4_K), Speeds::Device) << "another type was not tried yet";
}

TEST(Speeds, LeaveWorkToTheCpuWhereTheDeviceIsSlower) {
    Speeds speeds;
    for (int i = 0; i < 2; ++i) {
        speeds.add(Dtype::Q8_0, Speeds::Device, 10, 3);
        speeds.add(Dtype::Q8_0, Speeds::Cpu, 10, 2);
    }
    EXPECT_EQ(speeds.next(Dtype::Q8_0), Speeds::Cpu);
}

TEST(ChoosingBackend, DoesNotOpenADeviceForTheCpuOrForSmallTensors) {
    const auto open = []() -> Result<DevicePtr> {
        ADD_FAILURE() << "opened";
        return fail(ErrorCode::NotFound, "none");
    };
    const auto reader = sampleReader(Dtype::F32, 5000);
    for (const Policy policy : {Policy::Cpu, Policy::Fastest})
        EXPECT_EQ(ChoosingBackend({policy, open}).compute(reader, {}, {})->device, "cpu");
    const auto wide = sampleReader(Dtype::F64, 5000);
    EXPECT_EQ(codeOf(*ChoosingBackend({Policy::Device, open}).compute(wide, {}, {})), "device.type");
}

TEST(ChoosingBackend, SaysWhyThereIsNoDevice) {
    int times = 0;
    const auto open = [&times]() -> Result<DevicePtr> {
        ++times;
        return fail(ErrorCode::NotFound, "None of {}.", "them");
    };
    ChoosingBackend backend({Policy::Device, open});
    for (int i = 0; i < 2; ++i) {
        const auto stats = backend.compute(sampleReader(Dtype::F16, 5000), {}, {});
        ASSERT_TRUE(stats);
        EXPECT_EQ(stats->device, "cpu");
        ASSERT_TRUE(stats->deviceNote);
        EXPECT_EQ(stats->deviceNote->message(), "None of them.");
        EXPECT_EQ(stats->deviceNote->severity, Severity::Warning);
    }
    EXPECT_EQ(times, 1);
}

class ChosenDevice : public test::GpuTest {
protected:
    StatsChoice choice(Policy policy) {
        return {policy, [this] { return Result<DevicePtr>(device); }};
    }
};

TEST_F(ChosenDevice, IsUsedAndNamed) {
    ChoosingBackend backend(choice(Policy::Device));
    const auto reader = sampleReader(Dtype::Q4_0, 64 * 100);
    const auto stats = backend.compute(reader, {}, {});
    ASSERT_TRUE(stats) << stats.error().message();
    EXPECT_EQ(stats->device, "gpu:" + std::to_string(device->info().index));
    EXPECT_FALSE(stats->deviceNote);
    test::expectSame(*stats, *stats::makeCpuBackend()->compute(reader, {}, {}), "chosen", test::gpuTolerances);
    backend.choose({});
    EXPECT_EQ(backend.compute(reader, {}, {})->device, "cpu");
}

TEST_F(ChosenDevice, IsComparedWithTheCpuForLargeTensors) {
    ChoosingBackend backend(choice(Policy::Fastest));
    const auto reader = sampleReader(Dtype::Q1_0, 1 << 20);
    std::vector<std::string> devices;
    for (int i = 0; i < 4; ++i) devices.push_back(backend.compute(reader, {}, {})->device);
    EXPECT_EQ(std::ranges::count(devices, "cpu"), 2);
    EXPECT_EQ(codeOf(*backend.compute(reader, {}, {})), "device.measured");
}

TEST_F(ChosenDevice, HandsItsWorkToTheCpuWhenItIsLost) {
    ChoosingBackend backend(choice(Policy::Device));
    const auto reader = sampleReader(Dtype::F32, 2'000'000);
    ASSERT_TRUE(device->selfTest());
    device->loseAfter(4);
    for (int i = 0; i < 2; ++i) {
        const auto stats = backend.compute(reader, {}, {});
        ASSERT_TRUE(stats) << stats.error().message();
        EXPECT_EQ(stats->device, "cpu");
        ASSERT_TRUE(stats->deviceNote);
        EXPECT_EQ(stats->deviceNote->severity, Severity::Warning);
        test::expectSame(*stats, *stats::makeCpuBackend()->compute(reader, {}, {}), "after the loss");
    }
}

} // namespace
} // namespace wb::gpu
