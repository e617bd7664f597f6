// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace wb::ui {

class DeviceChoice;
class DeviceSpeedRow;
class Devices;
class JobRunner;
class SettingsStore;

// The settings. Every change is in force and saved at once; the dialog only closes.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    // The defaults are shown where no folder was chosen; `devices` are offered; null: the CPU alone.
    SettingsDialog(SettingsStore& store, const QString& defaultCache, const QString& defaultModels, const Devices* devices,
                   JobRunner& jobs, QWidget* parent);

private:
    QWidget* makeLookCard();
    QWidget* makeWorkCard(const QString& defaultCache);
    QWidget* makeModelsCard(const QString& defaultModels);
    QWidget* makeFolderField(QLineEdit* field, const std::function<QString()>& title);
    void fillChoices();
    void store();

    SettingsStore& m_store;
    QComboBox* m_language;
    QComboBox* m_theme;
    QSpinBox* m_fontSize;
    QSpinBox* m_threads;
    DeviceChoice* m_device;
    DeviceSpeedRow* m_deviceSpeed;
    QLineEdit* m_cacheFolder;
    QLineEdit* m_openFolder;
    QLineEdit* m_modelsFolder;
    QLineEdit* m_proxy;
    QSpinBox* m_context;
};

} // namespace wb::ui
