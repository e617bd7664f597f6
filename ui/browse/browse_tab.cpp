// SPDX-License-Identifier: MIT
#include "ui/browse/browse_tab.h"

#include "core/hub/answers.h"
#include "ui/browse/downloads_work.h"
#include "ui/browse/page_view.h"
#include "ui/browse/results_model.h"
#include "ui/browse/tokens_dialog.h"
#include "ui/widgets/box_name.h"
#include "ui/shell/services/local_models.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QComboBox>
#include <QDateTime>
#include <QDesktopServices>
#include <QEvent>
#include <QHeaderView>
#include <QJsonObject>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui {

using namespace browse;
using namespace wb::hub;

namespace {

struct SizeRange {
    std::uint64_t min, max; // 0: no bound
};
constexpr int ggufOnly = 1; // in the list of formats
constexpr std::uint64_t billion = 1'000'000'000;
constexpr SizeRange sizeRanges[] = {
    {0, 0}, {0, 4 * billion}, {4 * billion, 10 * billion}, {10 * billion, 40 * billion}, {40 * billion, 0}};

// As both hubs name them.
constexpr const char* tasks[] = {"",
                                 "text-generation",
                                 "image-text-to-text",
                                 "feature-extraction",
                                 "text-to-image",
                                 "text-classification",
                                 "automatic-speech-recognition",
                                 "text-to-speech"};

// Of a whole repository, in bytes.
constexpr SizeRange diskRanges[] = {
    {0, 0}, {0, 2 * billion}, {2 * billion, 8 * billion}, {8 * billion, 30 * billion}, {30 * billion, 0}};

constexpr int capabilities = static_cast<int>(Capability::Embedding) + 1; // in the order of the enum

// Days since the last change; 0: any.
constexpr int ages[] = {0, 7, 30, 183, 365};

// The first of each list is "any"; the hubs' own words follow, which are shown as they are.
constexpr const char* licences[] = {"",     "apache-2.0", "mit",          "llama3.1",  "llama3.2",     "llama3.3", "gemma",
                                    "qwen", "openrail",   "bsd-3-clause", "cc-by-4.0", "cc-by-nc-4.0", "gpl-3.0",  "other"};
constexpr const char* languages[] = {"", "zh", "en", "ja", "ko", "fr", "de", "es", "pt", "it", "ru", "ar", "hi", "vi", "th"};
constexpr const char* libraries[] = {"",     "transformers", "diffusers", "sentence-transformers", "peft", "mlx", "onnx",
                                     "timm", "keras",        "pytorch"};

constexpr const char* quants[] = {"",     "Q8_0",   "Q6_K",   "Q5_K_M", "Q5_K_S", "Q4_K_M", "Q4_K_S",
                                  "Q4_0", "IQ4_XS", "IQ4_NL", "Q3_K_L", "Q3_K_M", "Q3_K_S", "IQ3_XXS",
                                  "Q2_K", "IQ2_M",  "BF16",   "F16",    "AWQ",    "GPTQ",   "FP8"};

template <std::size_t N>
QStringList choiceNames(const char* const (&words)[N], const QString& any) {
    QStringList names = {any};
    for (const char* word : std::span(words).subspan(1)) names << QLatin1String(word);
    return names;
}

template <std::size_t N>
const char* chosen(const char* const (&words)[N], const QComboBox* box) {
    return words[std::clamp(box->currentIndex(), 0, static_cast<int>(N) - 1)];
}

template <std::size_t N>
const SizeRange& chosen(const SizeRange (&ranges)[N], const QComboBox* box) {
    return ranges[std::clamp(box->currentIndex(), 0, static_cast<int>(N) - 1)];
}

// "zh" as "中文 (zh)": what a speaker of it looks for.
QStringList languageNames(const QString& any) {
    QStringList names = {any};
    for (const char* code : std::span(languages).subspan(1)) {
        const QString name = QLocale(QLatin1String(code)).nativeLanguageName();
        names << (name.isEmpty() ? QLatin1String(code) : QStringLiteral("%1 (%2)").arg(name, QLatin1String(code)));
    }
    return names;
}

void setTexts(QComboBox* box, const QStringList& texts, const QString& name) {
    const int current = std::max(box->currentIndex(), 0);
    const QSignalBlocker quiet(box);
    box->clear();
    box->addItems(texts);
    box->setCurrentIndex(current);
    nameBox(box, name);
    box->setToolTip(name);
}

// Tokens that were given in the window come before those of the environment.
HubNetwork withBox(HubNetwork network, const std::shared_ptr<TokenBox>& box) {
    network.settings = [settings = network.settings, box]() -> Result<wb::hub::Settings> {
        WB_TRY_ASSIGN(wb::hub::Settings known, settings());
        box->apply(known);
        return known;
    };
    return network;
}

} // namespace

