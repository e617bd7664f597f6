// SPDX-License-Identifier: MIT
#include "ui/chat/chat_tab.h"

#include "core/chat/chat_document.h"
#include "core/chat/known_templates.h"
#include "ui/chat/answer_panel.h"
#include "ui/chat/choose_page.h"
#include "ui/chat/composer.h"
#include "ui/chat/history_panel.h"
#include "ui/chat/model_list.h"
#include "ui/chat/model_panel.h"
#include "ui/chat/model_picker.h"
#include "ui/chat/questions.h"
#include "ui/chat/shown_turns.h"
#include "ui/chat/talk_page.h"
#include "ui/shell/danger_question.h"
#include "ui/shell/jobs/start_job.h"
#include "ui/shell/services/local_models.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QAction>
#include <QDesktopServices>
#include <QEvent>
#include <QFile>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace wb::ui {

using namespace chat;
using namespace wb::chat;

namespace {

bool isGguf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(4) == "GGUF";
}

} // namespace

ChatTab::ChatTab(const Services& services, QWidget* parent)
    : Tab(parent), m_services(services), m_session(services),
      m_answers(tabAction(this, "settings", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S))),
      m_choose(tabAction(this, "library", QKeySequence(Qt::CTRL | Qt::Key_L))),
      m_new(tabAction(this, "clear", QKeySequence(Qt::CTRL | Qt::Key_N))),
      m_stop(tabAction(this, "cancel", QKeySequence(Qt::Key_Escape))),
      m_again(tabAction(this, "refresh", QKeySequence(Qt::CTRL | Qt::Key_R))),
      m_edit(tabAction(this, "edit", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E))),
      m_continue(tabAction(this, "resume", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return))),
      m_previous(tabAction(this, "undo", QKeySequence(Qt::ALT | Qt::Key_Left))),
      m_next(tabAction(this, "redo", QKeySequence(Qt::ALT | Qt::Key_Right))), m_pages(new QStackedWidget(this)),
      m_panel(new HistoryPanel(this)), m_choosePage(new ChoosePage(m_answers, this)), m_talk(new TalkPage(m_answers, this)),
      m_answerPanel(new AnswerPanel(this)), m_modelPanel(new ModelPanel(this)), m_settings(new QScrollArea(this)),
      m_picker(new ModelPicker(this)), m_question(new DangerQuestion(services, this)) {
    layOut();
    makeActions();
    connectPage();
    connectTranscript();
    connectSession();
    m_panel->setVisible(m_session.history() != nullptr);
    if (m_session.history()) connectHistory();
    refresh();
}

ChatTab::~ChatTab() {
    m_session.disconnect(this);
    m_services.openModels->set(id(), {});
}

QString ChatTab::title() const { return tr("Chat"); }

QIcon ChatTab::icon() const { return ui::icon(QStringLiteral("chat")); }

void ChatTab::layOut() {
    auto* splitter = new QSplitter(this);
    splitter->addWidget(m_panel);
    splitter->addWidget(m_pages);
    splitter->addWidget(m_settings);
    auto* settings = new QWidget(m_settings);
    auto* column = new QVBoxLayout(settings);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_modelPanel);
    column->addWidget(m_answerPanel, 1);
    m_settings->setWidget(settings);
    m_settings->setWidgetResizable(true);
    m_settings->setFrameShape(QFrame::NoFrame);
    m_settings->setFocusPolicy(Qt::NoFocus); // Tab stops at its contents
    fitSettings();
    m_settings->hide();
    m_answers->setCheckable(true);
    connect(m_answers, &QAction::toggled, m_settings, &QWidget::setVisible);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({220, 800, 280});
    m_pages->addWidget(m_choosePage);
    m_pages->addWidget(m_talk);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter, 1);
}

// Wide enough for each field of the settings and the scroll bar.
void ChatTab::fitSettings() {
    m_settings->setMinimumWidth(std::max(m_answerPanel->minimumSizeHint().width(), m_modelPanel->minimumSizeHint().width()) + 24);
}

