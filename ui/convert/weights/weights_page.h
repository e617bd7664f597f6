// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/weights/weights_session.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace wb::ui::convert {

class ChoicesPanel;
class CommandRow;
class ConvertActions;
class MembersModel;
class ParentsPanel;
class WeightsModel;

// Writing weights as safetensors, as a folder or with adapters merged: the plan with its choices, and the result.
class WeightsPage : public QWidget {
    Q_OBJECT

public:
    WeightsPage(WeightsSession& session, Wizard& wizard, ConvertActions& actions, QWidget* parent = nullptr);

    void refresh();
    void refreshActions(); // those of the tab, while this page has their use

signals:
    void closeWanted();
    void inspectWanted(const QString& path);
    void message(const QString& text); // why something was not done

private:
    QWidget* makePlan(Wizard& wizard);
    QWidget* makeHead();
    QWidget* makeTables();
    QWidget* makeResult(const Services& services);
    void refreshPlan();
    void refreshResult();
    void onChecked(const RunCheck& check);
    void savePlan();
    void loadPlan();

    WeightsSession& m_session;
    ConvertActions& m_actions;
    WeightsModel* m_model;
    MembersModel* m_membersModel;
    QStackedWidget* m_stack;
    ChoicesPanel* m_choices = nullptr;
    QLabel *m_title = nullptr, *m_failure = nullptr, *m_notes = nullptr, *m_resultTitle = nullptr, *m_summary = nullptr;
    QTabBar* m_parts = nullptr;
    QTableView *m_table = nullptr, *m_members = nullptr;
    QCheckBox* m_trust = nullptr;
    CommandRow* m_command = nullptr;
    ParentsPanel* m_parents = nullptr;
    QWidget* m_rest = nullptr; // of the page of the result without a table
};

} // namespace wb::ui::convert
