// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace wb::ui {

class DeviceChoice;
class Devices;
class JobRunner;
class SettingsStore;

// The settings. Every change is in force and saved at once; the dialog only closes.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    // `defaultCache` is shown where no cache folder was chosen; `devices` are offered; null: the CPU alone.
    SettingsDialog(SettingsStore& store, const QString& defaultCache, const Devices* devices, JobRunner& jobs, QWidget* parent);

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
