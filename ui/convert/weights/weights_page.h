// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/weights/weights_session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QVBoxLayout;

namespace wb::ui::convert {

class RunPage;
class WeightsModel;

// Writing weights as safetensors, as a folder or with adapters merged: the plan with its choices, the run, and what came of it.
class WeightsPage : public QWidget {
    Q_OBJECT

public:
    explicit WeightsPage(WeightsSession& session, QWidget* parent = nullptr);

    void refresh();

signals:
    void closeWanted();
    void inspectWanted(const QString& path);
    void message(const QString& text); // why something was not done

private:
    QWidget* makePlan();
    QWidget* makeResult();
    QWidget* makeChoices(QWidget* parent);
    void addAdapter();
    void refreshAdapters();
    void refreshPlan();
    void refreshResult();
    void chooseTarget();
    void onChecked(const RunCheck& check);
    void change(const std::function<void(WeightsChoices&)>& apply);

    WeightsSession& m_session;
    WeightsModel* m_model;
    QStackedWidget* m_stack;
    RunPage* m_runPage;
    QLabel *m_title = nullptr, *m_failure = nullptr, *m_figures = nullptr, *m_notes = nullptr, *m_resultTitle = nullptr,
           *m_summary = nullptr;
    QTableView* m_table = nullptr;
    QComboBox *m_type = nullptr, *m_shards = nullptr;
    QCheckBox* m_trust = nullptr;
    QLineEdit* m_target = nullptr;
    QPushButton *m_run = nullptr, *m_addAdapter = nullptr;
    QWidget* m_adapters = nullptr;
    QVBoxLayout* m_adapterRows = nullptr;
    QList<ChosenAdapter> m_shownAdapters;
};

} // namespace wb::ui::convert
