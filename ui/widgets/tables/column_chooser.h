// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QObject>
#include <QSet>

class QAction;
class QMenu;
class QTableView;

namespace wb::ui {

// Lets the user hide columns of a table, by a menu on its header and by an action "Columns" among those of the table. The first
// column always stays. A column that has nothing to show is not offered. Goes with the table.
class ColumnChooser : public QObject {
    Q_OBJECT

public:
    explicit ColumnChooser(QTableView* table);

    void setOffered(int column, bool offered); // whether it has anything to show
    void setHidden(int column, bool hidden);   // by the user
    bool isHidden(int column) const { return m_hidden.contains(column); }

    QJsonArray save() const; // the columns that the user hid
    void restore(const QJsonArray& hidden);

signals:
    void changed();

private:
    void fill();
    void apply(int column);

    QTableView* m_table;
    QMenu* m_menu;
    QSet<int> m_hidden, m_absent;
};

} // namespace wb::ui
