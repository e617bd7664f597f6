// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/compute/choice.h"
#include "gpu/compute/speed_table.h"

#include <functional>
#include <mutex>

namespace wb::gpu::compute {

// A choice and the device that was opened for it. Thread-safe.
class ChosenDevice {
public:
    using Open = std::function<Result<DevicePtr>(const DeviceRef&)>;
    ChosenDevice(DeviceRef choice, Open open) : m_choice(std::move(choice)), m_open(std::move(open)) {}

    const DeviceRef& choice() const { return m_choice; }

    // Opened at the first call, so that nothing of Vulkan is loaded before there is work. Null for the CPU. A failure stays,
    // except that of memory; a device that is lost is opened again, but not again and again.
    Result<DevicePtr> device();

    SpeedTable& speeds() { return m_speeds; }

private:
    const DeviceRef m_choice;
    const Open m_open;
    std::mutex m_mutex;
    DevicePtr m_device;
    std::optional<Error> m_failure;
    unsigned m_losses = 0;
    SpeedTable m_speeds;
};

// The device that the user chose for computing; shared by everything that computes, which it outlives. Thread-safe.
class ComputeDevice {
public:
    explicit ComputeDevice(DeviceRef choice = {}, ChosenDevice::Open open = openTested);

    // For the work that starts from now on.
    void choose(DeviceRef choice);

    std::shared_ptr<ChosenDevice> chosen() const;

    // Opens a device that the user named. An Error where it cannot be used, for those who do not fall back then; an automatic
    // choice is none, and is not opened.
    Result<void> requireNamed() const;

private:
    const ChosenDevice::Open m_open;
    mutable std::mutex m_mutex;
    std::shared_ptr<ChosenDevice> m_chosen;
};

} // namespace wb::gpu::compute
