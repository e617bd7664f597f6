// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/weights/weights_session.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace wb::ui {
class Card;
}

namespace wb::ui::convert {

// The beginning: the goals, with a model or folder to pick for each.
class ChoosePage : public QWidget {
    Q_OBJECT

public:
    explicit ChoosePage(QWidget* parent = nullptr);

    void setOpenModels(const QStringList& paths); // that are open in Inspect, to start with one of them

signals:
    void modelWanted();
    void folderWanted();
    void vendorWanted();
    void weightsWanted(wb::ui::convert::WeightsGoal goal); // a model is to be chosen for it
    void modelChosen(const QString& path);

private:
    Card* makeGoals();

    QWidget* m_open; // place of the buttons of open models
    QLabel* m_hint;
    QStringList m_openModels;
};

} // namespace wb::ui::convert
