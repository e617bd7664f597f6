// SPDX-License-Identifier: MIT
#include "ui/chat/chat_tab.h"

#include "core/chat/chat_document.h"
#include "core/chat/model_thread.h"
#include "ui/chat/answer_panel.h"
#include "ui/chat/choose_page.h"
#include "ui/chat/composer.h"
#include "ui/chat/conversations_model.h"
#include "ui/chat/device_row.h"
#include "ui/chat/history_panel.h"
#include "ui/chat/questions.h"
#include "ui/chat/shown_turns.h"
#include "ui/shell/danger_question.h"
#include "ui/shell/jobs/start_job.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QAction>
#include <QCoreApplication>
#include <QDateTime>
#include <QDesktopServices>
#include <QEvent>
#include <QFile>
#include <QJsonArray>
#include <QLocale>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

using namespace chat;
using namespace wb::chat;

namespace {

// Beside those of other programs, for the Memory tab.
infer::LoadStore rememberedLoads(const Services& services) {
    if (services.stateFolder.isEmpty()) return {};
    return {wb::memory::loadsFile(fsPath(services.stateFolder)), QCoreApplication::applicationVersion().toStdString()};
}

constexpr int looksPerSecond = 30;
constexpr int saveEveryMs = 1000; // a kill costs no more of an answer than this
constexpr int recentModels = 5;

bool isGguf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(4) == "GGUF";
}

// Of 53 bits, which JSON and every database hold exactly.
std::int64_t newId() { return static_cast<std::int64_t>(QRandomGenerator::global()->generate64() >> 11) | 1; }

} // namespace

ChatTab::ChatTab(Services& services, OpenConversations openStore, QWidget* parent)
    : Tab(parent), m_services(services), m_state(ModelState::None),
      m_answers(tabAction(this, "settings", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S))),
      m_choose(tabAction(this, "folder", QKeySequence(Qt::CTRL | Qt::Key_M))),
      m_new(tabAction(this, "clear", QKeySequence(Qt::CTRL | Qt::Key_N))),
      m_stop(tabAction(this, "cancel", QKeySequence(Qt::Key_Escape))),
      m_again(tabAction(this, "refresh", QKeySequence(Qt::CTRL | Qt::Key_R))),
      m_edit(tabAction(this, "edit", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E))),
      m_continue(tabAction(this, "resume", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return))),
      m_previous(tabAction(this, "undo", QKeySequence(Qt::ALT | Qt::Key_Left))),
      m_next(tabAction(this, "redo", QKeySequence(Qt::ALT | Qt::Key_Right))), m_pages(new QStackedWidget(this)),
      m_layout(new QVBoxLayout(this)), m_panel(new HistoryPanel(this)), m_choosePage(new ChoosePage(this)),
      m_talk(new TalkPage(m_answers, this)), m_answerPanel(new AnswerPanel(this)), m_question(new DangerQuestion(services, this)) {
    auto* splitter = new QSplitter(this);
    splitter->addWidget(m_panel);
    splitter->addWidget(m_pages);
    auto* answers = new QScrollArea(splitter);
    answers->setWidget(m_answerPanel);
    answers->setWidgetResizable(true);
    answers->setFrameShape(QFrame::NoFrame);
    answers->setFocusPolicy(Qt::NoFocus); // what it holds is what Tab stops at
    answers->setMinimumWidth(m_answerPanel->minimumSizeHint().width() + 24);
    answers->hide();
    m_answers->setCheckable(true);
    connect(m_answers, &QAction::toggled, answers, &QWidget::setVisible);
    connect(m_answerPanel, &AnswerPanel::changed, this, [this](const ConversationSettings& settings) {
        m_settings = settings;
        keepSettings();
    });
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({220, 800, 280});
    m_pages->addWidget(m_choosePage);
    m_pages->addWidget(m_talk);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(splitter, 1);
    makeActions();
    connectPage();
    m_panel->setVisible(static_cast<bool>(openStore));
    if (openStore) {
        m_history = std::make_unique<History>(std::move(openStore));
        connectHistory();
    }
    m_look.setInterval(1000 / looksPerSecond);
    connect(&m_look, &QTimer::timeout, this, &ChatTab::look);
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(saveEveryMs);
    connect(&m_saveSoon, &QTimer::timeout, this, &ChatTab::save);
    refresh();
}

ChatTab::~ChatTab() {
    if (m_answering) endAnswer(infer::FinishReason::Stopped);
}

