// SPDX-License-Identifier: MIT
#include "ui/browse/browse_tab.h"

#include "ui/browse/page_view.h"
#include "ui/browse/results_model.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QComboBox>
#include <QHeaderView>
#include <QJsonObject>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

namespace wb::ui {

using namespace browse;
using namespace wb::hub;

namespace {

struct SizeRange {
    std::uint64_t min, max; // parameters; 0: no bound
};
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

void setTexts(QComboBox* box, const QStringList& texts, const QString& name) {
    const int current = std::max(box->currentIndex(), 0);
    const QSignalBlocker quiet(box);
    box->clear();
    box->addItems(texts);
    box->setCurrentIndex(current);
    nameBox(box, name);
    box->setToolTip(name);
}

} // namespace

BrowseTab::BrowseTab(const Services& services, BrowseNetwork network, QWidget* parent)
    : Tab(parent), m_session(new BrowseSession(services, std::move(network), this)), m_model(new ResultsModel(*m_session, this)),
      m_find(tabAction(this, "search", QKeySequence(QKeySequence::Find))), m_text(new QLineEdit(this)), m_bar(new MessageBar(this)),
      m_count(makeMutedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    layout->addWidget(m_bar);
    layout->addWidget(makeBody(), 1);
    m_bar->hide();
    addAction(m_find);
    connect(m_find, &QAction::triggered, this, [this] {
        m_text->setFocus(Qt::ShortcutFocusReason);
        m_text->selectAll();
    });
    connectSession();
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
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_text->setObjectName(QStringLiteral("browseText"));
    m_text->setClearButtonEnabled(true);
    layout->addWidget(m_text, 1);
    m_hub = addBox("browseHub");
    m_format = addBox("browseFormat");
    m_size = addBox("browseSize");
    m_task = addBox("browseTask");
    m_sort = addBox("browseSort");
    for (QComboBox* box : {m_hub, m_format, m_size, m_task, m_sort}) layout->addWidget(box);
    connect(m_text, &QLineEdit::textChanged, this, [this] { ask(true); });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { ask(false); });
    return row;
}

QWidget* BrowseTab::makeBody() {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    auto* left = new QWidget(splitter);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    m_table = new QTableView(left);
    m_table->setModel(m_model);
    setUpTable(m_table, m_table->fontMetrics().height() + 10);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(ResultsModel::Name, QHeaderView::Stretch);
    m_table->horizontalHeader()->setMinimumSectionSize(60);
    leftLayout->addWidget(m_table, 1);
    leftLayout->addWidget(m_count);
    m_page = new PageView(splitter);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({700, 470});
    splitter->setChildrenCollapsible(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BrowseTab::openCurrent);
    return splitter;
}

void BrowseTab::connectSession() {
    connect(m_session, &BrowseSession::askingChanged, this, &BrowseTab::refresh);
    connect(m_session, &BrowseSession::cleared, this, [this] { m_bar->hide(); });
    connect(m_session, &BrowseSession::troubled, this, [this](const Error& error) { m_bar->showMessage(error); });
    connect(m_session, &BrowseSession::pageOpened, this, [this](const ShownPage& page) { m_page->showPage(page); });
    connect(m_session, &BrowseSession::pageFailed, this, [this](const Error& error) { m_page->showHint(translated(error)); });
    connect(m_session, &BrowseSession::downloadFailed, this, [this](const Error& error) { m_bar->showMessage(error); });
    connect(m_session, &BrowseSession::downloaded, this, [this](const QString& folder) {
        emit message(tr("Downloaded to %1.").arg(folder), false);
        emit downloaded(folder);
    });
    connect(m_session, &BrowseSession::twinFound, m_page, &PageView::setTwin);
    connect(m_session, &BrowseSession::memoryCounted, m_page, &PageView::showFit);
    connect(m_page, &PageView::fitWanted, this, [this](const RemoteFile& file) {
        if (m_page->page()) m_session->countMemory(*m_page->page(), file);
    });
    connect(m_page, &PageView::downloadWanted, this, [this](const QStringList& files) {
        if (m_page->page()) m_session->download(*m_page->page(), files);
    });
}