BrowseTab::BrowseTab(const Services& services, QWidget* parent)
    : Tab(parent), m_local(services.localModels), m_network(withBox(*services.hubs, m_box)), m_known(services.jobs),
      m_session(new BrowseSession(services, m_network, this)), m_downloads(new Downloads(services, m_network, this)),
      m_work(new DownloadsWork(*m_downloads, this)), m_model(new ResultsModel(*m_session, m_local, this)),
      m_find(tabAction(this, "search", QKeySequence(QKeySequence::Find))), m_text(new QLineEdit(this)), m_bar(new MessageBar(this)),
      m_count(makeMutedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    layout->addWidget(makeFilters());
    layout->addWidget(m_bar);
    layout->addWidget(makeBody(), 1);
    m_bar->hide();
    addAction(m_find);
    connect(m_find, &QAction::triggered, this, [this] {
        m_text->setFocus(Qt::ShortcutFocusReason);
        m_text->selectAll();
    });
    connectSession();
    connectDownloads();
    keepTranslated(this, [this] { retranslate(); });
}

BrowseTab::~BrowseTab() = default;

QString BrowseTab::title() const { return tr("Browse"); }

QIcon BrowseTab::icon() const { return ui::icon(QStringLiteral("browse")); }

QComboBox* BrowseTab::addBox(const char* name) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    connect(box, &QComboBox::currentIndexChanged, this, [this] { ask(false); });
    return box;
}

QWidget* BrowseTab::makeTop() {
    auto* row = new QWidget(this);
    auto* rows = new QVBoxLayout(row);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QHBoxLayout;
    auto* choices = new QHBoxLayout;
    rows->addLayout(layout);
    rows->addLayout(choices);
    m_text->setObjectName(QStringLiteral("browseText"));
    m_text->setClearButtonEnabled(true);
    layout->addWidget(m_text, 1);
    m_hub = addBox("browseHub");
    m_format = addBox("browseFormat");
    m_size = addBox("browseSize");
    m_task = addBox("browseTask");
    m_sort = addBox("browseSort");
    for (QComboBox* box : {m_hub, m_format, m_size, m_task, m_sort}) choices->addWidget(box);
    choices->addStretch(1);
    m_task->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // its longest name is rare
    m_task->setMinimumContentsLength(12);
    m_more = new QToolButton(row);
    m_more->setObjectName(QStringLiteral("browseMore"));
    m_more->setCheckable(true);
    choices->addWidget(m_more);
    m_searches = new SavedSearches(row);
    m_searchesButton = new QToolButton(row);
    m_searchesButton->setObjectName(QStringLiteral("browseSearches"));
    m_searchesButton->setMenu(m_searches);
    m_searchesButton->setPopupMode(QToolButton::InstantPopup);
    layout->addWidget(m_searchesButton);
    connect(m_searches, &SavedSearches::keepWanted, this, [this] { m_searches->keep(searchName(), currentSearch()); });
    connect(m_searches, &SavedSearches::chosen, this, [this](const QJsonObject& search) {
        useSearch(search);
        ask(false);
    });
    m_tokens = new QAction(this);
    m_tokens->setObjectName(QStringLiteral("browseTokens"));
    auto* tokens = new QToolButton(row);
    tokens->setDefaultAction(m_tokens);
    layout->addWidget(tokens);
    connect(m_tokens, &QAction::triggered, this, &BrowseTab::askForTokens);
    connect(m_text, &QLineEdit::textChanged, this, [this] { ask(true); });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { ask(false); });
    return row;
}

