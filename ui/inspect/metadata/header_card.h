// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/run_check.h"
#include "core/stats/contents/contents.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace wb::ui::inspect {

// What kind of model this is, in two lines of facts, with badges for its problems and the ways on from here.
class HeaderCard : public QFrame {
    Q_OBJECT

public:
    HeaderCard(const stats::Contents& contents, const QString& title, const QString& path, QWidget* parent = nullptr);

    void showVerdict(const Danger& danger);         // what loading the model elsewhere would run
    void showRun(const wb::infer::RunCheck& check); // whether this program runs it on this computer
    void showProblems(const std::vector<Problem>& problems);

signals:
    void problemsWanted();
    void safetyWanted();
    void memoryWanted();
    void quantizeWanted();
    void compareWanted();
    void templateWanted(); // the chat template as text

private:
    QLabel* addFact(QHBoxLayout* row, const QString& caption, const QString& value, const QString& toolTip = {});
    static QString parametersToolTip(const Model& model);
    void addFacts(QHBoxLayout* row, const stats::Contents& contents, const QString& title);
    void addNameFact(QHBoxLayout* row, const QString& value);
    void addWays(QHBoxLayout* row, const Model& model);

    QHBoxLayout* m_badges;
    QToolButton *m_verdict, *m_fit;
};

} // namespace wb::ui::inspect
