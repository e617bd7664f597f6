// SPDX-License-Identifier: MIT
#include "gpu/compute/quantizer.h"
#include "gpu/device/instance.h"
#include "gpu/quant/self_test_rows.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"

#include <algorithm>
#include <thread>

// A program of its own: its device answers nobody any more.
namespace wb::gpu {
namespace {

class GpuHang : public test::GpuTest {
protected:
    // The same device as real hardware: software devices are never taken for hung.
    void openAsHardware() {
        const auto instance = Instance::get();
        ASSERT_TRUE(instance);
        const auto found =
            std::ranges::find((*instance)->devices(), device->info().index, [](const auto& entry) { return entry.info.index; });
        DeviceInfo info = found->info;
        info.kind = DeviceKind::Discrete;
        auto opened = Device::create(found->handle, info);
        ASSERT_TRUE(opened) << opened.error().message();
        device = std::move(*opened);
    }

    // Ordinary rows, of which no device leaves a block to the CPU: a real one flushes subnormal numbers.
    bool quantizesAsTheCpu(quant::Backend& quantizer) {
        const std::size_t columns = selfTestWeights().size();
        const quant::Rows rows{std::span(selfTestRows()).first(ordinaryRows * columns), columns, {}};
        std::vector<std::byte> truth(*rowBytes(Dtype::Q4_0, rows.columns) * rows.count()), ours(truth.size());
        EXPECT_TRUE(quant::makeCpuBackend()->quantize(Dtype::Q4_0, rows, truth));
        EXPECT_TRUE(quantizer.quantize(Dtype::Q4_0, rows, ours));
        return ours == truth;
    }
};

// Several threads wait for it, none without end, and all of their work falls back to the processor.
TEST_F(GpuHang, LeavesTheWorkToTheCpuAndIsNotOpenedAgain) {
    openAsHardware();
    const auto quantizer = compute::makeQuantizer(test::chosen(device), 0);
    EXPECT_TRUE(quantizesAsTheCpu(*quantizer)); // and has been tested before it hangs
    EXPECT_TRUE(quantizer->remarks().empty());
    test::injectFault(*device, test::Fault::Hang, 1);
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < 6; ++i) workers.emplace_back([&] { EXPECT_TRUE(quantizesAsTheCpu(*quantizer)); });
    }
    EXPECT_TRUE(device->hung());
    ASSERT_EQ(quantizer->remarks().size(), 1u);
    EXPECT_STREQ(quantizer->remarks().front().code.id(), "device.lost");
    device.reset();
    const auto again = test::testDevice();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().reason, Reason("device.hung"));
    EXPECT_NE(again.error().message().find("restart"), std::string::npos) << again.error().message();
    test::expectSilentValidation();
}

} // namespace
} // namespace wb::gpu
