// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace wb::ui::convert {

class Wizard;

// One line above the pages that are not about the queue: how it stands, and the way to it. Hidden where there is no queue.
class QueueStrip : public QFrame {
    Q_OBJECT

public:
    explicit QueueStrip(Wizard& wizard, QWidget* parent = nullptr);

    void refresh();

private:
    Wizard& m_wizard;
    QLabel* m_text;
    QPushButton *m_goOn, *m_show;
};

} // namespace wb::ui::convert