QWidget* BrowseTab::makeFilters() {
    m_filters = new QWidget(this);
    auto* rows = new QVBoxLayout(m_filters);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QHBoxLayout;
    auto* second = new QHBoxLayout;
    rows->addLayout(layout);
    rows->addLayout(second);
    m_author = new QLineEdit(m_filters);
    m_author->setObjectName(QStringLiteral("browseAuthor"));
    m_author->setClearButtonEnabled(true);
    layout->addWidget(m_author, 1);
    m_licence = addBox("browseLicence");
    m_gate = addBox("browseGate");
    m_language = addBox("browseLanguage");
    m_library = addBox("browseLibrary");
    m_quant = addBox("browseQuant");
    m_capability = addBox("browseCapability");
    m_disk = addBox("browseDisk");
    m_since = addBox("browseSince");
    for (QComboBox* box : {m_quant, m_capability, m_licence, m_gate}) layout->addWidget(box);
    for (QComboBox* box : {m_language, m_library, m_disk, m_since}) second->addWidget(box, 1);
    connect(m_author, &QLineEdit::textChanged, this, [this] { ask(true); });
    connect(m_author, &QLineEdit::returnPressed, this, [this] { ask(false); });
    connect(m_more, &QToolButton::toggled, m_filters, &QWidget::setVisible);
    m_filters->hide();
    return m_filters;
}

QWidget* BrowseTab::makeResults() {
    auto* results = new QWidget(this);
    auto* layout = new QVBoxLayout(results);
    layout->setContentsMargins(0, 0, 0, 0);
    m_table = new QTableView(results);
    m_table->setModel(m_model);
    setUpTable(m_table, m_table->fontMetrics().height() + 10);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setMinimumSectionSize(60);
    m_table->viewport()->installEventFilter(this);
    layout->addWidget(m_table, 1);
    m_showJobs = new QPushButton(ui::icon(QStringLiteral("jobs")), {}, results);
    m_showJobs->setObjectName(QStringLiteral("showDownloads"));
    m_showJobs->setFlat(true);
    auto* line = new QHBoxLayout;
    line->addWidget(m_count, 1);
    line->addWidget(m_showJobs);
    layout->addLayout(line);
    m_hint = makeMutedLabel(results);
    m_hint->setObjectName(QStringLiteral("browseHint"));
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BrowseTab::openCurrent);
    return results;
}

QWidget* BrowseTab::makeBody() {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(makeResults());
    m_page = new PageView(splitter);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({700, 470});
    splitter->setChildrenCollapsible(false);
    return splitter;
}

WorkSource* BrowseTab::workSource() { return m_work; }

void BrowseTab::showDownloads() {
    int open = 0;
    for (int row = 0; row < m_downloads->rowCount(); ++row) {
        const auto* queued = m_downloads->row(row).queued;
        open += !queued || queued->state != QueuedDownload::State::Done;
    }
    m_showJobs->setVisible(open > 0);
    m_showJobs->setText(tr("Show %n download(s) in Jobs", nullptr, open));
}

void BrowseTab::connectDownloads() {
    connect(m_downloads, &Downloads::changed, this, &BrowseTab::showDownloads);
    connect(m_showJobs, &QPushButton::clicked, this, &Tab::jobsWanted);
    connect(m_downloads, &Downloads::failed, this, &BrowseTab::showFailure);
    connect(m_bar, &MessageBar::actionChosen, this, [this] { QDesktopServices::openUrl(m_termsPage); });
    connect(m_downloads, &Downloads::downloaded, this, [this](const QString& folder) {
        if (m_page->page()) m_session->findPresent(*m_page->page());
        emit message(tr("Downloaded to %1.").arg(shortPath(folder)), false);
        emit downloaded(folder);
    });
    connect(m_work, &DownloadsWork::pageWanted, this, [this](const Repository& repository) {
        emit handOverWanted(id(), {});
        m_page->showHint(tr("Opening %1…").arg(text(repository.name)));
        m_session->openPage(repository);
    });
    connect(m_page, &PageView::downloadWanted, this, [this](const QStringList& files) {
        if (m_page->page()) m_downloads->addIfSpace(m_session->queuedDownload(*m_page->page(), files), m_page->page()->files);
    });
    connect(m_downloads, &Downloads::isTight, this, &BrowseTab::askAboutSpace);
}

