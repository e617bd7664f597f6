// SPDX-License-Identifier: MIT
#include "ui/library/library_tab.h"

#include "ui/library/details.h"
#include "ui/library/library_model.h"
#include "ui/library/store_bar.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

using namespace library;

LibraryTab::LibraryTab(const Services& services, QWidget* parent)
    : Tab(parent), m_services(services), m_session(new LibrarySession(services, this)), m_model(new LibraryModel(this)),
      m_proxy(new LibraryProxy(m_model, this)), m_folders(new QMenu(this)), m_filter(new QLineEdit(this)),
      m_bar(new MessageBar(this)), m_summary(makeMutedLabel(this)), m_empty(makeMutedLabel(this)), m_waysOut(new QWidget(this)),
      m_disk(new StoreBar(this)), m_stack(new QStackedWidget(this)) {
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    layout->addWidget(m_bar);
    layout->addWidget(m_disk);
    m_stack->addWidget(makeEmptyPage());
    m_stack->addWidget(makeBody());
    layout->addWidget(m_stack, 1);
    m_bar->hide();
    connectSession();
    keepTranslated(this, [this] { retranslate(); });
}

LibraryTab::~LibraryTab() = default;

QString LibraryTab::title() const { return tr("Library"); }

QIcon LibraryTab::icon() const { return ui::icon(QStringLiteral("library")); }

void LibraryTab::makeActions() {
    m_inspect = tabAction(this, "inspect", QKeySequence(Qt::CTRL | Qt::Key_Return));
    m_compare = tabAction(this, "copy", QKeySequence(Qt::CTRL | Qt::Key_D));
    m_convert = tabAction(this, "convert", {});
    m_chat = tabAction(this, "chat", {});
    m_memory = tabAction(this, "memory", {});
    m_reveal = tabAction(this, "folder", QKeySequence(Qt::CTRL | Qt::Key_E));
    m_verify = tabAction(this, "check", {});
    m_remove = tabAction(this, "trash", QKeySequence(Qt::Key_Delete));
    m_add = tabAction(this, "folder", {});
    m_rescan = tabAction(this, "refresh", QKeySequence(Qt::Key_F5));
    m_duplicates = tabAction(this, "copy", {});
    m_find = tabAction(this, "search", QKeySequence(QKeySequence::Find));
    addActions(
        {m_inspect, m_compare, m_convert, m_chat, m_memory, m_reveal, m_verify, m_remove, m_add, m_rescan, m_duplicates, m_find});
    connect(m_inspect, &QAction::triggered, this, [this] { handOver("inspect"); });
    connect(m_compare, &QAction::triggered, this, [this] {
        QStringList paths;
        for (const auto* entry : chosen()) paths << qtPath(entry->path);
        if (paths.size() == 2) emit comparisonWanted(paths);
    });
    connect(m_convert, &QAction::triggered, this, [this] { handOver("convert"); });
    connect(m_chat, &QAction::triggered, this, [this] { handOver("chat"); });
    connect(m_memory, &QAction::triggered, this, [this] { handOver("memory"); });
    connect(m_reveal, &QAction::triggered, this, &LibraryTab::reveal);
    connect(m_verify, &QAction::triggered, this, [this] { m_session->verify(chosenIds()); });
    connect(m_remove, &QAction::triggered, this, [this] {
        m_removed = entryNames(chosen());
        m_session->planRemoval(chosenIds());
    });
    connect(m_add, &QAction::triggered, this, &LibraryTab::askForFolder);
    connect(m_rescan, &QAction::triggered, m_session, &LibrarySession::scan);
    connect(m_duplicates, &QAction::triggered, m_session, &LibrarySession::findDuplicates);
    connect(m_find, &QAction::triggered, this, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
}

// Where no model was found: what to do about it.
QWidget* LibraryTab::makeEmptyPage() {
    auto* page = new QWidget(this);
    m_empty->setAlignment(Qt::AlignCenter);
    auto* add = new QPushButton(m_waysOut);
    auto* browse = new QPushButton(m_waysOut);
    browse->setObjectName(QStringLiteral("browseModels"));
    browse->setVisible(m_services.hubs != nullptr);
    connect(add, &QPushButton::clicked, m_add, &QAction::trigger);
    connect(browse, &QPushButton::clicked, this, [this] { emit handOverWanted(QStringLiteral("browse"), {}); });
    keepTranslated(page, [add, browse] {
        add->setText(tr("Add folder…"));
        browse->setText(tr("Browse models"));
    });
    auto* row = new QHBoxLayout(m_waysOut);
    row->addStretch(1);
    row->addWidget(add);
    row->addWidget(browse);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->addStretch(1);
    layout->addWidget(m_empty);
    layout->addWidget(m_waysOut);
    layout->addStretch(1);
    return page;
}

QWidget* LibraryTab::makeTop() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_filter->setObjectName(QStringLiteral("libraryFilter"));
    m_filter->setClearButtonEnabled(true);
    m_summary->setWordWrap(false);
    layout->addWidget(m_filter, 1);
    layout->addWidget(m_summary);
    m_foldersButton = new QToolButton(row);
    m_foldersButton->setObjectName(QStringLiteral("libraryFolders"));
    m_foldersButton->setMenu(m_folders);
    m_foldersButton->setPopupMode(QToolButton::InstantPopup);
    m_foldersButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(m_foldersButton);
    auto* rescan = new QToolButton(row);
    rescan->setDefaultAction(m_rescan);
    layout->addWidget(rescan);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_proxy->setFilter(words);
        updateSummary();
    });
    connect(m_folders, &QMenu::aboutToShow, this, &LibraryTab::fillFolderMenu);
    return row;
}

