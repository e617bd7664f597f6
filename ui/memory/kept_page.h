// SPDX-License-Identifier: MIT
#pragma once

#include "ui/memory/memory_session.h"
#include "ui/memory/rows_model.h"

#include <QWidget>

class QPushButton;
class QTableView;

namespace wb::ui::memory {

// Plans that were kept, side by side.
class KeptPage : public QWidget {
    Q_OBJECT

public:
    explicit KeptPage(MemorySession& session, QWidget* parent = nullptr);

    RowsModel* plans() { return &m_plans; }
    void refresh();

private:
    void retranslate();

    MemorySession& m_session;
    RowsModel m_plans;
    QTableView* m_table;
    QPushButton *m_keep, *m_clear;
};

} // namespace wb::ui::memory