QString ChatTab::title() const { return tr("Chat"); }

QIcon ChatTab::icon() const { return ui::icon(QStringLiteral("chat")); }

void ChatTab::makeActions() {
    for (QAction* action : {m_choose, m_new, m_answers, m_stop, m_again, m_edit, m_continue, m_previous, m_next}) addAction(action);
    connect(m_choose, &QAction::triggered, this, &ChatTab::askForModel);
    connect(m_new, &QAction::triggered, this, &ChatTab::startAgain);
    connect(m_stop, &QAction::triggered, this, [this] { m_editing && !m_answering ? giveUpEditing() : stop(); });
    connect(m_again, &QAction::triggered, this, [this] { answerAgain(lastOf(Role::Assistant)); });
    connect(m_edit, &QAction::triggered, this, [this] { editTurn(lastOf(Role::User)); });
    connect(m_continue, &QAction::triggered, this, [this] { continueAnswer(lastOf(Role::Assistant)); });
    connect(m_previous, &QAction::triggered, this, [this] { showVersion(lastOf(Role::Assistant), -1); });
    connect(m_next, &QAction::triggered, this, [this] { showVersion(lastOf(Role::Assistant), 1); });
    keepTranslated(this, [this] {
        m_choose->setText(tr("Choose a Model for the Chat…"));
        m_new->setText(tr("New Conversation"));
        m_answers->setText(tr("How to Answer"));
        m_stop->setText(tr("Stop the Answer"));
        m_again->setText(tr("Answer Again"));
        m_edit->setText(tr("Edit the Last Message"));
        m_continue->setText(tr("Continue the Answer"));
        m_previous->setText(tr("Previous Version of the Answer"));
        m_next->setText(tr("Next Version of the Answer"));
    });
}

void ChatTab::connectPage() {
    connect(m_choosePage, &ChoosePage::chooseWanted, this, &ChatTab::askForModel);
    connect(m_choosePage, &ChoosePage::chosen, this, [this](const QString& path) { openPaths({path}); });
    connect(m_talk, &TalkPage::chooseWanted, this, &ChatTab::askForModel);
    connect(m_talk, &TalkPage::loadOfferedWanted, this, [this] { openPaths({ui::text(m_conversation.head.model)}); });
    connect(m_talk, &TalkPage::sendWanted, this, &ChatTab::send);
    connect(m_talk, &TalkPage::sendOrStopWanted, this,
            [this] { m_state == ModelState::Answering || m_state == ModelState::Loading ? stop() : send(); });
    connect(m_talk, &TalkPage::cancelEditWanted, this, &ChatTab::giveUpEditing);
    connect(m_talk, &TalkPage::newWanted, this, &ChatTab::startAgain);
    connect(m_talk, &TalkPage::longerContextWanted, this, &ChatTab::useLongerContext);
    connect(m_talk, &TalkPage::leaveOutWanted, this, &ChatTab::leaveOutTurns);
    Transcript* const transcript = m_talk->transcript();
    connect(transcript, &Transcript::editWanted, this, &ChatTab::editTurn);
    connect(transcript, &Transcript::againWanted, this, &ChatTab::answerAgain);
    connect(transcript, &Transcript::continueWanted, this, &ChatTab::continueAnswer);
    connect(transcript, &Transcript::versionWanted, this, &ChatTab::showVersion);
    connect(transcript, &Transcript::linkChosen, this, &ChatTab::openLink);
}

void ChatTab::connectHistory() {
    const auto list = [this] { m_history->list(m_panel->words().toStdString()); };
    connect(m_history.get(), &History::listed, this,
            [this](const std::vector<ConversationHead>& heads) { m_panel->setHeads(heads); });
    connect(m_history.get(), &History::changed, this, list);
    connect(m_history.get(), &History::loaded, this, &ChatTab::take);
    const auto tell = [this](const Error& error) { emit message(Sentence(error).text(), true); };
    connect(m_history.get(), &History::failed, this, tell);
    connect(m_history.get(), &History::noticed, this, tell);
    connect(m_panel, &HistoryPanel::newWanted, this, &ChatTab::startAgain);
    connect(m_panel, &HistoryPanel::searchWanted, this, list);
    connect(m_panel, &HistoryPanel::chosen, this, &ChatTab::showConversation);
    connect(m_panel, &HistoryPanel::renameWanted, this, [this](qint64 id, const QString& title) {
        if (id == m_conversation.head.id) m_conversation.head.title = title.toStdString();
        m_history->rename(id, title.toStdString());
    });
    connect(m_panel, &HistoryPanel::removeWanted, this, &ChatTab::removeConversation);
    connect(m_panel, &HistoryPanel::exportWanted, this, [this](qint64 id) {
        if (id == m_conversation.head.id) exportConversation(m_conversation);
        else m_history->load(id, History::Purpose::Export);
    });
    list();
}

