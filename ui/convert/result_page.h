// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/plan_session.h"
#include "ui/convert/run/run_session.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace wb::ui::convert {

class ErrorChart;
class ErrorModel;
class OllamaRow;

// The result: the file and the error of each tensor, as a chart and as a table.
class ResultPage : public QWidget {
    Q_OBJECT

public:
    ResultPage(const RunSession& run, const PlanSession& plans, const Services& services, QWidget* parent = nullptr);

    void refresh();

signals:
    void message(const QString& text); // why something was not done
    void inspectWanted(const QString& path);
    void chatWanted(const QString& path);
    void planWanted();
    void anotherWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showErrors();
    void showFolder();
    void chooseTensor(int row); // of the model

    const RunSession& m_run;
    const PlanSession& m_plans;
    ErrorModel* m_model;
    ErrorChart* m_chart;
    QLabel *m_title, *m_summary;
    QTableView* m_table;
    QPushButton* m_chat;
    bool m_isTall = true;
    OllamaRow* m_ollama;
    QWidget* m_rest; // the space of chart and table if none exist
};

} // namespace wb::ui::convert
