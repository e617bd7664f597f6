// SPDX-License-Identifier: MIT
#include "app/window/graphics_devices.h"

#include "gpu/compute/choice.h"
#include "gpu/compute/device_report.h"
#include "gpu/compute/inference.h"
#include "gpu/device/device_info.h"

namespace wb {
namespace {

// Where the CPU is chosen, the best GPU is measured.
DeviceRef measuredChoice(const DeviceRef& choice) { return choice.isProcessor() ? DeviceRef{} : choice; }

ui::DeviceSpeed deviceSpeed(const gpu::DeviceInfo& device, const std::optional<gpu::compute::Measurement>& measured) {
    ui::DeviceSpeed speed{.name = QString::fromStdString(device.name)};
    if (!measured) return speed;
    speed.prompt = measured->gpu.prompt;
    speed.generate = measured->gpu.generate;
    speed.cpuPrompt = measured->cpu.prompt;
    speed.cpuGenerate = measured->cpu.generate;
    speed.isFaster = measured->isGpuFaster();
    return speed;
}

} // namespace

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

Result<ui::DeviceSpeed> GraphicsDevices::measuredSpeed(const DeviceRef& device) const {
    WB_TRY_ASSIGN(const gpu::DevicePtr opened, gpu::compute::openTested(measuredChoice(device)));
    if (!opened) return std::unexpected(noDevice());
    return deviceSpeed(opened->info(), gpu::compute::readMeasurement(opened->info()));
}

Result<ui::DeviceSpeed> GraphicsDevices::measureSpeed(const DeviceRef& device, unsigned threads, const Progress& progress) const {
    WB_TRY_ASSIGN(const gpu::DevicePtr opened, gpu::compute::openTested(measuredChoice(device)));
    if (!opened) return std::unexpected(noDevice());
    WB_TRY_ASSIGN(const auto measured, gpu::compute::measureChosen(measuredChoice(device), threads, progress));
    return deviceSpeed(opened->info(), measured);
}

std::shared_ptr<infer::Backend> GraphicsDevices::inference(const DeviceRef& device) const {
    if (device == m_chosen.chosen()->choice()) return gpu::compute::makeInference(m_chosen);
    return gpu::compute::makeInference(gpu::compute::ComputeDevice(device));
}

} // namespace wb
