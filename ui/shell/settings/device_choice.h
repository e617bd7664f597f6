// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/services/devices.h"

#include <QComboBox>

namespace wb::ui {

// The choice of where to compute: automatic, the CPU, or a GPU. The devices are searched in the background, once.
class DeviceChoice : public QComboBox {
    Q_OBJECT

public:
    // `devices` may be null: the CPU alone.
    DeviceChoice(const DeviceRef& chosen, const Devices* devices, JobRunner& jobs, QWidget* parent);

    DeviceRef chosen() const { return deviceFromText(currentData().toString().toStdString()); }

    void choose(const DeviceRef& device);

    void fill(); // again in another language

signals:
    void shownChanged(); // the texts were made again: devices were detected, another one chosen, the language changed

private:
    void search(const Devices& devices);
    void show(const QList<DeviceEntry>& devices);
    void addDevices();

    DeviceRef m_chosen; // until the user changes it
    QList<DeviceEntry> m_devices;
    LatestJob m_search;
};

} // namespace wb::ui
