// SPDX-License-Identifier: MIT
#include "ui/chat/device_row.h"

#include "ui/shell/settings/device_choice.h"
#include "ui/widgets/translate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace wb::ui::chat {
namespace {

constexpr int automatic = -1, maxLayers = 999;

} // namespace

DeviceRow::DeviceRow(const DeviceRef& device, const Devices& devices, JobRunner& jobs, QWidget* parent)
    : QWidget(parent), m_device(new DeviceChoice(device, &devices, jobs, this)), m_layersLabel(new QLabel(this)),
      m_layers(new QSpinBox(this)) {
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setMinimumContentsLength(24); // names of devices are long
    m_layers->setObjectName(QStringLiteral("gpuLayers"));
    m_layers->setRange(automatic, maxLayers);
    m_layers->setValue(automatic);
    m_layers->setKeyboardTracking(false); // a model is loaded again for each value
    auto* label = new QLabel(this);
    label->setBuddy(m_device);
    m_layersLabel->setBuddy(m_layers);
    connect(m_device, &QComboBox::activated, this, [this] {
        refresh();
        emit changed();
    });
    connect(m_layers, &QSpinBox::valueChanged, this, &DeviceRow::changed);
    keepTranslated(this, [this, label] {
        label->setText(tr("&Run on"));
        m_device->setAccessibleName(tr("Device that runs the model"));
        m_device->setToolTip(tr("Device that runs models. A loaded model is reloaded on the new device; the chat is kept."));
        m_layersLabel->setText(tr("&GPU layers"));
        m_layers->setSpecialValueText(tr("Automatic"));
        m_layers->setAccessibleName(tr("Layers on the GPU"));
        m_layers->setToolTip(tr("Number of layers offloaded to the GPU, counted from the last; the output layer counts as one. "
                                "Automatic: as many as fit in free VRAM."));
        m_device->fill();
    });
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 0);
    layout->setSpacing(8);
    layout->addStretch(1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_layersLabel, m_layers, label, m_device}) layout->addWidget(widget);
    refresh();
}

DeviceRef DeviceRow::device() const { return m_device->chosen(); }

void DeviceRow::setDevice(const DeviceRef& device) {
    m_device->choose(device);
    refresh();
}

std::optional<std::uint64_t> DeviceRow::gpuLayers() const {
    if (m_layers->value() == automatic) return {};
    return static_cast<std::uint64_t>(m_layers->value());
}

void DeviceRow::setGpuLayers(std::optional<std::uint64_t> layers) {
    const QSignalBlocker blocker(m_layers);
    m_layers->setValue(layers ? static_cast<int>(std::min<std::uint64_t>(*layers, maxLayers)) : automatic);
}

// A number that was chosen for a larger model stays: all layers of a smaller one.
void DeviceRow::setMaxLayers(std::uint64_t layers) {
    const QSignalBlocker blocker(m_layers);
    const int most = layers > 0 ? static_cast<int>(std::min<std::uint64_t>(layers, maxLayers)) : maxLayers;
    m_layers->setMaximum(std::max(most, m_layers->value()));
}

void DeviceRow::refresh() {
    const bool isDevice = !device().isProcessor();
    m_layers->setEnabled(isDevice);
    m_layersLabel->setEnabled(isDevice);
}

} // namespace wb::ui::chat
