// SPDX-License-Identifier: MIT
#include "app/window/compute_device.h"

namespace wb {

gpu::StatsChoice statsChoice(const QString& device) {
    using Policy = gpu::StatsChoice::Policy;
    if (device == QLatin1String("cpu")) return {};
    if (device.isEmpty()) return {Policy::Fastest, [] { return gpu::openBest(gpu::Accept::Hardware); }};
    return {Policy::Device, [id = device.toStdString()] { return gpu::openId(id); }};
}

QList<ui::DeviceEntry> graphicsDevices() {
    const auto devices = gpu::devices();
    QList<ui::DeviceEntry> entries;
    if (!devices) return entries;
    for (const gpu::DeviceInfo& device : *devices)
        entries.append({QString::fromStdString(device.id), QString::fromStdString(device.name), device.software(), device.usable});
    return entries;
}

} // namespace wb