// Where the terms of a model are in the way, one press leads to them.
void BrowseTab::showFailure(const Error& error) {
    const bool hasTerms = error.reason == gatedModel && error.arguments.size() > 1;
    m_termsPage = hasTerms ? QUrl(text(error.arguments[1]), QUrl::StrictMode) : QUrl();
    m_bar->showMessage(error, hasTerms ? tr("Open model page") : QString());
}

// A system whose disk is all but full works badly, which is for its user to weigh.
void BrowseTab::askAboutSpace(const QueuedDownload& download, const Error& warning) {
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("Low disk space"),
                        translated(warning) + QStringLiteral("\n\n") + tr("Download anyway?"), QMessageBox::NoButton, window());
    box->setObjectName(QStringLiteral("tightDisk"));
    box->setTextFormat(Qt::PlainText); // names of repositories may look like markup
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* go = box->addButton(tr("Download"), QMessageBox::AcceptRole);
    box->setDefaultButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole));
    connect(go, &QPushButton::clicked, this, [this, download] { m_downloads->add(download); });
    box->open();
}

// Requested when the tab is first shown: a keychain may ask the user for its password.
void BrowseTab::readTokens() {
    if (!m_network.tokens) return;
    for (const Hub hub : allHubs)
        m_network.tokens->read(hub, [tab = QPointer(this), hub](const std::string& token) {
            if (tab && isToken(token) && tab->m_box->get(hub).token.empty())
                tab->m_box->set(hub, {token, tab->m_box->get(hub).consent});
        });
}

void BrowseTab::askForTokens() {
    m_known.start<wb::hub::Settings>(
        tr("Loading hub settings"), [settings = m_network.settings](const Progress&) { return settings(); },
        [this](const wb::hub::Settings& known) {
            auto* dialog = new TokensDialog(known, *m_box, window());
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(dialog, &QDialog::accepted, this, [this, dialog] { takeTokens(*dialog); });
            dialog->open();
        },
        [this](const Error& error) { m_bar->showMessage(error); });
}

void BrowseTab::takeTokens(const TokensDialog& dialog) {
    for (const Hub hub : allHubs) {
        const TokenBox::Given given = dialog.given(hub);
        const bool isNew = given.token != m_box->get(hub).token;
        m_box->set(hub, given);
        const auto notKept = [tab = QPointer(this)](bool isKept) {
            if (tab && !isKept)
                tab->m_bar->showMessage(tr("No system keychain is available; the token is kept only until you close the window."));
        };
        if (isNew && m_network.tokens) m_network.tokens->write(hub, given.token, notKept);
        else if (isNew) notKept(given.token.empty());
    }
    ask(false);
}

