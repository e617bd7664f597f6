// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
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

// The GPUs of this computer. Both lists may load the driver, which takes some tens of milliseconds: they are for jobs.
class Devices {
public:
    virtual ~Devices() = default;

    virtual QList<DeviceEntry> entries() const { return {}; }                   // worker threads
    virtual std::vector<wb::memory::Memory> memories() const { return {}; }     // worker threads; of real GPUs, as free as now
    virtual std::shared_ptr<infer::Backend> inference(const DeviceRef&) const { // GUI thread; loads nothing yet
        return nullptr;                                                         // the CPU
    }
};

// For memory::memoriesHere; `devices` may be null.
inline wb::memory::DeviceLister memoryLister(const Devices* devices) {
    if (!devices) return {};
    return [devices] { return devices->memories(); };
}

} // namespace wb::ui
