// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/settings/device_entry.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace wb::ui {

class DeviceChoice;
class JobRunner;
class SettingsStore;

// The settings. Every change is in force and saved at once; the dialog only closes.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    // `defaultCache` is shown where no cache folder was chosen; `lister` finds the devices that are offered, as a job.
    SettingsDialog(SettingsStore& store, const QString& defaultCache, const DeviceLister& lister, JobRunner& jobs, QWidget* parent);

private:
    QWidget* makeLookCard();
    QWidget* makeWorkCard(const QString& defaultCache);
    QWidget* makeFolderField(QLineEdit* field, const std::function<QString()>& title);
    void fillChoices();
    void store();

    SettingsStore& m_store;
    QComboBox* m_language;
    QComboBox* m_theme;
    QSpinBox* m_threads;
    DeviceChoice* m_device;
    QLineEdit* m_cacheFolder;
    QLineEdit* m_openFolder;
};

} // namespace wb::ui
