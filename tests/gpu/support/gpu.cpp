// SPDX-License-Identifier: MIT
#include "tests/gpu/support/gpu.h"

#include "gpu/device/open.h"
#include "tests/gpu/faults/faults.h"

#include <cstdlib>
#include <string_view>

namespace wb::test {

Result<gpu::DevicePtr> testDevice() {
    enableFaults();
    const char* wish = std::getenv("WEIGHBRIDGE_GPU_TEST_DEVICE");
    if (wish != nullptr) return gpu::openAt(static_cast<unsigned>(std::strtoul(wish, nullptr, 10)));
    return gpu::openBest(gpu::DeviceFilter::All);
}

bool deviceIsRequired() {
    const char* ci = std::getenv("CI");
    return ci != nullptr && std::string_view(ci) == "true";
}

void expectSilentValidation() {
    static std::size_t seen = 0;
    EXPECT_TRUE(gpu::validationActive()) << "the validation layer is not loaded; on Debian install vulkan-validationlayers";
    const auto messages = gpu::validationMessages();
    for (; seen < messages.size(); ++seen) ADD_FAILURE() << messages[seen];
}

void GpuTest::SetUp() {
    auto opened = testDevice();
    if (opened) {
        device = std::move(*opened);
        return;
    }
    if (deviceIsRequired()) FAIL() << opened.error().message();
    GTEST_SKIP() << opened.error().message();
}

void GpuTest::TearDown() {
    if (device) expectSilentValidation();
}

} // namespace wb::test