void BrowseTab::connectSession() {
    connect(m_session, &BrowseSession::askingChanged, this, &BrowseTab::refresh);
    connect(m_session, &BrowseSession::cleared, this, [this] {
        m_bar->hide();
        m_isTroubled = m_showsOld = false;
    });
    connect(m_session, &BrowseSession::troubled, this, [this](const Error& error) {
        m_isTroubled = true;
        m_bar->showMessage(error);
    });
    connect(m_session, &BrowseSession::showsOldRows, this, [this] { m_showsOld = true; });
    connect(m_session, &BrowseSession::pageOpened, this, [this](const ShownPage& page) { m_page->showPage(page); });
    connect(m_session, &BrowseSession::pageFailed, this, [this](const Error& error) { m_page->showHint(translated(error)); });
    connect(m_session, &BrowseSession::twinFound, m_page, &PageView::setTwin);
    connect(m_session, &BrowseSession::memoryCounted, m_page, &PageView::showFit);
    connect(m_session, &BrowseSession::memoriesKnown, this, [this] { m_page->setMemories(m_session->memories()); });
    connect(m_session, &BrowseSession::presenceKnown, this, [this](const Repository& of, const std::set<std::string>& files) {
        m_page->setPresent(of, m_session->repositoryFolder(of), files);
    });
    connect(m_page, &PageView::chatWanted, this,
            [this](const QString& path) { emit handOverWanted(QStringLiteral("chat"), {path}); });
    connect(m_page, &PageView::inspectWanted, this,
            [this](const QString& id) { emit handOverWanted(QStringLiteral("inspect"), {id}); });
    connect(m_page, &PageView::fitWanted, this, [this](const std::vector<std::size_t>& files) {
        if (m_page->page()) m_session->countMemory(*m_page->page(), files);
    });
    connect(m_page, &PageView::memoryWanted, this,
            [this](const QString& id) { emit handOverWanted(QStringLiteral("memory"), {id}); });
}

void BrowseTab::showEvent(QShowEvent* event) {
    Tab::showEvent(event);
    if (m_local) m_local->request(); // to mark what is here
    if (std::exchange(m_wasSeen, true)) return;
    readTokens();
    m_downloads->load();
    ask(false);
}

// The keychain may request a password, so it is opened only if a download needs the network.
void BrowseTab::resumeDownloads() {
    connect(m_downloads, &Downloads::aboutToResume, this, [this] {
        if (!m_wasSeen) readTokens();
    });
    m_downloads->load();
}

Question BrowseTab::question() const {
    Question question;
    question.request.text = m_text->text().trimmed().toStdString();
    question.asksHuggingFace = m_hub->currentIndex() != 2;
    question.asksModelScope = m_hub->currentIndex() != 1;
    if (m_format->currentIndex() == ggufOnly) question.request.filters = {"gguf"};
    if (m_format->currentIndex() == 2) question.request.filters = {"safetensors"};
    if (const char* library = chosen(libraries, m_library); *library != 0) question.request.filters.emplace_back(library);
    question.request.author = m_author->text().trimmed().toStdString();
    question.request.licence = chosen(licences, m_licence);
    question.request.language = chosen(languages, m_language);
    if (m_gate->currentIndex() > 0) question.request.isGated = m_gate->currentIndex() == 2;
    const SizeRange &range = chosen(sizeRanges, m_size), &disk = chosen(diskRanges, m_disk);
    question.request.minParameters = range.min;
    question.request.maxParameters = range.max;
    question.request.minBytes = disk.min;
    question.request.maxBytes = disk.max;
    if (const int days = ages[std::clamp(m_since->currentIndex(), 0, static_cast<int>(std::size(ages)) - 1)]; days > 0)
        question.request.updatedSince = QDateTime::fromSecsSinceEpoch(m_network.clock->unixNow(), Qt::UTC)
                                            .date()
                                            .addDays(-days)
                                            .toString(Qt::ISODate)
                                            .toStdString();
    question.request.task = chosen(tasks, m_task);
    question.request.quant = chosen(quants, m_quant);
    question.request.capability = static_cast<Capability>(std::clamp(m_capability->currentIndex(), 0, capabilities - 1));
    constexpr SortBy orders[] = {SortBy::Downloads, SortBy::Likes, SortBy::Updated, SortBy::Trending};
    question.request.sort = orders[std::clamp(m_sort->currentIndex(), 0, 3)];
    return question;
}

void BrowseTab::ask(bool isTyping) {
    if (!m_wasSeen) return;
    if (isTyping) m_session->ask(question());
    else m_session->askNow(question());
}

