// SPDX-License-Identifier: MIT
#include "gpu/compute/compute_device.h"
#include "gpu/device/instance.h"
#include "tests/gpu/support/gpu.h"

#include <atomic>

namespace wb::gpu::compute {
namespace {

using Kind = DeviceRef::Kind;

TEST(ComputeDevice, OpensNothingBeforeThereIsWork) {
    int times = 0;
    const auto open = [&times](const DeviceRef&) -> Result<DevicePtr> {
        ++times;
        return fail(ErrorCode::NotFound, Reason("device.none"), "There is none.");
    };
    ComputeDevice device({Kind::Automatic}, open);
    device.choose({Kind::Best});
    device.choose({Kind::Automatic});
    EXPECT_TRUE(device.requireNamed()) << "nobody named one";
    EXPECT_EQ(times, 0);
    EXPECT_FALSE(device.chosen()->device());
    EXPECT_FALSE(device.chosen()->device());
    EXPECT_EQ(times, 1) << "a failure stays";
    device.choose({Kind::Number, 7});
    EXPECT_FALSE(device.requireNamed());
    EXPECT_EQ(times, 2) << "another choice is tried";
}

TEST(ComputeDevice, TriesAgainAfterAFailureOfMemory) {
    int times = 0;
    ComputeDevice device({Kind::Best}, [&times](const DeviceRef&) -> Result<DevicePtr> {
        ++times;
        return fail(ErrorCode::TooLarge, Reason("device.memory"), "It is full.");
    });
    EXPECT_FALSE(device.chosen()->device());
    EXPECT_FALSE(device.chosen()->device());
    EXPECT_EQ(times, 2);
}

class OpenedComputeDevice : public test::GpuTest {
protected:
    // As its driver would report it.
    static void lose(const DevicePtr& opened) {
        EXPECT_EQ(opened->check(VK_ERROR_DEVICE_LOST, "test").error().reason, Reason("device.lost"));
        EXPECT_TRUE(opened->lost());
    }
};

TEST_F(OpenedComputeDevice, IsTestedAndKept) {
    ComputeDevice chosen({Kind::Number, device->info().index});
    const auto opened = chosen.chosen()->device();
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ(*opened, device);
    EXPECT_EQ(*chosen.chosen()->device(), device);
}

TEST_F(OpenedComputeDevice, IsOpenedAnewAfterALossButNotEndlessly) {
    device.reset();
    ComputeDevice chosen({Kind::Best});
    for (int loss = 0; loss < 3; ++loss) {
        const auto opened = chosen.chosen()->device();
        ASSERT_TRUE(opened) << opened.error().message();
        lose(*opened);
    }
    const auto broken = chosen.chosen()->device();
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::DeviceLost);
    chosen.choose({Kind::Best});
    EXPECT_TRUE(chosen.chosen()->device()) << "the user may try again";
}

std::atomic<int> instances = 0;
PFN_vkCreateInstance createInstance = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL countInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* callbacks,
                                             VkInstance* instance) {
    ++instances;
    return createInstance(info, callbacks, instance);
}

// On NVIDIA's driver the 24th creation in one process fails.
TEST_F(OpenedComputeDevice, NeedsOneInstanceHoweverOftenDevicesAreOpened) {
    createInstance = std::exchange(vkCreateInstance, countInstance);
    const unsigned number = device->info().index;
    device.reset();
    ComputeDevice chosen;
    for (int i = 0; i < 30; ++i) {
        chosen.choose({Kind::Number, number});
        ASSERT_TRUE(chosen.chosen()->device());
        chosen.choose({Kind::Processor}); // closes it
        ASSERT_TRUE(devices());
    }
    vkCreateInstance = createInstance;
    EXPECT_EQ(instances, 0) << "the one that listed the devices is still there";
}

} // namespace
} // namespace wb::gpu::compute
