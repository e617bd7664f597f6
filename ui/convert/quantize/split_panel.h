// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/plan_session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace wb::ui::convert {

class SizeEdit;

// How the new GGUF file is divided, and whether the model is only copied, which splits or joins it.
class SplitPanel : public QWidget {
    Q_OBJECT

public:
    SplitPanel(QuantizeChoices& choices, const PlanSession& plans, QWidget* parent);

    void refresh();

private:
    enum Limit { None, Bytes, Tensors };

    void choose();
    bool isSplit() const; // the source
    void setCopies(bool copies);

    QuantizeChoices& m_choices;
    const PlanSession& m_plans;
    QCheckBox* m_copies;
    QComboBox* m_limit;
    SizeEdit* m_bytes;
    QSpinBox* m_tensors;
    QLabel* m_note;
};

} // namespace wb::ui::convert
