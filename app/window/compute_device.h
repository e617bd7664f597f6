// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"
#include "gpu/stats/choosing_backend.h"
#include "ui/shell/settings/device_entry.h"

#include <atomic>
#include <mutex>

namespace wb {

// The device of the settings: empty for automatic, "cpu", or the id of a graphics device. Thread-safe. Nothing of Vulkan is loaded before
// the first work that may go to a device.
class ComputeDevice {
public:
    explicit ComputeDevice(const QString& setting) : m_setting(setting) {}
    void set(const QString& setting);
    void setThreads(unsigned threads) { m_threads = threads; } // of the CPU, beside the device; 0: all

    gpu::StatsChoice forStatistics() const;

    // Null for the CPU; an Error where the chosen device is not there or computes wrongly.
    Result<gpu::DevicePtr> open() const;

    // The id of the device for plots; empty: the best, also where computing is left to the CPU, which cannot draw them.
    std::string forPlots() const;

    // The CPU's with a remark where the chosen device fails.
    std::shared_ptr<quant::Backend> quantizer() const;

private:
    QString setting() const;

    mutable std::mutex m_mutex;
    QString m_setting;
    std::atomic<unsigned> m_threads = 0;
};

// For the settings dialog.
QList<ui::DeviceEntry> graphicsDevices();

} // namespace wb
