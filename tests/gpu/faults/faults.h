// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <cstdint>

// Fault injection: makes devices fail on purpose. It stands between the devices and their driver, by replacing the function that
// they load Vulkan's functions with, so that the product holds no code for it.
namespace wb::test {

enum class Fault : std::uint8_t {
    Lost,  // the driver reports the loss of the device
    Hang,  // work is accepted and never done; software devices are waited for without end, so give those another kind
    Reset, // work is reported as done that was not done
    Memory // one allocation finds no memory; later ones do
};

// Lets every device that is opened from now on be given faults, and gives it the one that WEIGHBRIDGE_GPU_FAULT names: lost:N,
// hang:N, reset:N or memory:N. Loads Vulkan. Thread-safe; later calls do nothing.
void enableFaults();

// The fault comes after so many more submissions; all but Memory stay. The device was opened after enableFaults().
void injectFault(const gpu::Device& device, Fault fault, std::uint64_t submissions);

// Whether the fault is still to come, or stays.
bool isFaulty(const gpu::Device& device);

} // namespace wb::test
