// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
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
    void retranslate();
    void fillTypes();

    MemorySession& m_session;
    QFormLayout* m_form;
    QSpinBox *m_context, *m_conversations, *m_microBatch, *m_layers;
    QComboBox *m_cacheType, *m_type;
    QCheckBox* m_flash;
    bool m_isShowing = false; // values are being set, not chosen
};

} // namespace wb::ui::memory
