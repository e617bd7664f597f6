// SPDX-License-Identifier: MIT
#include "ui/widgets/tables/column_chooser.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>

namespace wb::ui {

ColumnChooser::ColumnChooser(QTableView* table) : QObject(table), m_table(table), m_menu(new QMenu(tr("Columns"), table)) {
    m_menu->setObjectName(QStringLiteral("columns"));
    m_table->addAction(m_menu->menuAction());
    connect(m_menu, &QMenu::aboutToShow, this, &ColumnChooser::fill);
    QHeaderView* header = m_table->horizontalHeader();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
            [this, header](const QPoint& place) { m_menu->popup(header->viewport()->mapToGlobal(place)); });
}

// In the order in which they stand.
void ColumnChooser::fill() {
    m_menu->clear();
    for (int place = 0; place < m_table->model()->columnCount(); ++place) {
        const int column = m_table->horizontalHeader()->logicalIndex(place);
        if (column == 0 || m_absent.contains(column)) continue;
        QAction* action = m_menu->addAction(m_table->model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setHidden(column, !shown); });
    }
    m_menu->addSeparator();
    QAction* all = m_menu->addAction(tr("Show all columns"));
    all->setEnabled(!m_hidden.isEmpty());
    connect(all, &QAction::triggered, this, [this] { restore({}); });
}

void ColumnChooser::setOffered(int column, bool offered) {
    if (offered) m_absent.remove(column);
    else m_absent.insert(column);
    apply(column);
}

void ColumnChooser::setHidden(int column, bool hidden) {
    if (column <= 0) return;
    if (hidden) m_hidden.insert(column);
    else m_hidden.remove(column);
    apply(column);
    emit changed();
}

void ColumnChooser::apply(int column) { m_table->setColumnHidden(column, m_hidden.contains(column) || m_absent.contains(column)); }

QJsonArray ColumnChooser::save() const {
    QList<int> columns(m_hidden.begin(), m_hidden.end());
    std::sort(columns.begin(), columns.end());
    QJsonArray saved;
    for (const int column : columns) saved.append(column);
    return saved;
}

void ColumnChooser::restore(const QJsonArray& hidden) {
    m_hidden.clear();
    for (const QJsonValue& column : hidden)
        if (column.toInt() > 0 && column.toInt() < m_table->model()->columnCount()) m_hidden.insert(column.toInt());
    for (int column = 1; column < m_table->model()->columnCount(); ++column) apply(column);
    emit changed();
}

} // namespace wb::ui
