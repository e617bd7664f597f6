// SPDX-License-Identifier: MIT
#include "ui/shell/settings/device_choice.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QThreadPool>

namespace wb::ui {

DeviceChoice::DeviceChoice(const QString& chosen, const DeviceLister& lister, QWidget* parent) : QComboBox(parent), m_chosen(chosen) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // names of devices may be long
    connect(this, &QComboBox::activated, this, [this] { m_chosen = currentData().toString(); });
    if (lister) look(lister);
    fill();
}

void DeviceChoice::look(const DeviceLister& lister) {
    m_isLooking = true;
    QThreadPool::globalInstance()->start([lister, self = QPointer(this)] {
        const QList<DeviceEntry> devices = lister();
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, devices] {
            if (self) self->show(devices);
        });
    });
}

void DeviceChoice::show(const QList<DeviceEntry>& devices) {
    m_isLooking = false;
    m_devices = devices;
    fill();
}

void DeviceChoice::fill() {
    const QSignalBlocker block(this);
    clear();
    addItem(tr("Automatic, what is faster"), QString());
    addItem(tr("CPU"), QStringLiteral("cpu"));
    addDevices();
    if (findData(m_chosen) < 0)
        addItem(m_isLooking ? tr("Looking for the chosen device…") : tr("The chosen device, which is not here"), m_chosen);
    setCurrentIndex(findData(m_chosen));
}

void DeviceChoice::addDevices() {
    for (const DeviceEntry& device : m_devices) {
        addItem(device.isSoftware ? tr("%1 (software, slow)").arg(device.name) : device.name, device.id);
        if (!device.isUsable) qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
    }
}

} // namespace wb::ui
