// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/budget_session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;
class QToolButton;

namespace wb::ui::convert {

class SizeEdit;
class SplitPanel;

// How the types are chosen: by the name of a mix, by a size of the file, or by the memory of the machine that will run the model.
class GoalPanel : public QWidget {
    Q_OBJECT

public:
    GoalPanel(QuantizeChoices& choices, const PlanSession& plans, BudgetSession& budget, QWidget* parent = nullptr);

    void refresh();

private:
    void makeMixes();
    void makeSizes();
    void makeOptions();
    QWidget* row(const QList<QWidget*>& widgets);
    void keepGoal();
    void refreshMix();
    void chooseByGoal();
    void measureForGoal();
    void askForMatrix();
    SizeEdit* sizeInUse() const;
    QString sizeNote() const;
    QString goalNote() const;
    QString mixNote() const;
    QString figures() const;

    QuantizeChoices& m_choices;
    const PlanSession& m_plans;
    BudgetSession& m_budget;
    QRadioButton *m_byMix, *m_bySize, *m_byMemory;
    QComboBox* m_mix;
    SizeEdit *m_size, *m_memory;
    QSpinBox* m_context;
    QPushButton* m_find;
    QLabel *m_note, *m_figures;
    QLineEdit* m_matrix;
    QToolButton* m_noMatrix;
    QCheckBox *m_everyRow, *m_pure, *m_requantize, *m_keepSplit;
    SplitPanel* m_split;
};

} // namespace wb::ui::convert
