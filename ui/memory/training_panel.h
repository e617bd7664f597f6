// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace wb::ui::memory {

// The settings of a training run; every change counts at once. Only fields that matter for the method are shown.
class TrainingPanel : public QWidget {
    Q_OBJECT

public:
    explicit TrainingPanel(MemorySession& session, QWidget* parent = nullptr);

    // Takes the method and counts; the other settings stay from method to method.
    void start(wb::memory::Method method);

private:
    void apply();
    void showFields();
    void retranslate();

    MemorySession& m_session;
    QFormLayout* m_form;
    wb::memory::Method m_method = wb::memory::Method::Lora;
    QComboBox *m_base, *m_targets, *m_optimizer, *m_zero, *m_offload, *m_reference;
    QSpinBox *m_sequence, *m_batch, *m_rank, *m_virtualTokens, *m_gpus;
    QCheckBox *m_checkpointing, *m_flash, *m_chunkedLoss, *m_double, *m_dora, *m_rslora, *m_gradients, *m_average;
    bool m_isShowing = false; // values are being set, not chosen
};

} // namespace wb::ui::memory