QWidget* LibraryTab::makeBody() {
    auto* splitter = new QSplitter(Qt::Horizontal, m_stack);
    m_table = new QTableView(splitter);
    m_table->setModel(m_proxy);
    setUpTable(m_table, m_table->fontMetrics().height() + 10);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LibraryModel::Name, Qt::AscendingOrder);
    m_table->horizontalHeader()->setMinimumSectionSize(60);
    m_table->setTextElideMode(Qt::ElideMiddle); // names of a repository's files differ at their ends
    m_table->viewport()->installEventFilter(this);
    m_table->addActions({m_inspect, m_compare, m_convert, m_chat, m_memory, m_reveal, m_verify, m_remove});
    showActionsOnRightClick(m_table);
    auto* side = new QWidget(splitter);
    auto* sideLayout = new QVBoxLayout(side);
    sideLayout->setContentsMargins(0, 0, 0, 0);
    m_details = new Details(side);
    sideLayout->addWidget(m_details, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(12, 0, 0, 0);
    for (QAction* action : {m_inspect, m_compare, m_convert, m_chat, m_memory, m_reveal, m_verify, m_remove}) {
        auto* button = new QToolButton(side);
        button->setDefaultAction(action);
        if (action == m_inspect) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    sideLayout->addLayout(buttons);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({800, 360});
    splitter->setChildrenCollapsible(false);
    connect(m_table, &QTableView::activated, m_inspect, &QAction::trigger);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LibraryTab::updateActions);
    return splitter;
}

void LibraryTab::connectSession() {
    connect(m_session, &LibrarySession::changed, this, &LibraryTab::refresh);
    connect(m_session, &LibrarySession::checksChanged, m_model, [this] { m_model->setChecks(m_session->checks()); });
    connect(m_session, &LibrarySession::removalPlanned, this, &LibraryTab::askForRemoval);
    connect(m_session, &LibrarySession::verified, this, &LibraryTab::reportVerified);
    connect(m_session, &LibrarySession::failed, this, [this](const Error& error) { m_bar->showMessage(error); });
}

void LibraryTab::showEvent(QShowEvent* event) {
    Tab::showEvent(event);
    if (!m_session->wasScanned() && !m_session->isScanning()) m_session->scan();
}

bool LibraryTab::takeDrop(const QStringList& paths) {
    bool isTaken = false;
    for (const QString& path : paths) {
        if (!QFileInfo(path).isDir()) continue;
        m_session->addFolder(path);
        isTaken = true;
    }
    return isTaken;
}

QList<const wb::library::Entry*> LibraryTab::chosen() const {
    QList<const wb::library::Entry*> entries;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows)
        if (const auto* entry = m_model->entry(m_proxy->mapToSource(row).row())) entries << entry;
    return entries;
}

QStringList LibraryTab::chosenIds() const {
    QStringList ids;
    for (const auto* entry : chosen()) ids << text(entry->id);
    return ids;
}