void ChatTab::makeActions() {
    for (QAction* action : {m_choose, m_new, m_answers, m_stop, m_again, m_edit, m_continue, m_previous, m_next}) addAction(action);
    m_choose->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_L), QKeySequence(Qt::CTRL | Qt::Key_M)}); // the latter as in other tabs
    ChatSession* const session = &m_session;
    connect(m_choose, &QAction::triggered, this, &ChatTab::askForModel);
    connect(m_new, &QAction::triggered, this, &ChatTab::startAgain);
    connect(m_stop, &QAction::triggered, session,
            [session] { session->editing() && !session->answering() ? session->cancelEdit() : session->stop(); });
    connect(m_again, &QAction::triggered, session, [session] { session->answerAgain(session->lastTurn(Role::Assistant)); });
    connect(m_edit, &QAction::triggered, this, [this] { editTurn(m_session.lastTurn(Role::User)); });
    connect(m_continue, &QAction::triggered, session, [session] { session->continueAnswer(session->lastTurn(Role::Assistant)); });
    connect(m_previous, &QAction::triggered, session, [session] { session->showVersion(session->lastTurn(Role::Assistant), -1); });
    connect(m_next, &QAction::triggered, session, [session] { session->showVersion(session->lastTurn(Role::Assistant), 1); });
    keepTranslated(this, [this] {
        m_choose->setText(tr("Choose model…"));
        m_new->setText(tr("New chat"));
        m_answers->setText(tr("Generation settings"));
        m_stop->setText(tr("Stop generating"));
        m_again->setText(tr("Regenerate"));
        m_edit->setText(tr("Edit last message"));
        m_continue->setText(tr("Continue generating"));
        m_previous->setText(tr("Previous response"));
        m_next->setText(tr("Next response"));
    });
}

void ChatTab::connectPage() {
    ChatSession* const session = &m_session;
    connectList(m_choosePage->list());
    connectList(m_picker->list());
    if (m_services.localModels) connect(m_services.localModels, &LocalModels::changed, this, &ChatTab::showModels);
    connect(m_services.openModels, &OpenModels::changed, this, &ChatTab::showModels);
    connect(m_talk, &TalkPage::useTemplateWanted, session, &ChatSession::useOfferedTemplate);
    connect(m_answerPanel, &AnswerPanel::presetsChanged, session, &ChatSession::setPresets);
    connect(m_talk, &TalkPage::chooseWanted, this, &ChatTab::askForModel);
    connect(m_talk, &TalkPage::loadOfferedWanted, this, [this] { openPaths({ui::text(m_session.conversation().head.model)}); });
    connect(m_talk, &TalkPage::sendWanted, this, &ChatTab::send);
    connect(m_talk, &TalkPage::sendOrStopWanted, this, [this] { m_session.model().isWorking() ? m_session.stop() : send(); });
    connect(m_talk, &TalkPage::cancelEditWanted, session, &ChatSession::cancelEdit);
    connect(m_talk, &TalkPage::newWanted, this, &ChatTab::startAgain);
    connect(m_talk, &TalkPage::longerContextWanted, session, &ChatSession::useLongerContext);
    connect(m_talk, &TalkPage::leaveOutWanted, session, &ChatSession::leaveOutTurns);
    connect(m_answerPanel, &AnswerPanel::changed, session, &ChatSession::setSettings);
    m_modelPanel->setDefaultDevice(m_services.settings->device());
    connect(m_services.settings, &WorkSettings::changed, m_modelPanel,
            [this] { m_modelPanel->setDefaultDevice(m_services.settings->device()); });
    connect(m_modelPanel, &ModelPanel::applyWanted, this, [this](const ModelSettings& settings) {
        m_question->forget(); // of another model
        m_session.setModelSettings(settings);
    });
}

void ChatTab::connectTranscript() {
    Transcript* const transcript = m_talk->transcript();
    connect(transcript, &Transcript::editWanted, this, &ChatTab::editTurn);
    connect(transcript, &Transcript::againWanted, &m_session, &ChatSession::answerAgain);
    connect(transcript, &Transcript::continueWanted, &m_session, &ChatSession::continueAnswer);
    connect(transcript, &Transcript::versionWanted, &m_session, &ChatSession::showVersion);
    connect(transcript, &Transcript::linkChosen, this, &ChatTab::openLink);
}

