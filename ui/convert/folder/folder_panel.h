// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/plan_session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace wb::ui::convert {

// What is chosen where a Hugging Face folder is converted: the model's name, and how its tokenizer cuts text where that is not
// recognised.
class FolderPanel : public QWidget {
    Q_OBJECT

public:
    FolderPanel(QuantizeChoices& choices, const PlanSession& plans, QWidget* parent = nullptr);

    void refresh();

private:
    QuantizeChoices& m_choices;
    const PlanSession& m_plans;
    QLineEdit* m_name;
    QComboBox* m_pre;
    QLabel* m_note;
};

} // namespace wb::ui::convert
