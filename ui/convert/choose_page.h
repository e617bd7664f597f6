// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/unfinished.h"
#include "ui/convert/weights/weights_session.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace wb::ui {
class Card;
}

namespace wb::ui::convert {

// The beginning: a model or folder to pick, and the runs that did not end.
class ChoosePage : public QWidget {
    Q_OBJECT

public:
    explicit ChoosePage(QWidget* parent = nullptr);

    void setOpenModels(const QStringList& paths);               // that are open in Inspect, to start with one of them
    void setUnfinished(const std::vector<UnfinishedRun>& runs); // rows that stay the same are left alone

signals:
    void modelWanted();
    void folderWanted();
    void vendorWanted();
    void weightsWanted(wb::ui::convert::WeightsGoal goal); // a model is to be chosen for it
    void modelChosen(const QString& path);
    void resumeWanted(const wb::ui::convert::UnfinishedRun& run);
    void discardWanted(const wb::ui::convert::UnfinishedRun& run);

private:
    Card* makeGoals();
    static QString stateText(const UnfinishedRun& run);
    QWidget* makeRow(const UnfinishedRun& run);
    QWidget* makeResume(const UnfinishedRun& run);
    QWidget* makeDiscard(const UnfinishedRun& run);

    QWidget* m_open; // place of the buttons of open models
    QLabel* m_hint;
    Card* m_unfinished;
    QWidget* m_rows = nullptr;
    QStringList m_openModels;
    std::vector<UnfinishedRun> m_runs;
};

} // namespace wb::ui::convert