void LibraryTab::choose(const QString& id) {
    m_wanted = id;
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const QModelIndex index = m_proxy->index(row, 0);
        if (text(m_model->entry(m_proxy->mapToSource(index).row())->id) != id) continue;
        m_table->selectRow(row);
        m_table->scrollTo(index);
        m_wanted.clear();
        return;
    }
}

void LibraryTab::handOver(const char* tabId) {
    QStringList paths;
    for (const auto* entry : chosen()) paths << qtPath(entry->path);
    if (!paths.isEmpty()) emit handOverWanted(QLatin1String(tabId), paths);
}

void LibraryTab::reveal() {
    for (const auto* entry : chosen()) QDesktopServices::openUrl(QUrl::fromLocalFile(qtPath(entry->path.parent_path())));
}

void LibraryTab::askForFolder() {
    const QString folder = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Add a models folder"), m_services.folderToOpenFrom());
    });
    if (!folder.isEmpty()) m_session->addFolder(folder);
}

// "llama3.2:3b, which Ollama can no longer use": the model, and the program that loses it.
QStringList LibraryTab::entryNames(const QList<const wb::library::Entry*>& entries) const {
    QStringList names;
    for (const auto* entry : entries) {
        const auto kind = m_session->listing()->stores[entry->store].store.kind;
        const QString owner = QString::fromLatin1(wb::library::ownerName(kind));
        names << (owner.isEmpty() ? text(entry->name) : tr("%1, which %2 can no longer use").arg(text(entry->name), owner));
    }
    return names;
}