void ChatTab::connectSession() {
    Transcript* const transcript = m_talk->transcript();
    connect(&m_session, &ChatSession::changed, this, &ChatTab::refresh);
    connect(&m_session, &ChatSession::turnsChanged, this, &ChatTab::showTurns);
    connect(&m_session, &ChatSession::lastTurnGrew, transcript, &Transcript::growLast);
    connect(&m_session, &ChatSession::lastTurnChanged, this, [this] {
        if (const auto turn = shownLastTurn(m_session)) m_talk->transcript()->updateLast(*turn);
    });
    connect(&m_session, &ChatSession::statusChanged, this, [this] { m_talk->setStatus(m_session.status()); });
    connect(&m_session, &ChatSession::draftChanged, m_talk->composer(), &Composer::setPlainText);
    connect(&m_session, &ChatSession::settingsChanged, this, [this] { m_answerPanel->setSettings(m_session.settings()); });
    connect(&m_session, &ChatSession::modelLoaded, this, &Tab::opened);
    connect(&m_session, &ChatSession::message, this, &Tab::message);
    connect(&m_session, &ChatSession::shownChanged, m_panel, &HistoryPanel::setShown);
    connect(&m_session, &ChatSession::exportReady, this, &ChatTab::exportConversation);
    const ModelRunner& model = m_session.model();
    connect(&model, &ModelRunner::loaded, this, [this] { m_answerPanel->setModel(m_session.model().facts().sampling); });
    connect(&model, &ModelRunner::loadProgressed, this, [this](quint64 done, quint64 total) {
        m_talk->setLoading(true, total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0);
    });
    connect(&model, &ModelRunner::grew, this,
            [this] { m_talk->setContext(m_session.model().contextUsed(), m_session.model().facts().context); });
    connect(&model, &ModelRunner::becameReady, m_talk->composer(), [this] { m_talk->composer()->setFocus(); });
}

void ChatTab::connectHistory() {
    History* const history = m_session.history();
    const auto list = [this, history] { history->list(m_panel->words().toStdString()); };
    connect(history, &History::listed, this, [this](const std::vector<ConversationHead>& heads) { m_panel->setHeads(heads); });
    connect(history, &History::changed, this, list);
    connect(m_panel, &HistoryPanel::newWanted, this, &ChatTab::startAgain);
    connect(m_panel, &HistoryPanel::searchWanted, this, list);
    connect(m_panel, &HistoryPanel::chosen, &m_session, &ChatSession::show);
    connect(m_panel, &HistoryPanel::renameWanted, &m_session, &ChatSession::rename);
    connect(m_panel, &HistoryPanel::exportWanted, &m_session, &ChatSession::requestExport);
    connect(m_panel, &HistoryPanel::removeWanted, this, [this](qint64 id, const QString& title) {
        if (askWhetherToDelete(this, title)) m_session.remove(id);
    });
    list();
}

// Only when the tab is shown: searching devices takes time.
void ChatTab::offerDevices() {
    if (!m_services.devices || !m_services.jobs) return;
    m_modelPanel->offerDevices(*m_services.devices, *m_services.jobs);
    fitSettings();
}

void ChatTab::showEvent(QShowEvent* event) {
    offerDevices();
    if (m_services.localModels) m_services.localModels->request();
    Tab::showEvent(event);
}

void ChatTab::connectList(ModelList* list) {
    list->setCanBrowse(m_services.hubs != nullptr);
    connect(list, &ModelList::chosen, this, [this](const QString& path) { openPaths({path}); });
    connect(list, &ModelList::openFileWanted, this, &ChatTab::askForFile);
    connect(list, &ModelList::browseWanted, this, [this] { emit handOverWanted(QStringLiteral("browse"), {}); });
}

void ChatTab::showModels() {
    const LocalModels* const local = m_services.localModels;
    for (ModelList* list : {m_choosePage->list(), m_picker->list()})
        list->setModels(local ? local->models() : QList<LocalModel>(), m_session.recentModels(),
                        m_services.openModels->paths(QStringLiteral("inspect")), !local || local->isKnown());
}

void ChatTab::askForModel() {
    if (m_services.localModels) m_services.localModels->request();
    if (m_pages->currentWidget() == m_choosePage) m_choosePage->list()->begin();
    else m_picker->begin();
}

void ChatTab::askForFile() {
    const QString path = askForModelFile(this, m_services.folderToOpenFrom());
    if (!path.isEmpty()) openPaths({path});
}

bool ChatTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1) return false;
    m_question->ask(paths.first(), [this, path = paths.first()] { load(path, 0); });
    return true;
}

void ChatTab::load(const QString& path, std::size_t context) {
    m_question->forget(); // of another model
    m_session.load(path, context);
}

bool ChatTab::takeDrop(const QStringList& paths) { return paths.size() == 1 && isGguf(paths.first()) && openPaths(paths); }

