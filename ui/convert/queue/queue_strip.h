// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

class QLabel;

namespace wb::ui::convert {

class UnfinishedList;
class Wizard;

// One line above the pages: the jobs of this tab that are on the Jobs page, and the way to it. Hidden without jobs, and while the
// page below it shows the only one.
class QueueStrip : public QFrame {
    Q_OBJECT

public:
    QueueStrip(Wizard& wizard, const UnfinishedList& unfinished, QWidget* parent = nullptr);

    void refresh();

signals:
    void jobsWanted();

private:
    QString stripText() const;

    Wizard& m_wizard;
    const UnfinishedList& m_unfinished;
    QLabel* m_text;
};

} // namespace wb::ui::convert