void LibraryTab::askForRemoval(const wb::library::RemovalPlan& plan) {
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("Move to trash?"), m_removed.join(u'\n'), QMessageBox::NoButton, window());
    box->setTextFormat(Qt::PlainText); // names of models may look like markup
    box->setInformativeText(tr("%n file(s) are moved to the trash. Emptying it frees %1.", nullptr,
                               static_cast<int>(plan.trash.size() + plan.unlink.size()))
                                .arg(fileSizeText(plan.frees)));
    box->setObjectName(QStringLiteral("removeModels"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QStringList lines;
    for (const auto* paths : {&plan.trash, &plan.unlink})
        for (const auto& path : *paths) lines << shortPath(qtPath(path));
    for (const auto& kept : plan.kept) lines << translated(kept.why);
    box->setDetailedText(lines.join(u'\n'));
    const QPushButton* go = box->addButton(tr("Move to trash"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(go, &QPushButton::clicked, this, [this, plan] { m_session->remove(plan); });
    box->open();
}

void LibraryTab::reportVerified(const Verified& files) {
    int good = 0, bad = 0;
    QString firstBad;
    for (const auto& file : files) {
        if (file.isGood == true) ++good;
        if (file.isGood != false) continue;
        ++bad;
        if (firstBad.isEmpty()) firstBad = text(file.name);
    }
    m_details->setVerified(files);
    if (bad > 0)
        m_bar->showMessage(tr("%n file(s) are corrupted, starting with %1. Download them again.", nullptr, bad).arg(firstBad));
    else if (good > 0) emit message(tr("%n file(s) match their recorded hashes.", nullptr, good), false);
    else emit message(tr("No recorded hash to compare with; the computed hashes are shown."), false);
}

void LibraryTab::fillFolderMenu() {
    m_folders->clear(); // of its actions; menus are children
    for (QMenu* const menu : m_folders->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) menu->deleteLater();
    m_folders->addAction(m_add);
    m_folders->addAction(m_duplicates);
    m_folders->addSeparator();
    const ListingPtr listing = m_session->listing();
    if (!listing) return;
    for (const auto& store : listing->stores) {
        const QString path = qtPath(store.store.path);
        QString title = QStringLiteral("%1 — %2").arg(storeText(store.store), fileSizeText(store.bytes));
        title.replace(u'&', QStringLiteral("&&"));
        QMenu* menu = m_folders->addMenu(title);
        menu->addAction(tr("Show in file manager"), this, [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });
        if (store.store.isChosen)
            menu->addAction(tr("Remove folder from library"), this, [this, path] { m_session->removeFolder(path); });
        for (const auto& problem : store.problems)
            menu->addAction(translated(asError(ErrorCode::Invalid, problem)))->setEnabled(false);
    }
}

void LibraryTab::refresh() {
    const QStringList ids = chosenIds();
    const ListingPtr listing = m_session->listing();
    if (!m_session->isScanning()) {
        m_details->show(listing, nullptr); // before the entries it shows are gone
        m_model->setListing(listing);
        m_disk->setListing(listing);
        m_table->resizeColumnsToContents();
        fitNames();
        const QString wanted = m_wanted.isEmpty() ? ids.value(0) : m_wanted;
        if (!wanted.isEmpty()) choose(wanted);
    }
    const bool hasModels = listing && !listing->entries.empty();
    m_empty->setText(m_session->isScanning() && !hasModels
                         ? tr("Scanning for models…")
                         : tr("No models found in the folders of Weighbridge, Hugging Face, ModelScope, Ollama, LM Studio, Jan and "
                              "llama.cpp. Add a folder that contains models."));
    m_waysOut->setHidden(m_session->isScanning());
    m_stack->setCurrentIndex(hasModels ? 1 : 0);
    updateSummary();
    updateActions();
}

// As much as leaves space for the columns that tell whether it runs here; the columns after them are scrolled to.
void LibraryTab::fitNames() {
    int others = 0;
    for (int column = LibraryModel::Family; column <= LibraryModel::Fits; ++column) others += m_table->columnWidth(column);
    const int least = m_table->fontMetrics().averageCharWidth() * 34;
    m_table->setColumnWidth(LibraryModel::Name, std::max(least, m_table->viewport()->width() - others));
}

bool LibraryTab::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) fitNames();
    return Tab::eventFilter(watched, event);
}

void LibraryTab::updateSummary() {
    const ListingPtr listing = m_session->listing();
    if (!listing) {
        m_summary->clear();
        return;
    }
    const int shown = m_proxy->rowCount();
    const QString count = shown == m_model->rowCount() ? tr("%n model(s)", nullptr, shown)
                                                       : tr("%1 of %n model(s)", nullptr, m_model->rowCount()).arg(shown);
    m_summary->setText(tr("%1, %2 on disk").arg(count, fileSizeText(listing->bytesOnDisk)));
}

void LibraryTab::updateActions() {
    const auto entries = chosen();
    m_details->show(m_session->listing(), entries.size() == 1 ? entries.first() : nullptr);
    for (QAction* action : {m_inspect, m_reveal, m_verify, m_remove}) action->setEnabled(!entries.isEmpty());
    for (QAction* action : {m_convert, m_memory}) action->setEnabled(entries.size() == 1);
    m_compare->setEnabled(entries.size() == 2);
    m_chat->setEnabled(entries.size() == 1 && entries.first()->facts.format == FormatId::Gguf);
    m_duplicates->setEnabled(m_session->wasScanned());
}

QList<QAction*> LibraryTab::paletteActions(const QString& wanted, int limit) {
    QList<QAction*> found;
    for (QAction* action : actions())
        if (found.size() < limit && action->isEnabled() && action->text().contains(wanted, Qt::CaseInsensitive)) found << action;
    return found;
}

QJsonObject LibraryTab::saveSession() const { return {{QStringLiteral("filter"), m_filter->text()}}; }

void LibraryTab::restoreSession(const QJsonObject& session) {
    m_filter->setText(session.value(QStringLiteral("filter")).toString());
}

void LibraryTab::retranslate() {
    m_inspect->setText(tr("Open in Inspect"));
    m_compare->setText(tr("Compare two selected models"));
    m_convert->setText(tr("Open in Convert"));
    m_chat->setText(tr("Chat with this model"));
    m_memory->setText(tr("Show memory requirements"));
    m_reveal->setText(tr("Show in file manager"));
    m_verify->setText(tr("Verify files"));
    m_remove->setText(tr("Move to trash…"));
    m_add->setText(tr("Add folder…"));
    m_rescan->setText(tr("Refresh"));
    m_duplicates->setText(tr("Find duplicates"));
    m_find->setText(tr("Filter models"));
    m_foldersButton->setIcon(ui::icon(QStringLiteral("folder")));
    m_foldersButton->setText(tr("Folders"));
    m_foldersButton->setToolTip(tr("Model folders"));
    m_filter->setPlaceholderText(tr("Name, architecture, type or location"));
    m_filter->setAccessibleName(tr("Filter models"));
    m_table->setAccessibleName(tr("Models on this computer"));
    m_model->retranslate();
    refresh();
}

} // namespace wb::ui