void BrowseTab::openCurrent() {
    const ModelRow* row = m_model->row(m_table->currentIndex().row());
    if (!row) return;
    m_page->showHint(tr("Opening %1…").arg(text(row->id)));
    Repository repository;
    repository.hub = row->hub;
    repository.name = row->id;
    m_session->openPage(repository);
}

bool BrowseTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1 || !isRemoteId(paths.first().toStdString())) return false;
    const auto id = parseRemoteId(paths.first().toStdString());
    if (!id) return false;
    m_page->showHint(tr("Opening %1…").arg(paths.first()));
    m_session->openPage(id->repository);
    return true;
}

QList<QAction*> BrowseTab::paletteActions(const QString& wanted, int limit) {
    QList<QAction*> found;
    for (QAction* action : {m_find, m_tokens})
        if (found.size() < limit && action->text().contains(wanted, Qt::CaseInsensitive)) found << action;
    return found;
}

QList<QComboBox*> BrowseTab::boxes() const {
    return {m_hub,     m_format, m_size,     m_task,    m_sort, m_quant, m_capability,
            m_licence, m_gate,   m_language, m_library, m_disk, m_since};
}

QJsonObject BrowseTab::currentSearch() const {
    QJsonObject search{{QStringLiteral("text"), m_text->text()}, {QStringLiteral("author"), m_author->text()}};
    for (const QComboBox* box : boxes()) search.insert(box->objectName(), box->currentIndex());
    return search;
}

QString BrowseTab::searchName() const {
    QStringList parts;
    for (const QLineEdit* line : {m_text, m_author})
        if (const QString words = line->text().trimmed(); !words.isEmpty()) parts << words;
    for (const QComboBox* box : boxes())
        if (box->currentIndex() > 0) parts << box->currentText();
    return parts.isEmpty() ? tr("All models") : parts.join(QStringLiteral(" · "));
}

// One question, however many filters change.
void BrowseTab::useSearch(const QJsonObject& search) {
    const auto set = [&search](QLineEdit* line, const QString& key) {
        const QSignalBlocker quiet(line);
        line->setText(search.value(key).toString());
    };
    set(m_text, QStringLiteral("text"));
    set(m_author, QStringLiteral("author"));
    for (QComboBox* box : boxes()) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(std::clamp(search.value(box->objectName()).toInt(), 0, box->count() - 1));
    }
}

QJsonObject BrowseTab::saveSession() const {
    QJsonObject session = currentSearch();
    session.insert(QStringLiteral("filters"), m_more->isChecked());
    session.insert(QStringLiteral("searches"), m_searches->toJson());
    return session;
}

void BrowseTab::restoreSession(const QJsonObject& session) {
    useSearch(session);
    m_more->setChecked(session.value(QStringLiteral("filters")).toBool());
    m_searches->restore(session.value(QStringLiteral("searches")).toArray());
    ask(false);
}

void BrowseTab::refresh() {
    const int rows = m_model->rowCount();
    if (const auto waiting = m_session->waiting())
        m_count->setText(tr("%1 Retrying in %2.").arg(translated(waiting->why), durationText(waiting->seconds)));
    else if (m_session->isAsking())
        m_count->setText(rows == 0 ? tr("Searching…") : tr("%n model(s) found so far, searching…", nullptr, rows));
    else if (rows == 0)
        m_count->setText(!m_wasSeen ? QString() : m_isTroubled ? tr("No response from the hubs.") : tr("No models found."));
    else if (m_showsOld) m_count->setText(tr("%n model(s), some from cache: a hub is not responding", nullptr, rows));
    else
        m_count->setText(m_session->hasMore() ? tr("%n model(s); scroll down for more", nullptr, rows)
                                              : tr("%n model(s)", nullptr, rows));
    m_hint->setText(filterHint());
    m_hint->setVisible(!m_hint->text().isEmpty());
    for (int column = ResultsModel::Name + 1; column < ResultsModel::ColumnCount && rows > 0; ++column)
        m_table->resizeColumnToContents(column);
    const Question asked = question();
    m_table->setColumnHidden(ResultsModel::HubName, !asked.asksHuggingFace || !asked.asksModelScope);
    m_table->setColumnHidden(ResultsModel::Task, !asked.request.task.empty());
    fitNames();
}

