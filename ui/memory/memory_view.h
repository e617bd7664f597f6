// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"
#include "ui/memory/parts_bar.h"
#include "ui/memory/rows_model.h"

class QLabel;
class QPushButton;
class QTabWidget;
class QTableView;

namespace wb::ui::memory {

class DevicesPage;
class KeptPage;

// The answer: the total, the bar of parts with the rule of thumb next to it, and the tables of parts, types, cards and advice.
class MemoryView : public QWidget {
    Q_OBJECT

public:
    explicit MemoryView(MemorySession& session, QWidget* parent = nullptr);

    RowsModel* parts() { return &m_parts; }
    RowsModel* types() { return &m_types; }
    RowsModel* cards();
    RowsModel* plans();
    RowsModel* advice() { return &m_advice; }
    QString heading() const;             // the total in a sentence
    const RowsModel* shownTable() const; // that is in front

signals:
    void quantizeWanted(const QString& type);

private:
    QTableView* addTable(RowsModel& model, QWidget* page, int sortColumn);
    QWidget* makeTypes();
    const wb::memory::WeightType* chosenType() const;
    void updateButtons();
    void showBest();
    QString errorText(const wb::memory::Estimate& estimate) const;
    void refresh();
    void refreshRunning(const wb::memory::Estimate& estimate);
    void refreshTraining(const wb::memory::TrainingEstimate& estimate);
    void showTables();
    void showNotes(const std::vector<wb::memory::Phrase>& gaps, const std::vector<Problem>& problems);
    void clear();
    void retranslate();

    MemorySession& m_session;
    RowsModel m_parts, m_types, m_advice;
    QLabel *m_total, *m_rule, *m_notes;
    PartsBar* m_bar;
    QTabWidget* m_tabs;
    QTableView *m_partsTable, *m_typesTable, *m_adviceTable;
    QWidget* m_typesPage = nullptr;
    QLabel* m_best;
    QPushButton *m_take, *m_quantize;
    DevicesPage* m_devices;
    KeptPage* m_kept;
};

} // namespace wb::ui::memory
