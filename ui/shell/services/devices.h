// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
#include "core/base/progress.h"
#include "core/memory/cards/memories.h"

#include <QList>
#include <QString>

#include <memory>
#include <vector>

namespace wb::infer {
class Backend;
}

namespace wb::ui {

// A GPU that can be chosen.
struct DeviceEntry {
    QString id; // DeviceRef::id
    QString name;
    bool isSoftware = false;
    bool isUsable = true;
};

// A GPU with its measured speed and the CPU's, in tokens per second of one generated model; zeros: not measured.
struct DeviceSpeed {
    QString name;
    double prompt = 0, generate = 0, cpuPrompt = 0, cpuGenerate = 0;
    bool isFaster = false; // than the CPU, in a usual turn of a chat

    bool isMeasured() const { return prompt > 0; }
};

// The GPUs of this computer. Both lists may load the driver, which takes some tens of milliseconds: they are for jobs.
class Devices {
public:
    virtual ~Devices() = default;

    virtual QList<DeviceEntry> entries() const { return {}; }               // worker threads
    virtual std::vector<wb::memory::Memory> memories() const { return {}; } // worker threads; of real GPUs, as free as now

    // Of the GPU that this choice selects, or the best real one for the CPU; NotFound without one. Worker threads.
    // Measuring takes up to 20 seconds; its result is kept, and loading a model chooses by it.
    virtual Result<DeviceSpeed> measuredSpeed(const DeviceRef&) const { return std::unexpected(noDevice()); }
    virtual Result<DeviceSpeed> measureSpeed(const DeviceRef&, unsigned /*threads*/, const Progress&) const {
        return std::unexpected(noDevice());
    }

    virtual std::shared_ptr<infer::Backend> inference(const DeviceRef&) const { // GUI thread; loads nothing yet
        return nullptr;                                                         // the CPU
    }

protected:
    static Error noDevice() {
        return makeError(ErrorCode::NotFound, Reason("device.none"), WB_TEXT("There is no GPU to measure."));
    }
};

// For memory::memoriesHere; `devices` may be null.
inline wb::memory::DeviceLister memoryLister(const Devices* devices) {
    if (!devices) return {};
    return [devices] { return devices->memories(); };
}

} // namespace wb::ui
