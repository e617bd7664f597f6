// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/metadata_panel.h"

#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/metadata/metadata_model.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

constexpr qsizetype oneLine = 48;           // characters that a row shows anyway
constexpr qsizetype longestShown = 200'000; // a text document of more would freeze the window

QTreeView* makeTree(QWidget* parent) {
    auto* tree = new QTreeView(parent);
    tree->setObjectName(QStringLiteral("metadata"));
    tree->setUniformRowHeights(true);
    tree->setAlternatingRowColors(false);
    tree->setTextElideMode(Qt::ElideMiddle); // keys share their beginning and differ at their ends
    tree->setItemDelegate(new CellDelegate(tree));
    tree->setIndentation(14);
    return tree;
}

} // namespace

MetadataPanel::MetadataPanel(ModelPtr model, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), m_model(new MetadataModel(std::move(model), jobs, this)), m_found(new QSortFilterProxyModel(this)),
      m_search(new QLineEdit(this)), m_tree(makeTree(this)), m_whole(new QPlainTextEdit(this)) {
    m_found->setSourceModel(m_model);
    m_found->setRecursiveFilteringEnabled(true);
    m_found->setAutoAcceptChildRows(true);
    m_found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_found->setFilterKeyColumn(-1);
    m_search->setObjectName(QStringLiteral("metadataSearch"));
    m_search->setPlaceholderText(tr("Search keys and values"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search metadata"));
    m_tree->setAccessibleName(tr("Metadata"));
    m_tree->setModel(m_found);
    m_tree->header()->resizeSection(MetadataModel::Key, 190);
    m_tree->header()->resizeSection(MetadataModel::Value, 200);
    m_whole->setReadOnly(true);
    m_whole->setAccessibleName(tr("Full value"));
    m_whole->setObjectName(QStringLiteral("wholeValue"));
    m_whole->hide();

    addCopy(tr("Copy value"), MetadataModel::Value, ExactRole, QKeySequence::Copy);
    addCopy(tr("Copy key"), MetadataModel::Key, Qt::DisplayRole, {});
    addCopy(tr("Copy path"), MetadataModel::Key, ExactRole, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    showActionsOnRightClick(m_tree);

    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_tree);
    splitter->addWidget(m_whole);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->addWidget(m_search);
    layout->addWidget(splitter, 1);

    if (m_model->rowCount() == 0) {
        QLabel* none = makeMutedLabel(this);
        none->setText(tr("The file contains no metadata."));
        layout->insertWidget(0, none, 0, Qt::AlignTop);
        m_search->hide();
        splitter->hide();
    }

    connect(m_search, &QLineEdit::textChanged, this, &MetadataPanel::find);
    connect(m_model, &MetadataModel::failed, this, &MetadataPanel::failed);
    m_visible.setSingleShot(true);
    connect(&m_visible, &QTimer::timeout, this, &MetadataPanel::readVisible);
    connect(m_tree->verticalScrollBar(), &QScrollBar::valueChanged, &m_visible, qOverload<>(&QTimer::start));
    connect(m_tree, &QTreeView::expanded, &m_visible, qOverload<>(&QTimer::start));
    connect(m_found, &QAbstractItemModel::rowsInserted, &m_visible, qOverload<>(&QTimer::start));
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &MetadataPanel::showWhole);
}

int MetadataPanel::keyWidth() const {
    constexpr int keysMeasured = 200; // enough to know how long the keys of a model are
    int width = 120;
    for (int row = 0; row < std::min(m_found->rowCount(), keysMeasured); ++row)
        width = std::max(width, m_tree->fontMetrics().horizontalAdvance(m_found->index(row, MetadataModel::Key).data().toString()));
    return width + m_tree->indentation() + 2 * CellDelegate::padding + 6;
}

// Keys get what they need, but values never less than half.
void MetadataPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int room = m_tree->viewport()->width();
    const int keys = std::min(keyWidth(), room / 2);
    m_tree->header()->resizeSection(MetadataModel::Key, keys);
    m_tree->header()->resizeSection(MetadataModel::Value, std::max(room - keys, 100));
}

void MetadataPanel::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

void MetadataPanel::addCopy(const QString& text, int column, int role, const QKeySequence& shortcut) {
    auto* action = new QAction(icon(QStringLiteral("copy")), text, m_tree);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, [this, column, role] {
        const QModelIndex current = m_tree->currentIndex();
        if (current.isValid()) copyText(current.siblingAtColumn(column).data(role).toString());
    });
    m_tree->addAction(action);
}

void MetadataPanel::search(const QString& text) { m_search->setText(text); }

void MetadataPanel::showKey(const QString& key) {
    m_search->clear();
    const QModelIndexList found = m_found->match(m_found->index(0, MetadataModel::Key), Qt::DisplayRole, key, 1, Qt::MatchExactly);
    if (found.isEmpty()) return;
    m_tree->setCurrentIndex(found.first());
    m_tree->scrollTo(found.first());
    showWhole();
}

void MetadataPanel::find(const QString& text) {
    if (!text.isEmpty()) m_model->fillAll();
    m_found->setFilterFixedString(text);
    if (text.isEmpty()) m_tree->collapseAll();
    else m_tree->expandAll();
}

// QTreeView asks for more rows of the root only, so arrays that were kept in part are read on when their last row is in sight.
void MetadataPanel::readVisible() {
    if (!m_search->text().isEmpty()) return;
    const int bottom = m_tree->viewport()->height();
    for (QModelIndex row = m_tree->indexAt(QPoint(0, 0)); row.isValid(); row = m_tree->indexBelow(row)) {
        if (m_tree->visualRect(row).top() > bottom) return;
        const QModelIndex parent = row.parent();
        const bool isLast = row.row() == m_found->rowCount(parent) - 1;
        if (parent.isValid() && isLast && m_found->canFetchMore(parent)) m_found->fetchMore(parent);
    }
}

void MetadataPanel::showWhole() {
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(MetadataModel::Value);
    const QString whole = current.data(ExactRole).toString();
    const bool isLong = whole.size() > oneLine || whole.contains(QLatin1Char('\n'));
    if (isLong) m_whole->setPlainText(whole.left(longestShown));
    m_whole->setVisible(isLong);
}

} // namespace wb::ui::inspect
