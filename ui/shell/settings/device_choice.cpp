// SPDX-License-Identifier: MIT
#include "ui/shell/settings/device_choice.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace wb::ui {
namespace {

QString deviceData(const DeviceRef& device) { return QString::fromStdString(deviceText(device)); }

} // namespace

DeviceChoice::DeviceChoice(const DeviceRef& chosen, const Devices* devices, JobRunner& jobs, QWidget* parent)
    : QComboBox(parent), m_chosen(chosen), m_search(&jobs) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // names of devices may be long
    connect(this, &QComboBox::activated, this, [this] { m_chosen = this->chosen(); });
    if (devices) search(*devices);
    fill();
}

void DeviceChoice::search(const Devices& devices) {
    using Entries = QList<DeviceEntry>;
    m_search.start<Entries>(
        tr("Detecting GPUs"), [&devices](const Progress&) -> Result<Entries> { return devices.entries(); },
        [this](const Entries& entries) { show(entries); }, [this](const Error&) { show({}); }, false, [this] { show({}); });
}

void DeviceChoice::show(const QList<DeviceEntry>& devices) {
    m_devices = devices;
    fill();
}

void DeviceChoice::choose(const DeviceRef& device) {
    m_chosen = device;
    fill();
}

void DeviceChoice::fill() {
    QSignalBlocker block(this);
    clear();
    addItem(tr("Automatic (fastest)"), deviceData({}));
    addItem(tr("CPU"), deviceData({DeviceRef::Kind::Processor}));
    addDevices();
    const QString chosen = deviceData(m_chosen);
    if (findData(chosen) < 0)
        addItem(m_search.isRunning() ? tr("Detecting the selected device…") : tr("Selected device (not available)"), chosen);
    setCurrentIndex(findData(chosen));
    block.unblock();
    emit shownChanged();
}

void DeviceChoice::addDevices() {
    for (const DeviceEntry& device : m_devices) {
        addItem(device.isSoftware ? tr("%1 (software, slow)").arg(device.name) : device.name, device.id);
        if (!device.isUsable) qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
    }
}

} // namespace wb::ui