// A row is identified by its name. License, task and hub are scrolled to where the window is narrow.
void BrowseTab::fitNames() {
    int others = 0;
    for (int column = ResultsModel::Name + 1; column < ResultsModel::Licence; ++column) others += m_table->columnWidth(column);
    const int least = m_table->fontMetrics().averageCharWidth() * 34;
    m_table->setColumnWidth(ResultsModel::Name, std::max(least, m_table->viewport()->width() - others));
}

bool BrowseTab::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) fitNames();
    return Tab::eventFilter(watched, event);
}

// How far a filter reaches that no hub can be asked for.
QString BrowseTab::filterHint() const {
    const Question asked = question();
    QStringList hints;
    if (asked.asksModelScope && !asked.request.quant.empty())
        hints << tr("ModelScope does not list file names; only models whose name or tags contain %1 are shown.")
                     .arg(text(asked.request.quant));
    if (asked.request.capability != Capability::Any) hints << tr("Capabilities come from the author's tags and the model name.");
    return joined(hints);
}

void BrowseTab::retranslate() {
    m_text->setPlaceholderText(tr("Search Hugging Face and ModelScope"));
    m_text->setAccessibleName(tr("Search Hugging Face and ModelScope"));
    m_find->setText(tr("Search the hubs for models"));
    setTexts(m_hub, {tr("Both hubs"), QStringLiteral("Hugging Face"), QStringLiteral("ModelScope")}, tr("Hub"));
    setTexts(m_format, {tr("Any format"), QStringLiteral("GGUF"), QStringLiteral("safetensors")}, tr("Format"));
    m_format->setToolTip(tr("Format; Chat uses only GGUF files"));
    setTexts(m_size, {tr("Any size"), tr("up to 4B"), tr("4B to 10B"), tr("10B to 40B"), tr("over 40B")}, tr("Parameters"));
    setTexts(m_task, choiceNames(tasks, tr("Any task")), tr("Task"));
    setTexts(m_licence, choiceNames(licences, tr("Any license")), tr("License"));
    setTexts(m_gate, {tr("Open or gated"), tr("Open access"), tr("Gated")}, tr("Access"));
    setTexts(m_language, languageNames(tr("Any language")), tr("Language"));
    setTexts(m_library, choiceNames(libraries, tr("Any library")), tr("Library"));
    setTexts(m_quant, choiceNames(quants, tr("Any quantization")), tr("Quantization type"));
    setTexts(m_capability, {tr("Any capability"), tr("Vision"), tr("Tool use"), tr("Reasoning"), tr("Code"), tr("Embedding")},
             tr("Capability"));
    setTexts(m_disk, {tr("Any disk size"), tr("up to 2 GB"), tr("2 to 8 GB"), tr("8 to 30 GB"), tr("over 30 GB")},
             tr("Repository size"));
    setTexts(m_since, {tr("Any date"), tr("past week"), tr("past month"), tr("past 6 months"), tr("past year")},
             tr("Last updated"));
    m_searchesButton->setText(tr("Saved searches"));
    m_searchesButton->setToolTip(tr("Save this search or run a saved one"));
    m_author->setPlaceholderText(tr("Author"));
    m_author->setAccessibleName(tr("Author"));
    m_more->setText(tr("More filters"));
    m_tokens->setText(tr("Access tokens…"));
    m_tokens->setToolTip(tr("Access tokens for gated and private models"));
    m_more->setToolTip(tr("Author, quantization, capability, license, access, language, library, disk size and last update"));
    showDownloads();
    setTexts(m_sort, {tr("Most downloads"), tr("Most likes"), tr("Recently updated"), tr("Trending")}, tr("Sort by"));
    m_table->setAccessibleName(tr("Search results"));
    m_model->retranslate();
    if (!m_page->page()) m_page->showHint(tr("Select a model to see its files and model card."));
    refresh();
}

} // namespace wb::ui
