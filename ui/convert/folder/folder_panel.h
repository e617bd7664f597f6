// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/plan_session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace wb::ui {
class DangerQuestion;
}

namespace wb::ui::convert {

class AdapterList;

// What is chosen where a Hugging Face folder is converted: the model's name, how its tokenizer cuts text where that is not
// recognized, another chat template, and adapters that are merged on the way. Of an adapter: its name and its base.
class FolderPanel : public QWidget {
    Q_OBJECT

public:
    FolderPanel(QuantizeChoices& choices, const PlanSession& plans, const Services& services, QWidget* parent = nullptr);

    void refresh();

signals:
    void message(const QString& text); // why a template was not taken

private:
    void setAdapters(const std::vector<wb::convert::AdapterFile>& adapters); // a new one after a question where it holds code
    void askForTemplate();
    void askForBase();
    void refreshBase();

    QuantizeChoices& m_choices;
    const PlanSession& m_plans;
    QLineEdit* m_name;
    QComboBox* m_pre;
    QPushButton *m_template, *m_noTemplate;
    AdapterList* m_adapters;
    DangerQuestion* m_question;
    QPushButton* m_base;
    QList<QWidget*> m_ofModels, m_ofAdapters; // rows that only these have
    QLabel* m_note;
};

} // namespace wb::ui::convert
