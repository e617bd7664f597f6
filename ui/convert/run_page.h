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

class QueuePanel;

// A run while it lasts: how far, how fast, how long yet; pause and cancel. Below it the queue, where there is more than that run.
class RunPage : public QWidget {
    Q_OBJECT

public:
    explicit RunPage(Wizard& wizard, QWidget* parent = nullptr);

    void refresh();

signals:
    void discardWanted(quint64 id);            // QueuePanel's
    void inspectWanted(const QString& target); // the same

private:
    Card* makeQueue();
    QString figures() const;

    Wizard& m_wizard;
    RunSession& m_run;
    Card *m_card, *m_queueCard;
    QueuePanel* m_queue = nullptr;
    QLabel *m_title, *m_figures;
    QProgressBar* m_bar;
    QPushButton *m_pause, *m_cancel, *m_leave;
};

} // namespace wb::ui::convert
