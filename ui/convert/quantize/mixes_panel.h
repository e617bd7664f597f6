// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/mix_session.h"
#include "ui/widgets/types/type_table_view.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QSplitter;

namespace wb::ui::convert {

class MixPlot;
class SizeEdit;

// All mixes of the model in one table, with the plot of their errors, the one that is recommended and why. Measuring starts when
// the panel is shown.
class MixesPanel : public QWidget {
    Q_OBJECT

public:
    MixesPanel(MixSession& mixes, BudgetSession& budget, const Services& services, QWidget* parent = nullptr);

    void refresh();           // after a change of the goal or the plan
    void setRoom(QSize room); // the visible part of the panel

signals:
    void mixWanted(quant::FileType type);
    void queueWanted(const std::vector<quant::FileType>& types); // one run each

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTop();
    QWidget* makeTable();
    void keepRows(bool isBelow);
    void keepGoal();
    void measureOrStop();
    void showState();
    void takeSelected();
    std::vector<quant::FileType> selectedMixes() const;
    void showTypes();
    QString adviceText() const;

    MixSession& m_mixes;
    BudgetSession& m_budget;
    TypeTableModel* m_model;
    SizeEdit* m_memory;
    QSpinBox* m_context;
    QCheckBox* m_everyRow;
    QPushButton *m_measure, *m_take, *m_queue;
    QLabel* m_advice;
    TypeTableView* m_table;
    QSplitter* m_split; // the table and the plot
    MixPlot* m_plot;
};

} // namespace wb::ui::convert
