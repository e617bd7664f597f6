// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/wizard.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace wb::ui {
class Card;
}

namespace wb::ui::convert {

// The run of the plan while it lasts: how far, how fast, how long yet; pause and cancel. What waits is on the Jobs page.
class RunPage : public QWidget {
    Q_OBJECT

public:
    explicit RunPage(Wizard& wizard, QWidget* parent = nullptr);

    void refresh();

private:
    QString figures() const;

    Wizard& m_wizard;
    RunSession& m_run;
    Card* m_card;
    QLabel *m_title, *m_figures;
    QProgressBar* m_bar;
    QPushButton *m_pause, *m_cancel, *m_leave;
};

} // namespace wb::ui::convert