// Beside every page, since a device is chosen before a model is loaded, and again when it failed.
void ChatTab::makeDeviceRow() {
    if (m_deviceRow || !m_runners.backend || !m_services.jobs) return;
    m_deviceRow = new DeviceRow(m_device.value_or(m_services.device), m_runners.devices, *m_services.jobs, this);
    m_deviceRow->setGpuLayers(m_gpuLayers);
    connect(m_deviceRow, &DeviceRow::changed, this, &ChatTab::useDevice);
    m_layout->insertWidget(0, m_deviceRow);
}

void ChatTab::useDevice() {
    m_device = m_deviceRow->device();
    m_gpuLayers = m_deviceRow->gpuLayers();
    if (m_state != ModelState::None && !m_path.isEmpty()) load(m_path, m_context);
}

void ChatTab::showEvent(QShowEvent* event) {
    makeDeviceRow();
    if (m_deviceRow && !m_device) m_deviceRow->setDevice(m_services.device); // the settings may have changed
    Tab::showEvent(event);
}

void ChatTab::askForModel() {
    const QString path = askForModelFile(this, m_services.openFolder ? m_services.openFolder() : QString());
    if (!path.isEmpty()) openPaths({path});
}

bool ChatTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1) return false;
    m_question->ask(paths.first(), [this, path = paths.first()] { load(path, 0); });
    return true;
}

void ChatTab::load(const QString& path, std::size_t context) {
    if (m_answering) endAnswer(infer::FinishReason::Stopped);
    m_question->forget(); // of another model
    m_path = path;
    m_error.clear();
    m_choice = {};
    m_talk->setStatus({});
    m_talk->setPlan({});
    m_notice.clear();
    if (!m_thread) m_thread = std::make_unique<ModelThread>(m_services.threads, rememberedLoads(m_services));
    auto backend = m_runners.backend ? m_runners.backend(m_device.value_or(m_services.device)) : nullptr;
    m_thread->load(std::filesystem::path(m_path.toStdU16String()), context, std::move(backend), m_gpuLayers);
    setState(ModelState::Loading);
    m_look.start();
}

bool ChatTab::takeDrop(const QStringList& paths) { return paths.size() == 1 && isGguf(paths.first()) && openPaths(paths); }

void ChatTab::stop() {
    if (m_thread) m_thread->stop();
}

void ChatTab::rememberModel() {
    m_recent.removeAll(m_path);
    m_recent.prepend(m_path);
    while (m_recent.size() > recentModels) m_recent.removeLast();
    emit opened(m_path);
}

void ChatTab::send() {
    const QString text = m_talk->composer()->toPlainText();
    if (m_state != ModelState::Ready || text.trimmed().isEmpty()) return;
    const Turn* const edited = m_conversation.find(m_editing);
    const std::int64_t parent = edited ? edited->parent : m_conversation.head.leaf;
    if (m_conversation.isEmpty()) m_conversation.head.title = titleOf(text.toStdString());
    m_talk->composer()->clear();
    m_editing = 0;
    m_sent = m_conversation.add(parent, Role::User, text.toStdString()).id;
    ask(m_sent, m_conversation.add(m_sent, Role::Assistant).id);
}

// Has the model answer the turn `parent` in the turn `answer`, which may have begun.
void ChatTab::ask(qint64 parent, qint64 answer) {
    Turn* const turn = m_conversation.edit(answer);
    m_error.clear();
    m_choice = {};
    m_talk->setStatus({});
    m_answering = answer;
    m_tokensBefore = turn->facts.tokens;
    turn->facts = {};
    m_thread->ask({messagesFor(parent), turn->text, m_settings, m_holdAfter});
    setState(ModelState::Answering);
    showTurns();
    save();
    m_look.start();
}

