// SPDX-License-Identifier: MIT
#include "ui/chat/model_list.h"

#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/translate.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace wb::ui::chat {
namespace {
constexpr int headerSpace = 12; // pixels; a title fills its section otherwise
}

ModelList::ModelList(QWidget* parent)
    : QWidget(parent), m_model(new ModelChoices(this)), m_filter(new QLineEdit(this)), m_table(new QTableView(this)),
      m_empty(makeMutedLabel(this)), m_open(new QPushButton(this)), m_browse(new QPushButton(this)) {
    m_filter->setObjectName(QStringLiteral("modelFilter"));
    m_filter->setClearButtonEnabled(true);
    m_table->setObjectName(QStringLiteral("modelTable"));
    m_table->setModel(m_model);
    setUpTable(m_table, m_table->fontMetrics().height() + 12);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTextElideMode(Qt::ElideMiddle); // names of a repository's files differ at their ends
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->viewport()->installEventFilter(this);
    m_table->viewport()->setCursor(Qt::PointingHandCursor);
    leadDown(m_filter, m_table);
    m_open->setObjectName(QStringLiteral("choose"));
    m_open->setIcon(icon(QStringLiteral("folder")));
    m_browse->setObjectName(QStringLiteral("browseModels"));
    m_browse->setIcon(icon(QStringLiteral("search")));
    for (QPushButton* button : {m_open, m_browse}) button->setAutoDefault(false); // Enter chooses a model
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_browse);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_filter);
    layout->addWidget(m_empty);
    layout->addWidget(m_table, 1);
    layout->addLayout(buttons);
    layout->addStretch(0);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_model->setFilter(words);
        m_table->setCurrentIndex(m_model->index(0, 0));
        updateEmpty();
    });
    connect(m_filter, &QLineEdit::returnPressed, this, &ModelList::chooseCurrent);
    connect(m_table, &QTableView::clicked, this, &ModelList::chooseCurrent);
    connect(m_table, &QTableView::activated, this, &ModelList::chooseCurrent);
    connect(m_open, &QPushButton::clicked, this, &ModelList::openFileWanted);
    connect(m_browse, &QPushButton::clicked, this, &ModelList::browseWanted);
    keepTranslated(this, [this] { retranslate(); });
}

void ModelList::setModels(const QList<LocalModel>& models, const QStringList& recent, const QStringList& open, bool isKnown) {
    m_isKnown = isKnown;
    m_model->setModels(models, recent, open);
    if (!m_table->currentIndex().isValid()) m_table->setCurrentIndex(m_model->index(0, 0));
    fitColumns();
    updateEmpty();
}

void ModelList::setCanBrowse(bool can) { m_browse->setVisible(can); }

void ModelList::begin() {
    m_filter->clear();
    m_table->setCurrentIndex(m_model->index(0, 0));
    m_table->scrollToTop();
    m_filter->setFocus(Qt::ShortcutFocusReason);
}

// A double click chooses once: after the first the list may be gone.
void ModelList::chooseCurrent() {
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() && isVisible()) emit chosen(current.data(ModelChoices::PathRole).toString());
}

// The names get what the others leave.
void ModelList::fitColumns() {
    int others = 0;
    for (const int column : {ModelChoices::Type, ModelChoices::Size, ModelChoices::Fits}) {
        m_table->resizeColumnToContents(column);
        m_table->setColumnWidth(column, m_table->columnWidth(column) + headerSpace);
        others += m_table->columnWidth(column);
    }
    m_table->setColumnWidth(ModelChoices::Name, std::max(120, m_table->viewport()->width() - others));
}

bool ModelList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) fitColumns();
    return QWidget::eventFilter(watched, event);
}

void ModelList::updateEmpty() {
    const bool isEmpty = m_model->rowCount() == 0;
    m_table->setVisible(!isEmpty);
    m_filter->setVisible(!isEmpty || !m_filter->text().isEmpty());
    m_empty->setVisible(isEmpty);
    m_empty->setText(!m_filter->text().isEmpty() ? tr("No matches.")
                     : m_isKnown                 ? tr("No GGUF models on this computer yet.")
                                                 : tr("Looking for models on this computer…"));
}

void ModelList::retranslate() {
    m_filter->setPlaceholderText(tr("Filter models"));
    m_filter->setAccessibleName(tr("Filter models"));
    m_table->setAccessibleName(tr("Models on this computer"));
    m_open->setText(tr("Open file…"));
    m_browse->setText(tr("Find models to download"));
    m_model->retranslate();
    fitColumns();
    updateEmpty();
}

} // namespace wb::ui::chat