void ChatTab::send() {
    const QString text = m_talk->composer()->toPlainText();
    if (!m_session.send(text)) return;
    m_talk->composer()->clear();
}

void ChatTab::startAgain() {
    m_session.startAgain();
    m_talk->composer()->setFocus();
}

void ChatTab::editTurn(qint64 id) {
    m_session.editTurn(id);
    if (m_session.editing() == id) m_talk->composer()->setFocus();
}

void ChatTab::exportConversation(const Conversation& conversation) {
    const auto target = askWhereToExport(this);
    if (!target || !m_services.jobs) return;
    const QString path = target->path;
    std::string text = target->isJson ? chatDocument(conversation.messages(), conversation.head.title) : chatMarkdown(conversation);
    const auto write = [path, text = std::move(text), guard = m_services.openModels->guard()](const Progress&) -> Result<void> {
        WB_TRY(guard.check(fsPath(path)));
        return writeChatFile(fsPath(path), text);
    };
    const auto done = [this, path](const Result<void>& written) {
        if (written) emit message(tr("Chat exported to %1.").arg(shortPath(path)), false);
        else emit message(Sentence(written.error()).text(), true);
    };
    m_services.jobs->start(tr("Export chat"), this, write, done, false);
}

void ChatTab::openLink(const QString& address) {
    if (askWhetherToOpen(this, address)) QDesktopServices::openUrl(QUrl(address, QUrl::StrictMode));
}

void ChatTab::showTurns() { m_talk->transcript()->setTurns(shownTurns(m_session)); }

void ChatTab::showPlan() {
    const std::optional<LoadPlan>& plan = m_session.model().plan();
    m_talk->setPlan(plan);
    if (plan) m_modelPanel->setLayersMax(plan->device.layers + (plan->device.layers > 0 ? 1 : 0));
}

void ChatTab::enterModel() {
    const ModelRunner& model = m_session.model();
    m_services.openModels->set(id(), model.hasModel() ? QList{ModelInUse{model.path(), model.facts().model}} : QList<ModelInUse>());
}

void ChatTab::refresh() {
    enterModel();
    const ModelRunner& model = m_session.model();
    const Conversation& conversation = m_session.conversation();
    const bool isLoading = model.state() == ModelState::Loading;
    const bool isReady = model.state() == ModelState::Ready;
    const bool talks = model.hasModel() || !conversation.isEmpty();
    m_pages->setCurrentIndex(talks ? 1 : 0);
    m_choosePage->setError(m_session.error());
    showModels();
    m_talk->setNotice(m_session.notice());
    const KnownTemplate* const offered = isReady ? m_session.offeredTemplate() : nullptr;
    m_talk->setOfferedTemplate(offered ? ui::text(std::string(offered->name)) : QString());
    m_answerPanel->setHasTemplate(!model.hasModel() || model.facts().hasTemplate);
    showPlan();
    m_modelPanel->setContextMax(model.hasModel() && !isLoading ? model.facts().contextMax : 0);
    if (m_modelPanel->applied() != model.settings()) m_modelPanel->setSettings(model.settings());
    m_talk->setLoading(isLoading);
    if (!isLoading) m_talk->setStatus(m_session.status());
    const QString before = ui::text(conversation.head.model);
    m_talk->setModel(model.hasModel() ? model.path() : QString(), model.hasModel() && before == model.path() ? QString() : before);
    m_talk->setContext(model.contextUsed(), model.facts().context);
    m_talk->setBusy(model.isWorking(), isReady);
    m_talk->setEditing(m_session.editing() != 0);
    m_talk->setChoice(m_session.choice());
    m_stop->setEnabled(model.isWorking() || m_session.editing());
    m_new->setEnabled(talks);
    for (QAction* action : {m_again, m_continue}) action->setEnabled(isReady && !conversation.isEmpty());
    for (QAction* action : {m_edit, m_previous, m_next}) action->setEnabled(!model.isWorking() && !conversation.isEmpty());
}

QList<QAction*> ChatTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    for (QAction* action : actions())
        if (found.size() < limit && action->isEnabled() && action->text().contains(text, Qt::CaseInsensitive)) found.append(action);
    return found;
}

void ChatTab::restoreSession(const QJsonObject& session) {
    m_session.restore(session);
    m_answerPanel->setPresets(m_session.presets());
}

void ChatTab::changeEvent(QEvent* event) {
    Tab::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    fitSettings();
    refresh();
    showTurns();
}

} // namespace wb::ui
