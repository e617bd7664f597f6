// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/wizard.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace wb::ui::convert {

class FactsPanel;
class GoalPanel;
class PlanModel;

// The plan before a byte is read: the goal on the left with what it costs, every tensor on the right, the target below.
class PlanPage : public QWidget {
    Q_OBJECT

public:
    PlanPage(Wizard& wizard, const Services& services, QWidget* parent = nullptr);

    void refresh();
    QString target() const;

signals:
    void otherModelWanted();

private:
    QWidget* makeHead();
    QWidget* makeSide(unsigned threads);
    QWidget* makeTensors();
    QWidget* makeFoot();
    void makeSaveMenu(QWidget* foot);
    void refreshProblems();
    void refreshTensors();
    void setTypes(bool selectedOnly);
    std::vector<std::string> shownTensors(bool selectedOnly, const QString& type) const;
    void askForTarget();
    void savePlan();
    void start();

    Wizard& m_wizard;
    PlanModel* m_model;
    QLabel *m_title, *m_failure, *m_count;
    GoalPanel* m_goal;
    FactsPanel* m_facts;
    QTableView* m_table;
    QLineEdit *m_search, *m_target;
    QComboBox* m_type;
    QPushButton *m_setSelected, *m_setShown, *m_save, *m_run;
    bool m_targetChosen = false;
};

} // namespace wb::ui::convert
