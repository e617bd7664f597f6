// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/compute/compute_device.h"
#include "ui/shell/services/devices.h"

namespace wb {

// The devices that Vulkan knows. Models run on `chosen`, the device of the settings, wherever that is wanted, so that it is opened
// once.
class GraphicsDevices : public ui::Devices {
public:
    explicit GraphicsDevices(gpu::compute::ComputeDevice& chosen) : m_chosen(chosen) {} // which must outlive this

    QList<ui::DeviceEntry> entries() const override;
    std::vector<memory::Memory> memories() const override;
    Result<ui::DeviceSpeed> measuredSpeed(const DeviceRef& device) const override;
    Result<ui::DeviceSpeed> measureSpeed(const DeviceRef& device, unsigned threads, const Progress& progress) const override;
    std::shared_ptr<infer::Backend> inference(const DeviceRef& device) const override;

private:
    gpu::compute::ComputeDevice& m_chosen;
};

} // namespace wb
