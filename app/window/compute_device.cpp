// SPDX-License-Identifier: MIT
#include "app/window/compute_device.h"

#include "gpu/quant/quantizer.h"

namespace wb {
namespace {

bool isCpu(const QString& setting) { return setting == QLatin1String("cpu"); }

Result<gpu::DevicePtr> openTested(const QString& setting) {
    WB_TRY_ASSIGN(gpu::DevicePtr device, setting.isEmpty() ? gpu::openBest(gpu::Accept::Hardware) : gpu::openId(setting.toStdString()));
    WB_TRY(device->selfTest());
    return device;
}

} // namespace

void ComputeDevice::set(const QString& setting) {
    const std::lock_guard lock(m_mutex);
    m_setting = setting;
}

QString ComputeDevice::setting() const {
    const std::lock_guard lock(m_mutex);
    return m_setting;
}

gpu::StatsChoice ComputeDevice::forStatistics() const {
    using Policy = gpu::StatsChoice::Policy;
    const QString device = setting();
    if (isCpu(device)) return {};
    return {device.isEmpty() ? Policy::Fastest : Policy::Device, [device] { return openTested(device); }};
}

std::string ComputeDevice::forPlots() const {
    const QString device = setting();
    return isCpu(device) ? std::string() : device.toStdString();
}

// Automatic means a real device where there is one, and none is no failure; one that cannot be used is.
Result<gpu::DevicePtr> ComputeDevice::open() const {
    const QString device = setting();
    if (isCpu(device)) return nullptr;
    auto opened = openTested(device);
    if (!opened && device.isEmpty() && opened.error().code == ErrorCode::NotFound) return nullptr;
    return opened;
}

std::shared_ptr<quant::Backend> ComputeDevice::quantizer() const {
    auto device = open();
    if (!device)
        return quant::makeCpuBackend(
            {{Severity::Warning, "gpu.given-up", {}, {}, device.error().format, device.error().arguments}});
    if (!*device) return quant::makeCpuBackend();
    return gpu::makeQuantizer(*device, setting().isEmpty() ? gpu::Use::WhereFaster : gpu::Use::Always, m_threads);
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
