// SPDX-License-Identifier: MIT
#include "app/window/graphics_devices.h"

#include "gpu/compute/inference.h"
#include "gpu/device/device_info.h"

namespace wb {

QList<ui::DeviceEntry> GraphicsDevices::entries() const {
    const auto devices = gpu::devices();
    QList<ui::DeviceEntry> entries;
    if (!devices) return entries;
    for (const gpu::DeviceInfo& device : *devices)
        entries.append({QString::fromStdString(device.id), QString::fromStdString(device.name), device.software(), device.usable});
    return entries;
}

std::vector<memory::Memory> GraphicsDevices::memories() const {
    std::vector<memory::Memory> memories;
    const auto devices = gpu::devices();
    if (!devices) return memories;
    for (const gpu::DeviceInfo& device : *devices)
        if (!device.software() && device.memory > 0)
            memories.push_back({.name = device.name, .bytes = device.memory, .free = device.free, .margin = memory::displayMargin});
    return memories;
}

std::shared_ptr<infer::Backend> GraphicsDevices::inference(const DeviceRef& device) const {
    if (device == m_chosen.chosen()->choice()) return gpu::compute::makeInference(m_chosen);
    return gpu::compute::makeInference(gpu::compute::ComputeDevice(device));
}

} // namespace wb
