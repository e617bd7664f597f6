// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/run/run_session.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace wb::ui {
class Card;
}

namespace wb::ui::convert {

// A run while it lasts: how far, how fast, how long yet; pause and cancel.
class RunPage : public QWidget {
    Q_OBJECT

public:
    explicit RunPage(RunSession& run, QWidget* parent = nullptr);

    void refresh();

private:
    QString figures() const;

    RunSession& m_run;
    Card* m_card;
    QLabel *m_title, *m_figures;
    QProgressBar* m_bar;
    QPushButton *m_pause, *m_cancel;
};

} // namespace wb::ui::convert