// From the first turn that is not left out to this one.
std::vector<Message> ChatTab::messagesFor(qint64 turn) const {
    std::vector<Message> messages;
    for (const Turn* at = m_conversation.find(turn); at && at->id > m_settings.leftOut; at = m_conversation.find(at->parent))
        messages.push_back({at->role, at->text});
    if (!m_settings.instruction.empty()) messages.push_back({Role::System, m_settings.instruction});
    std::ranges::reverse(messages);
    return messages;
}

void ChatTab::answerAgain(qint64 id) {
    const Turn* const turn = m_conversation.find(id);
    if (m_state != ModelState::Ready || !turn || turn->role != Role::Assistant) return;
    const qint64 parent = turn->parent;
    m_sent = 0;
    ask(parent, m_conversation.add(parent, Role::Assistant).id);
}

void ChatTab::continueAnswer(qint64 id) {
    const Turn* const turn = m_conversation.find(id);
    if (m_state != ModelState::Ready || !turn || turn->role != Role::Assistant || id != m_conversation.head.leaf) return;
    m_sent = 0;
    ask(turn->parent, id);
}

void ChatTab::editTurn(qint64 id) {
    const Turn* const turn = m_conversation.find(id);
    if (!turn || turn->role != Role::User || m_answering) return;
    m_editing = id;
    m_talk->composer()->setPlainText(ui::text(turn->text));
    m_talk->composer()->setFocus();
    refresh();
}

void ChatTab::giveUpEditing() {
    m_editing = 0;
    m_talk->composer()->clear();
    refresh();
}

void ChatTab::showVersion(qint64 id, int step) {
    const std::vector<std::int64_t> versions = m_conversation.versions(id);
    const auto at = std::ranges::find(versions, id);
    const auto wanted = at - versions.begin() + step;
    if (m_answering || wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(versions.size()) || at == versions.end()) return;
    m_conversation.show(versions[static_cast<std::size_t>(wanted)]);
    showTurns();
    save();
}

qint64 ChatTab::lastOf(Role role) const {
    const auto branch = m_conversation.branch();
    const auto found = std::ranges::find(branch.rbegin(), branch.rend(), role, &Turn::role);
    return found == branch.rend() ? 0 : (*found)->id;
}

void ChatTab::look() {
    const Update update = m_thread->take();
    if (update.state == ModelState::Loading) m_talk->setLoading(true, update.loaded);
    if (update.plan) m_talk->setPlan(update.plan);
    if (update.plan && m_deviceRow)
        m_deviceRow->setMostLayers(update.plan->device.layers + (update.plan->device.layers > 0 ? 1 : 0));
    if (update.own) m_answerPanel->setModel(*update.own);
    if (!update.remarks.empty()) takeRemarks(update.remarks);
    m_context = update.context;
    m_contextMax = update.contextMax;
    m_talk->setContext(update.contextUsed, update.context);
    if (!update.text.empty() && m_answering) takeText(update);
    const bool isOver = update.state != m_state;
    const ModelState before = m_state;
    if (isOver && before == ModelState::Loading && update.state == ModelState::Ready) rememberModel();
    if (isOver) setState(update.state);
    if (update.error) takeError(*update.error);
    if (update.answer && m_answering) takeAnswer(update);
    if (isOver && m_state != ModelState::Loading && m_state != ModelState::Answering) m_look.stop();
    if (isOver && m_state == ModelState::Ready) m_talk->composer()->setFocus();
}

void ChatTab::takeText(const Update& update) {
    Turn* const turn = m_conversation.edit(m_answering);
    turn->text += update.text;
    showLast(*turn);
    if (!m_saveSoon.isActive()) m_saveSoon.start();
}

// A message that was not answered goes back to where it was written, so that it can be changed.
void ChatTab::takeError(const Error& error) {
    m_error = Sentence(error);
    const qint64 answer = std::exchange(m_answering, 0);
    if (Turn* turn = m_conversation.edit(answer); turn && !turn->text.empty()) turn->facts.end = infer::FinishReason::Error;
    else if (turn) m_conversation.removeLast(answer);
    if (const Turn* sent = m_conversation.find(m_sent); sent && m_conversation.head.leaf == m_sent) {
        m_talk->composer()->setPlainText(ui::text(sent->text));
        m_conversation.removeLast(m_sent);
    }
    if (answer) save();
    if (error.reason == Reason("infer.context")) offerChoice();
    showTurns();
    emit message(m_error.text(), true);
    refresh();
}

