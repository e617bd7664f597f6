// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace wb::ui::inspect {

class CellTableView;
class TrendView;

// A statistic over the layers, as a picture or as a table.
class TrendPanel : public QWidget {
    Q_OBJECT

public:
    explicit TrendPanel(const Document& document, QWidget* parent = nullptr);

    QJsonObject save() const;
    void restore(const QJsonObject& state);

signals:
    void computeWanted(); // the statistics that are not known yet
    void tensorChosen(quint32 tensor);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeControls();
    void fillLines(); // of the menu that shows and hides them
    void refresh();

    const Document& m_document;
    QComboBox* m_statistic;
    QPushButton* m_compute = nullptr;
    QComboBox* m_grouping;
    QStackedWidget* m_stack;
    TrendView* m_view;
    CellTableView* m_table;
    QCheckBox* m_logarithmic;
    QMenu* m_linesMenu;
};

} // namespace wb::ui::inspect
