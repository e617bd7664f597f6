// SPDX-License-Identifier: MIT
#include "gpu/quant/self_test_rows.h"
#include "gpu/quant/quantizer.h"
#include "tests/gpu/support/gpu.h"

#include <thread>

// A program of its own: its device answers nobody any more.
namespace wb::gpu {
namespace {

class GpuHang : public test::GpuTest {
protected:
    bool quantizesAsTheCpu(quant::Backend& quantizer) {
        const quant::Rows rows{selfTestRows(), selfTestWeights().size(), {}};
        std::vector<std::byte> truth(*rowBytes(Dtype::Q4_0, rows.columns) * rows.count()), ours(truth.size());
        EXPECT_TRUE(quant::makeCpuBackend()->quantize(Dtype::Q4_0, rows, truth));
        EXPECT_TRUE(quantizer.quantize(Dtype::Q4_0, rows, ours));
        return ours == truth;
    }
};

// Nobody waits for it without end: several threads wait here, and all of their work goes to the CPU.
TEST_F(GpuHang, LeavesTheWorkToTheCpuAndIsNotOpenedAgain) {
    const auto quantizer = makeQuantizer(device);
    EXPECT_TRUE(quantizesAsTheCpu(*quantizer)); // and has been tested before it hangs
    EXPECT_TRUE(quantizer->remarks().empty());
    device->feign(Device::Fault::Hang, 1);
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < 6; ++i) workers.emplace_back([&] { EXPECT_TRUE(quantizesAsTheCpu(*quantizer)); });
    }
    EXPECT_TRUE(device->hung());
    ASSERT_EQ(quantizer->remarks().size(), 1u);
    EXPECT_STREQ(quantizer->remarks().front().code, "gpu.lost");
    device.reset();
    const auto again = test::testDevice();
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message().find("restart"), std::string::npos) << again.error().message();
    test::expectSilentValidation();
}

} // namespace
} // namespace wb::gpu
