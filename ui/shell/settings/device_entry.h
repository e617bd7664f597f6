// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

#include <functional>

namespace wb::ui {

// A GPU that the settings offer.
struct DeviceEntry {
    QString id; // stable, for Settings::device
    QString name;
    bool isSoftware = false;
    bool isUsable = true;
};

// Looks for the devices, which takes some tens of milliseconds; called by a worker thread when the settings are shown. May be
// empty.
using DeviceLister = std::function<QList<DeviceEntry>()>;

} // namespace wb::ui
