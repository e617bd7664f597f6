// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <gtest/gtest.h>

#include <string>

namespace wb::test {

// The device the GPU tests run on: the best one, software included, or the one that WEIGHBRIDGE_GPU_TEST_DEVICE names by number.
// It can be given faults (tests/gpu/faults).
Result<gpu::DevicePtr> testDevice();

// Whether a missing device is a failure (CI=true) rather than a skip.
bool deviceIsRequired();

// Fails the test where the validation layer is not loaded, or complained since the last call.
void expectSilentValidation();

// A test on a device. What the validation layer says makes it fail.
class GpuTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    gpu::DevicePtr device;
};

} // namespace wb::test
