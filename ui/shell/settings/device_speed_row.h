// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/services/devices.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;

namespace wb::ui {

// The measured speeds of a GPU and the CPU, and a button that measures it again, in a job that continues when this is closed.
class DeviceSpeedRow : public QWidget {
    Q_OBJECT

public:
    // `devices` may be null: the CPU alone. `device` and `threads` are asked when they are needed. The objects outlive all jobs.
    DeviceSpeedRow(const Devices* devices, JobRunner& jobs, std::function<DeviceRef()> device, std::function<unsigned()> threads,
                   QWidget* parent);

    void lookUp(); // again: another device was chosen

private:
    void measure();
    void show(const Result<DeviceSpeed>& speed);
    void translate();
    QString text() const;

    const Devices* m_devices;
    JobRunner& m_jobs;
    const std::function<DeviceRef()> m_device;
    const std::function<unsigned()> m_threads;
    QLabel* m_label;
    QPushButton* m_button;
    LatestJob m_lookup;
    std::optional<Result<DeviceSpeed>> m_speed; // empty: not known yet
    bool m_isMeasuring = false;
};

} // namespace wb::ui
