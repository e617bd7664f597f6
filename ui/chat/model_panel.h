// SPDX-License-Identifier: MIT
#pragma once

#include "ui/chat/model_settings.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace wb::ui {
class DeviceChoice;
class Devices;
class JobRunner;
} // namespace wb::ui

namespace wb::ui::chat {

// How the model is loaded: context length, types of the KV cache, device, GPU layers, CPU threads. A change needs a reload, which
// its button starts; without a loaded model a change applies at once.
class ModelPanel : public QWidget {
    Q_OBJECT

public:
    explicit ModelPanel(QWidget* parent = nullptr);

    // Adds the device and the GPU layers, and starts to search devices; the first call counts. The services must outlive the panel.
    void offerDevices(const Devices& devices, JobRunner& jobs);
    void setDefaultDevice(const DeviceRef& device); // that of Settings, which counts while none is chosen here

    void setSettings(const ModelSettings& settings); // as they apply now
    // The context that the loaded model was trained for; 0: no model is loaded.
    void setContextMax(std::size_t tokens);
    void setLayersMax(std::uint64_t layers); // to choose, with the output layer; 0: no model, or none of its layers is on a GPU
    const ModelSettings& settings() const { return m_shown; } // as the user sees them
    const ModelSettings& applied() const { return m_applied; }

signals:
    void applyWanted(const ModelSettings& settings); // by the user

private:
    QSpinBox* addNumber(const char* name, int high, QLabel*& label);
    QComboBox* addCacheType(const char* name, QLabel*& label);
    void retranslate();
    void showValues();
    void take();
    void refresh();
    void showDevice();

    ModelSettings m_applied, m_shown;
    DeviceRef m_defaultDevice;
    std::size_t m_contextMax = 0;
    QFormLayout* m_form;
    QLabel* m_heading;
    QLabel *m_contextLabel = nullptr, *m_keysLabel = nullptr, *m_valuesLabel = nullptr, *m_threadsLabel = nullptr,
           *m_deviceLabel = nullptr, *m_layersLabel = nullptr;
    QSpinBox *m_context = nullptr, *m_layers = nullptr, *m_threads = nullptr;
    DeviceChoice* m_device = nullptr; // null: not offered
    QComboBox *m_keys = nullptr, *m_values = nullptr;
    QPushButton* m_reload;
    bool m_isShowing = false; // values are set by the program
};

} // namespace wb::ui::chat