// The last one stays in sight.
void ChatTab::takeRemarks(const std::vector<Problem>& remarks) {
    for (const Problem& remark : remarks) {
        m_notice = Sentence(asError(ErrorCode::Unsupported, remark));
        emit message(m_notice.text(), true);
    }
    refresh();
}

void ChatTab::takeAnswer(const Update& update) {
    const infer::Generated& answer = *update.answer;
    Turn* const turn = m_conversation.edit(std::exchange(m_answering, 0));
    turn->facts = {answer.cause, static_cast<std::int64_t>(answer.tokens.size()) + m_tokensBefore, answer.promptSeconds,
                   answer.generateSeconds};
    if (answer.cause == infer::FinishReason::Context) offerChoice();
    showLast(*turn);
    save();
    const QLocale locale;
    m_talk->setStatus(tr("%n tokens, %1 a second; the first after %2 s", nullptr, static_cast<int>(answer.tokens.size()))
                          .arg(locale.toString(answer.generateRate(), 'f', 1), locale.toString(answer.promptSeconds, 'f', 2)));
    refresh();
}

void ChatTab::endAnswer(infer::FinishReason end) {
    stop();
    if (Turn* turn = m_conversation.edit(std::exchange(m_answering, 0))) turn->facts.end = end;
    save();
}

// As many turns from the beginning as halve what the model reads, and whole pairs of message and answer.
int ChatTab::turnsToLeaveOut() const {
    const auto branch = m_conversation.branch();
    const auto isRead = [this](const Turn* turn) { return turn->id > m_settings.leftOut; };
    const auto count = std::ranges::count_if(branch, isRead);
    return count < 3 ? 0 : static_cast<int>((count / 2 + 1) / 2 * 2);
}

void ChatTab::offerChoice() {
    m_choice = {m_context < m_contextMax ? std::min(2 * m_context, m_contextMax) : 0, turnsToLeaveOut(), true};
    refresh();
}

void ChatTab::useLongerContext() {
    if (m_choice.longer > 0) load(m_path, m_choice.longer);
}

void ChatTab::leaveOutTurns() {
    int left = turnsToLeaveOut();
    for (const Turn* turn : m_conversation.branch())
        if (turn->id > m_settings.leftOut && left-- > 0) m_settings.leftOut = turn->id;
    m_answerPanel->setSettings(m_settings);
    m_choice = {};
    keepSettings();
    showTurns();
    refresh();
}

void ChatTab::startAgain() {
    if (m_answering) endAnswer(infer::FinishReason::Stopped);
    m_conversation = {};
    m_settings.leftOut = 0; // the rest stays as the user likes it
    m_answerPanel->setSettings(m_settings);
    m_choice = {};
    m_editing = 0;
    m_error.clear();
    m_talk->setStatus({});
    m_panel->setShown(0);
    showTurns();
    refresh();
    m_talk->composer()->setFocus();
}

void ChatTab::showConversation(qint64 id) {
    if (m_history && id > 0 && id != m_conversation.head.id) m_history->load(id);
}

void ChatTab::take(const Conversation& conversation, History::Purpose purpose) {
    if (purpose == History::Purpose::Export) return exportConversation(conversation);
    startAgain();
    m_conversation = conversation;
    m_settings = settingsOf(conversation.head.settings);
    m_answerPanel->setSettings(m_settings);
    m_panel->setShown(conversation.head.id);
    showTurns();
    refresh();
}

void ChatTab::keepSettings() {
    if (!m_saveSoon.isActive()) m_saveSoon.start();
}

void ChatTab::save() {
    m_saveSoon.stop();
    if (!m_history || m_conversation.isEmpty()) return;
    ConversationHead& head = m_conversation.head;
    const bool isNew = head.id == 0;
    head.changed = QDateTime::currentMSecsSinceEpoch();
    head.settings = jsonOf(m_settings);
    if (isNew) {
        head.id = newId();
        head.created = head.changed;
    }
    if (!m_path.isEmpty()) head.model = m_path.toStdString();
    ConversationChange change{head, m_conversation.takeRemoved(), m_conversation.takeChanged()};
    m_history->save(std::move(change));
    if (isNew) m_panel->setShown(head.id);
}

void ChatTab::removeConversation(qint64 id, const QString& title) {
    if (!askWhetherToDelete(this, title)) return;
    if (id == m_conversation.head.id) startAgain();
    m_history->remove(id);
}

