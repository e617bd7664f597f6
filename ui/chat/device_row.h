// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QLabel;
class QSpinBox;

namespace wb::ui {
class DeviceChoice;
class Devices;
class JobRunner;
} // namespace wb::ui

namespace wb::ui::chat {

// Where a model runs: the device, and how many layers are on it.
class DeviceRow : public QWidget {
    Q_OBJECT

public:
    DeviceRow(const DeviceRef& device, const Devices& devices, JobRunner& jobs, QWidget* parent = nullptr);

    DeviceRef device() const;
    void setDevice(const DeviceRef& device);

    // As in infer::EngineOptions; empty: as many as fit.
    std::optional<std::uint64_t> gpuLayers() const;
    void setGpuLayers(std::optional<std::uint64_t> layers);

    // How many there are to choose, with the output; 0: no model.
    void setMaxLayers(std::uint64_t layers);

signals:
    void changed(); // by the user

private:
    void refresh();

    DeviceChoice* m_device;
    QLabel* m_layersLabel;
    QSpinBox* m_layers;
};

} // namespace wb::ui::chat
