// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSlider;
class QSpinBox;

namespace wb::ui::memory {

// The settings of an estimate; every change counts at once.
class SettingsPanel : public QWidget {
    Q_OBJECT

public:
    explicit SettingsPanel(MemorySession& session, QWidget* parent = nullptr);

private:
    void showSettings();
    void apply();
    void showFields();
    void fillBackends();
    void retranslate();
    void fillTypes();
    void fillBuilds();
    void placeLayers(wb::memory::Settings& settings, const wb::memory::Settings& before);

    MemorySession& m_session;
    QFormLayout* m_form;
    QSpinBox *m_context, *m_conversations, *m_microBatch, *m_layers, *m_experts;
    QSlider* m_contextSlider;
    QComboBox *m_cacheType, *m_valueType, *m_type, *m_runtime, *m_backend, *m_build;
    QCheckBox *m_flash, *m_unified, *m_ahead;
    bool m_isShowing = false; // values are being set, not chosen
};

} // namespace wb::ui::memory
