// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/wizard.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace wb::ui::convert {

class ErrorChart;
class ErrorModel;

// What came out: the file, and what each tensor lost, as a chart and as a table.
class ResultPage : public QWidget {
    Q_OBJECT

public:
    explicit ResultPage(Wizard& wizard, QWidget* parent = nullptr);

    void refresh();

signals:
    void message(const QString& text); // why something was not done
    void inspectWanted(const QString& path);
    void anotherWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showFolder();
    void chooseTensor(int row); // of the model

    Wizard& m_wizard;
    ErrorModel* m_model;
    ErrorChart* m_chart;
    QLabel *m_title, *m_facts;
    QTableView* m_table;
};

} // namespace wb::ui::convert
