// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"
#include "ui/memory/parts_bar.h"
#include "ui/memory/rows_model.h"

class QLabel;
class QLineEdit;
class QTabWidget;
class QTableView;

namespace wb::ui::memory {

// The answer: the total, the bar of parts with the rule of thumb beside it, and the tables of parts, types, cards and advice.
class MemoryView : public QWidget {
    Q_OBJECT

public:
    explicit MemoryView(MemorySession& session, QWidget* parent = nullptr);

    RowsModel* parts() { return &m_parts; }
    RowsModel* types() { return &m_types; }
    RowsModel* cards() { return &m_cards; }
    RowsModel* advice() { return &m_advice; }

private:
    QTableView* addTable(RowsModel& model, QWidget* page, int sortColumn);
    QWidget* makeCards();
    void refresh();
    void refreshRunning(const wb::memory::Estimate& estimate);
    void refreshTraining(const wb::memory::TrainingEstimate& estimate);
    void showTables();
    void showNotes(const std::vector<wb::memory::Phrase>& gaps, const std::vector<Problem>& problems);
    void clear();
    void retranslate();

    MemorySession& m_session;
    RowsModel m_parts, m_types, m_cards, m_advice;
    QLabel *m_total, *m_rule, *m_notes;
    PartsBar* m_bar;
    QTabWidget* m_tabs;
    QTableView *m_partsTable, *m_typesTable, *m_cardsTable, *m_adviceTable;
    QLineEdit* m_filter;
};

} // namespace wb::ui::memory
