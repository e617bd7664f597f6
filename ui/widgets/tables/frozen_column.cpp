// SPDX-License-Identifier: MIT
#include "ui/widgets/tables/frozen_column.h"

#include "ui/widgets/tables/plain_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalBlocker>

namespace wb::ui {

void FrozenTableView::scrollTo(const QModelIndex& index, ScrollHint hint) {
    const int across = horizontalScrollBar()->value();
    QTableView::scrollTo(index, hint);
    if (index.column() == 0) horizontalScrollBar()->setValue(across);
}

FrozenColumn::FrozenColumn(FrozenTableView* table) : QObject(table), m_table(table), m_view(new QTableView(table)) {
    m_view->setObjectName(QStringLiteral("frozenColumn"));
    m_view->setModel(m_table->model());
    m_view->setSelectionModel(m_table->selectionModel());
    setUpTable(m_view, m_table->verticalHeader()->defaultSectionSize());
    m_view->setFocusPolicy(Qt::NoFocus); // the keyboard stays with the table
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setItemDelegate(m_table->itemDelegate());
    m_view->setSelectionBehavior(m_table->selectionBehavior());
    m_view->setSelectionMode(m_table->selectionMode());
    m_view->setTextElideMode(m_table->textElideMode());
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollMode(m_table->verticalScrollMode());
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    for (int column = 1; column < m_table->model()->columnCount(); ++column) m_view->setColumnHidden(column, true);
    m_table->horizontalHeader()->setFirstSectionMovable(false);
    follow();
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    place();
}

// Scrolling, widths and the order go both ways.
void FrozenColumn::follow() {
    QHeaderView *own = m_view->horizontalHeader(), *all = m_table->horizontalHeader();
    own->setSectionsClickable(true);
    own->setSortIndicatorShown(all->isSortIndicatorShown());
    own->setSortIndicatorClearable(all->isSortIndicatorClearable());
    own->setSortIndicator(all->sortIndicatorSection(), all->sortIndicatorOrder());
    connect(own, &QHeaderView::sortIndicatorChanged, all, &QHeaderView::setSortIndicator);
    connect(all, &QHeaderView::sortIndicatorChanged, own, [own](int section, Qt::SortOrder order) {
        const QSignalBlocker blocked(own);
        own->setSortIndicator(section, order);
        own->viewport()->update();
    });
    connect(all, &QHeaderView::sectionResized, this, &FrozenColumn::place);
    connect(own, &QHeaderView::sectionResized, this, [this](int section, int, int width) {
        if (section == 0) m_table->setColumnWidth(0, width);
    });
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, m_view->verticalScrollBar(), &QScrollBar::setValue);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, m_table->verticalScrollBar(), &QScrollBar::setValue);
    connect(m_table->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::place);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, m_table, &QWidget::customContextMenuRequested);
    connect(m_view, &QAbstractItemView::activated, m_table, &QAbstractItemView::activated);
}

void FrozenColumn::place() {
    m_view->setVisible(m_table->horizontalScrollBar()->value() > 0 && !m_table->isColumnHidden(0));
    if (m_view->isHidden()) return;
    const QSignalBlocker blocked(m_view->horizontalHeader());
    m_view->setColumnWidth(0, m_table->columnWidth(0));
    const int header = m_table->horizontalHeader()->height();
    m_view->horizontalHeader()->setFixedHeight(header);
    m_view->setGeometry(m_table->frameWidth(), m_table->frameWidth(), m_table->columnWidth(0),
                        m_table->viewport()->height() + header);
    m_view->verticalScrollBar()->setValue(m_table->verticalScrollBar()->value());
    m_view->raise();
}

bool FrozenColumn::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    return QObject::eventFilter(watched, event);
}

} // namespace wb::ui
