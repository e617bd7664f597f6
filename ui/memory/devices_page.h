// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"
#include "ui/memory/rows_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableView;

namespace wb::ui::memory {

// Whether the model fits this machine and the devices in the table, where its layers are best on several of them, and which cards
// would do.
class DevicesPage : public QWidget {
    Q_OBJECT

public:
    explicit DevicesPage(MemorySession& session, QWidget* parent = nullptr);

    RowsModel* cards() { return &m_cards; }
    RowsModel* choices() { return &m_choices; }
    void refresh();

private:
    QWidget* makeChosen();
    void useChosen();
    void showPlacement();
    void showChoices();
    void retranslate();

    MemorySession& m_session;
    RowsModel m_cards, m_choices;
    QLabel *m_placement, *m_chosen, *m_choicesTitle;
    QPushButton *m_usePlacement, *m_useCards, *m_useMachine;
    QSpinBox* m_count;
    QLineEdit* m_filter;
    QTableView *m_cardsTable, *m_choicesTable;
};

} // namespace wb::ui::memory
