// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"
#include "ui/memory/parts_bar.h"
#include "ui/memory/rows_model.h"
#include "ui/widgets/types/type_table_view.h"

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
    TypeTableModel* types() { return &m_types; }
    RowsModel* cards();
    RowsModel* plans();
    RowsModel* advice() { return &m_advice; }
    QString heading() const;                      // the total in a sentence
    const QAbstractItemModel& shownTable() const; // that is in front
    QList<int> shownColumns() const;              // of it

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
    RowsModel m_parts, m_advice;
    TypeTableModel m_types;
    QLabel *m_total, *m_rule, *m_notes;
    PartsBar* m_bar;
    QTabWidget* m_tabs;
    QTableView *m_partsTable, *m_adviceTable;
    TypeTableView* m_typesTable;
    QWidget* m_typesPage = nullptr;
    QLabel* m_best;
    QPushButton *m_take, *m_quantize;
    DevicesPage* m_devices;
    KeptPage* m_kept;
};

} // namespace wb::ui::memory
