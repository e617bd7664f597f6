// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/settings/device_entry.h"

#include <QComboBox>

namespace wb::ui {

// The choice of where to compute: automatic, the CPU, or a GPU. The devices are searched in the background, once.
class DeviceChoice : public QComboBox {
    Q_OBJECT

public:
    DeviceChoice(const QString& chosen, const DeviceLister& lister, JobRunner& jobs, QWidget* parent);

    QString chosen() const { return currentData().toString(); } // as Settings::device

    void choose(const QString& device);

    void fill(); // again in another language

private:
    void search(const DeviceLister& lister);
    void show(const QList<DeviceEntry>& devices);
    void addDevices();

    QString m_chosen; // until the user changes it
    QList<DeviceEntry> m_devices;
    LatestJob m_search;
};

} // namespace wb::ui
