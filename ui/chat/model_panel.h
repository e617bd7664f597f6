// SPDX-License-Identifier: MIT
#pragma once

#include "ui/chat/model_settings.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace wb::ui::chat {

// How the model is loaded: context length, types of the KV cache, CPU threads. A change needs a reload, which its button starts;
// without a loaded model a change applies at once.
class ModelPanel : public QWidget {
    Q_OBJECT

public:
    explicit ModelPanel(QWidget* parent = nullptr);

    void setSettings(const ModelSettings& settings); // as they apply now
    // The context that the loaded model was trained for; 0: no model is loaded.
    void setContextMax(std::size_t tokens);
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

    ModelSettings m_applied, m_shown;
    std::size_t m_contextMax = 0;
    QFormLayout* m_form;
    QLabel* m_heading;
    QLabel *m_contextLabel = nullptr, *m_keysLabel = nullptr, *m_valuesLabel = nullptr, *m_threadsLabel = nullptr;
    QSpinBox *m_context = nullptr, *m_threads = nullptr;
    QComboBox *m_keys = nullptr, *m_values = nullptr;
    QPushButton* m_reload;
    bool m_isShowing = false; // values are set by the program
};

} // namespace wb::ui::chat
