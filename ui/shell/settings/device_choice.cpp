// SPDX-License-Identifier: MIT
#include "ui/shell/settings/device_choice.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace wb::ui {

DeviceChoice::DeviceChoice(const QString& chosen, const DeviceLister& lister, JobRunner& jobs, QWidget* parent)
    : QComboBox(parent), m_chosen(chosen), m_search(&jobs) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // names of devices may be long
    connect(this, &QComboBox::activated, this, [this] { m_chosen = currentData().toString(); });
    if (lister) search(lister);
    fill();
}

void DeviceChoice::search(const DeviceLister& lister) {
    using Devices = QList<DeviceEntry>;
    m_search.start<Devices>(
        tr("Detecting GPUs"), [lister](const Progress&) -> Result<Devices> { return lister(); },
        [this](const Devices& devices) { show(devices); }, [this](const Error&) { show({}); });
}

void DeviceChoice::show(const QList<DeviceEntry>& devices) {
    m_devices = devices;
    fill();
}

void DeviceChoice::choose(const QString& device) {
    m_chosen = device;
    fill();
}

void DeviceChoice::fill() {
    const QSignalBlocker block(this);
    clear();
    addItem(tr("Automatic (fastest)"), QString());
    addItem(tr("CPU"), QStringLiteral("cpu"));
    addDevices();
    if (findData(m_chosen) < 0)
        addItem(m_search.isRunning() ? tr("Detecting the selected device…") : tr("Selected device (not available)"), m_chosen);
    setCurrentIndex(findData(m_chosen));
}

void DeviceChoice::addDevices() {
    for (const DeviceEntry& device : m_devices) {
        addItem(device.isSoftware ? tr("%1 (software, slow)").arg(device.name) : device.name, device.id);
        if (!device.isUsable) qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
    }
}

} // namespace wb::ui