void BrowseTab::showEvent(QShowEvent* event) {
    Tab::showEvent(event);
    if (std::exchange(m_wasSeen, true)) return;
    ask(false);
}

Question BrowseTab::question() const {
    Question question;
    question.request.text = m_text->text().trimmed().toStdString();
    question.asksHuggingFace = m_hub->currentIndex() != 2;
    question.asksModelScope = m_hub->currentIndex() != 1;
    if (m_format->currentIndex() == 1) question.request.filters = {"gguf"};
    if (m_format->currentIndex() == 2) question.request.filters = {"safetensors"};
    const SizeRange& range = sizeRanges[std::clamp(m_size->currentIndex(), 0, static_cast<int>(std::size(sizeRanges)) - 1)];
    question.request.minParameters = range.min;
    question.request.maxParameters = range.max;
    question.request.task = tasks[std::clamp(m_task->currentIndex(), 0, static_cast<int>(std::size(tasks)) - 1)];
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
    if (limit > 0 && m_find->text().contains(wanted, Qt::CaseInsensitive)) return {m_find};
    return {};
}

QJsonObject BrowseTab::saveSession() const {
    QJsonObject session{{QStringLiteral("text"), m_text->text()}};
    for (const QComboBox* box : {m_hub, m_format, m_size, m_task, m_sort}) session.insert(box->objectName(), box->currentIndex());
    return session;
}

void BrowseTab::restoreSession(const QJsonObject& session) {
    m_text->setText(session.value(QStringLiteral("text")).toString());
    for (QComboBox* box : {m_hub, m_format, m_size, m_task, m_sort})
        box->setCurrentIndex(std::clamp(session.value(box->objectName()).toInt(), 0, box->count() - 1));
}

void BrowseTab::refresh() {
    const int rows = m_model->rowCount();
    if (m_session->isAsking()) m_count->setText(rows == 0 ? tr("Searching…") : tr("%n model(s) so far, searching…", nullptr, rows));
    else if (rows == 0) m_count->setText(m_wasSeen ? tr("No model was found.") : QString());
    else
        m_count->setText(m_session->hasMore() ? tr("%n model(s); scroll for more", nullptr, rows)
                                              : tr("%n model(s)", nullptr, rows));
    for (int column = ResultsModel::HubName; column < ResultsModel::ColumnCount && rows > 0; ++column)
        m_table->resizeColumnToContents(column);
}

void BrowseTab::retranslate() {
    m_text->setPlaceholderText(tr("Search Hugging Face and ModelScope"));
    m_text->setAccessibleName(tr("Search Hugging Face and ModelScope"));
    m_find->setText(tr("Search for models on the hubs"));
    setTexts(m_hub, {tr("Both hubs"), QStringLiteral("Hugging Face"), QStringLiteral("ModelScope")}, tr("Hub"));
    setTexts(m_format, {tr("Any format"), QStringLiteral("GGUF"), QStringLiteral("safetensors")}, tr("Format"));
    setTexts(m_size, {tr("Any size"), tr("up to 4 B"), tr("4 B to 10 B"), tr("10 B to 40 B"), tr("from 40 B")}, tr("Parameters"));
    QStringList taskNames = {tr("Any task")};
    for (const char* task : std::span(tasks).subspan(1)) taskNames << QLatin1String(task);
    setTexts(m_task, taskNames, tr("Task"));
    setTexts(m_sort, {tr("Most downloads"), tr("Most likes"), tr("Newest change"), tr("Trending")}, tr("Order"));
    m_table->setAccessibleName(tr("Models that were found"));
    m_model->retranslate();
    if (!m_page->page()) m_page->showHint(tr("Choose a model to see its files and its card."));
    refresh();
}

} // namespace wb::ui