void ChatTab::exportConversation(const Conversation& conversation) {
    const auto target = askWhereToExport(this);
    if (!target || !m_services.jobs) return;
    const QString path = target->path;
    std::string text = target->isJson ? chatDocument(conversation.messages(), conversation.head.title) : chatMarkdown(conversation);
    const auto write = [path, text = std::move(text)](const Progress&) { return writeChatFile(fsPath(path), text); };
    const auto done = [this, path](const Result<void>& written) {
        if (written) emit message(tr("The conversation was written to %1.").arg(shortPath(path)), false);
        else emit message(Sentence(written.error()).text(), true);
    };
    m_services.jobs->start(tr("Export a conversation"), this, write, done, false);
}

void ChatTab::openLink(const QString& address) {
    if (askWhetherToOpen(this, address)) QDesktopServices::openUrl(QUrl(address, QUrl::StrictMode));
}

void ChatTab::showTurns() { m_talk->transcript()->setTurns(shownTurns(m_conversation, m_answering, m_settings.leftOut)); }

void ChatTab::showLast(const Turn& turn) {
    m_talk->transcript()->updateLast(shownTurn(m_conversation, turn, m_answering, m_settings.leftOut));
}

void ChatTab::setState(ModelState state) {
    m_state = state;
    refresh();
}

void ChatTab::refresh() {
    const bool isBusy = m_state == ModelState::Ready || m_state == ModelState::Answering || m_state == ModelState::Loading;
    const bool talks = isBusy || !m_conversation.isEmpty();
    const bool isReady = m_state == ModelState::Ready;
    const bool isWorking = m_state == ModelState::Loading || m_state == ModelState::Answering;
    m_pages->setCurrentIndex(talks ? 1 : 0);
    m_choosePage->setError(m_error.text());
    m_choosePage->setRecent(m_recent);
    m_talk->setNotice(m_notice.text());
    if (m_state != ModelState::Loading) m_talk->setLoading(false);
    if (talks && !m_error.text().isEmpty()) m_talk->setStatus(m_error.text());
    const QString before = ui::text(m_conversation.head.model);
    m_talk->setModel(isBusy ? m_path : QString(), isBusy && before == m_path ? QString() : before);
    m_talk->setBusy(isWorking, isReady);
    m_talk->setEditing(m_editing != 0);
    m_talk->setChoice(m_choice);
    m_stop->setEnabled(isWorking || m_editing);
    m_new->setEnabled(talks);
    for (QAction* action : {m_again, m_continue}) action->setEnabled(isReady && !m_conversation.isEmpty());
    for (QAction* action : {m_edit, m_previous, m_next}) action->setEnabled(!isWorking && !m_conversation.isEmpty());
}

QList<QAction*> ChatTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    for (QAction* action : actions())
        if (found.size() < limit && action->isEnabled() && action->text().contains(text, Qt::CaseInsensitive)) found.append(action);
    return found;
}

QJsonObject ChatTab::saveSession() const {
    QJsonObject session{{QStringLiteral("recent"), QJsonArray::fromStringList(m_recent)}};
    if (m_device) session.insert(QStringLiteral("device"), *m_device);
    if (m_gpuLayers) session.insert(QStringLiteral("gpuLayers"), static_cast<qint64>(*m_gpuLayers));
    if (m_conversation.head.id > 0) session.insert(QStringLiteral("conversation"), static_cast<qint64>(m_conversation.head.id));
    return session;
}

void ChatTab::restoreSession(const QJsonObject& session) {
    m_recent.clear();
    for (const auto& path : session.value(QStringLiteral("recent")).toArray())
        if (path.isString() && m_recent.size() < recentModels) m_recent.append(path.toString());
    const QJsonValue device = session.value(QStringLiteral("device"));
    if (device.isString()) m_device = device.toString();
    const QJsonValue layers = session.value(QStringLiteral("gpuLayers"));
    if (layers.toInteger(-1) >= 0) m_gpuLayers = static_cast<std::uint64_t>(layers.toInteger());
    if (m_deviceRow && m_device) m_deviceRow->setDevice(*m_device);
    if (m_deviceRow) m_deviceRow->setGpuLayers(m_gpuLayers);
    showConversation(session.value(QStringLiteral("conversation")).toInteger());
    refresh();
}

void ChatTab::changeEvent(QEvent* event) {
    Tab::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    refresh();
    showTurns();
}

} // namespace wb::ui
