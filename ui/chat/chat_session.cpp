// SPDX-License-Identifier: MIT
#include "ui/chat/chat_session.h"

#include "core/chat/known_templates.h"
#include "ui/widgets/numbers.h"

#include <QDateTime>
#include <QFileInfo>
#include <QJsonArray>
#include <QLocale>
#include <QRandomGenerator>

#include <algorithm>

namespace wb::ui::chat {

using namespace wb::chat;
using infer::FinishReason;

namespace {

constexpr int saveEveryMs = 1000; // a kill costs no more of a response than this
constexpr int maxRecentModels = 5;
constexpr qint64 showRateEveryMs = 500;

// Of 53 bits, which JSON and every database hold exactly.
std::int64_t newId() { return static_cast<std::int64_t>(QRandomGenerator::global()->generate64() >> 11) | 1; }

} // namespace

ChatSession::ChatSession(const Services& services, QObject* parent) : QObject(parent), m_model(services) {
    m_saveTimer.setSingleShot(true);
    m_saveTimer.setInterval(saveEveryMs);
    connect(&m_saveTimer, &QTimer::timeout, this, &ChatSession::saveNow);
    connectModel();
    if (!services.openConversations) return;
    m_history = std::make_unique<History>(services.openConversations);
    connectHistory();
}

ChatSession::~ChatSession() {
    m_model.disconnect(this);
    if (m_answering) endAnswer();
}

void ChatSession::connectModel() {
    connect(&m_model, &ModelRunner::stateChanged, this, &ChatSession::changed);
    connect(&m_model, &ModelRunner::planned, this, &ChatSession::changed);
    connect(&m_model, &ModelRunner::loaded, this, &ChatSession::rememberModel);
    connect(&m_model, &ModelRunner::promptRead, this, &ChatSession::takePromptProgress);
    connect(&m_model, &ModelRunner::grew, this, &ChatSession::takeText);
    connect(&m_model, &ModelRunner::answered, this, &ChatSession::takeAnswer);
    connect(&m_model, &ModelRunner::failed, this, &ChatSession::takeError);
    connect(&m_model, &ModelRunner::remarked, this, &ChatSession::takeRemark);
}

void ChatSession::connectHistory() {
    const auto report = [this](const Error& error) { emit message(Sentence(error).text(), true); };
    connect(m_history.get(), &History::loaded, this, &ChatSession::takeConversation);
    connect(m_history.get(), &History::failed, this, report);
    connect(m_history.get(), &History::noticed, this, report);
}

void ChatSession::load(const QString& path, std::size_t context) {
    if (m_answering) endAnswer();
    m_error.clear();
    m_speed.clear();
    m_notice.clear();
    m_choice = {};
    m_model.load(path, context);
}

void ChatSession::setModelSettings(const ModelSettings& settings) {
    const std::size_t context = settings.context == m_model.settings().context ? m_model.ownContext() : 0;
    m_model.setSettings(settings);
    if (m_model.state() != ModelState::None && !m_model.path().isEmpty()) load(m_model.path(), context);
    emit changed();
}

void ChatSession::rememberModel() {
    const QString path = m_model.path();
    m_recent.removeAll(path);
    m_recent.prepend(path);
    while (m_recent.size() > maxRecentModels) m_recent.removeLast();
    emit modelLoaded(path);
    emit changed();
}

bool ChatSession::send(const QString& text) {
    if (state() != ModelState::Ready || text.trimmed().isEmpty()) return false;
    const Turn* const edited = m_conversation.find(m_editing);
    const std::int64_t parent = edited ? edited->parent : m_conversation.head.leaf;
    if (m_conversation.isEmpty()) m_conversation.head.title = titleFromMessage(text.toStdString());
    m_editing = 0;
    m_sent = m_conversation.add(parent, Role::User, text.toStdString()).id;
    ask(m_sent, m_conversation.add(m_sent, Role::Assistant).id);
    return true;
}

// Has the model answer the turn `parent` in the turn `answer`, which may have begun.
void ChatSession::ask(qint64 parent, qint64 answer) {
    Turn* const turn = m_conversation.edit(answer);
    m_error.clear();
    m_speed.clear();
    m_choice = {};
    m_answering = answer;
    m_tokensBefore = turn->facts.tokens;
    turn->facts = {};
    turn->facts.model = QFileInfo(m_model.path()).fileName().toStdString();
    m_progress.clear();
    m_growing.invalidate();
    std::vector<Message> messages = messagesFor(m_conversation, m_settings, parent);
    if (!turn->text.empty()) messages.push_back({Role::Assistant, turn->text});
    m_model.answer(std::move(messages), m_settings);
    emit turnsChanged();
    saveNow();
}

void ChatSession::answerAgain(qint64 id) {
    const Turn* const turn = m_conversation.find(id);
    if (state() != ModelState::Ready || !turn || turn->role != Role::Assistant) return;
    const qint64 parent = turn->parent;
    m_sent = 0;
    ask(parent, m_conversation.add(parent, Role::Assistant).id);
}

void ChatSession::continueAnswer(qint64 id) {
    const Turn* const turn = m_conversation.find(id);
    if (state() != ModelState::Ready || !turn || turn->role != Role::Assistant || id != m_conversation.head.leaf) return;
    m_sent = 0;
    ask(turn->parent, id);
}

void ChatSession::editTurn(qint64 id) {
    const Turn* const turn = m_conversation.find(id);
    if (!turn || turn->role != Role::User || m_answering) return;
    m_editing = id;
    emit draftChanged(ui::text(turn->text));
    emit changed();
}

void ChatSession::cancelEdit() {
    m_editing = 0;
    emit draftChanged({});
    emit changed();
}

void ChatSession::showVersion(qint64 id, int step) {
    const std::vector<std::int64_t> versions = m_conversation.versions(id);
    const auto at = std::ranges::find(versions, id);
    const auto wanted = at - versions.begin() + step;
    if (m_answering || wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(versions.size()) || at == versions.end()) return;
    m_conversation.show(versions[static_cast<std::size_t>(wanted)]);
    emit turnsChanged();
    saveNow();
}

qint64 ChatSession::lastTurn(Role role) const {
    const auto branch = m_conversation.branch();
    const auto found = std::ranges::find(branch.rbegin(), branch.rend(), role, &Turn::role);
    return found == branch.rend() ? 0 : (*found)->id;
}

void ChatSession::takeText(const std::string& text) {
    Turn* const turn = m_conversation.edit(m_answering);
    if (!turn) return;
    turn->text += text;
    emit lastTurnGrew(text);
    showRate();
    saveSoon();
}

void ChatSession::takePromptProgress(quint64 read, quint64 total) {
    m_progress = Sentence(
        [read, total] { return tr("Reading prompt: %1 of %2 tokens").arg(QLocale().toString(read), QLocale().toString(total)); });
    emit statusChanged();
}

// From the second token on, and not with every one: numbers that change all the time cannot be read.
void ChatSession::showRate() {
    if (!m_growing.isValid()) {
        m_growing.start();
        m_firstUsed = m_model.contextUsed();
        m_shownMs = 0;
        m_progress = Sentence([] { return tr("Generating…"); });
        return emit statusChanged();
    }
    const qint64 elapsed = m_growing.elapsed();
    const std::size_t used = m_model.contextUsed();
    if (elapsed - m_shownMs < showRateEveryMs || used <= m_firstUsed) return;
    m_shownMs = elapsed;
    const double rate = static_cast<double>(used - m_firstUsed) * 1000 / static_cast<double>(elapsed);
    m_progress = Sentence([rate] { return tr("Generating: %1 tokens/s").arg(QLocale().toString(rate, 'f', 1)); });
    emit statusChanged();
}

void ChatSession::takeAnswer(const Completed& completed) {
    Turn* const turn = m_conversation.edit(std::exchange(m_answering, 0));
    if (!turn) return;
    const infer::Generated& response = completed.response;
    turn->facts = {response.cause, static_cast<std::int64_t>(response.tokens.size()) + m_tokensBefore, response.promptSeconds,
                   response.generateSeconds, std::move(turn->facts.model)};
    if (response.cause == FinishReason::Context) offerChoice();
    const auto tokens = static_cast<int>(response.tokens.size());
    m_speed = Sentence([tokens, rate = response.generateRate(), seconds = response.promptSeconds] {
        const QLocale locale;
        return tr("%n tokens · %1 tokens/s · first token after %2 s", nullptr, tokens)
            .arg(locale.toString(rate, 'f', 1), locale.toString(seconds, 'f', 2));
    });
    emit lastTurnChanged();
    saveNow();
    emit changed();
}

// A message that was not answered becomes the draft again, so that it can be changed.
void ChatSession::takeError(const Error& error) {
    m_error = Sentence(error);
    const qint64 answer = std::exchange(m_answering, 0);
    if (Turn* turn = m_conversation.edit(answer); turn && !turn->text.empty()) turn->facts.end = FinishReason::Error;
    else if (turn) m_conversation.removeLast(answer);
    if (const Turn* sent = m_conversation.find(m_sent); sent && m_conversation.head.leaf == m_sent) {
        emit draftChanged(ui::text(sent->text));
        m_conversation.removeLast(m_sent);
    }
    if (answer) saveNow();
    if (error.reason == Reason("infer.context")) offerChoice();
    if (m_choice.longer == 0 && m_choice.turnsToLeaveOut == 0) m_choice = {}; // the message alone is too long, whatever the chat
    emit turnsChanged();
    emit message(m_error.text(), true);
    emit changed();
}

void ChatSession::takeRemark(const Problem& remark) {
    m_notice = Sentence(asError(ErrorCode::Unsupported, remark));
    emit message(m_notice.text(), true);
    emit changed();
}

// Of a response that is left while it grows.
void ChatSession::endAnswer() {
    stop();
    if (Turn* turn = m_conversation.edit(std::exchange(m_answering, 0))) turn->facts.end = FinishReason::Stopped;
    saveNow();
}

// As many turns from the beginning as halve what the model reads, and whole pairs of message and response.
int ChatSession::turnsToLeaveOut() const {
    const auto branch = m_conversation.branch();
    const auto count = std::ranges::count_if(branch, [this](const Turn* turn) { return turn->id > m_settings.leftOut; });
    return count < 3 ? 0 : static_cast<int>((count / 2 + 1) / 2 * 2);
}

void ChatSession::offerChoice() {
    const ModelFacts& facts = m_model.facts();
    m_choice = {facts.context < facts.contextMax ? std::min(2 * facts.context, facts.contextMax) : 0, turnsToLeaveOut(), true};
    emit changed();
}

void ChatSession::useLongerContext() {
    if (m_choice.longer > 0) load(m_model.path(), m_choice.longer);
}

void ChatSession::leaveOutTurns() {
    int left = turnsToLeaveOut();
    for (const Turn* turn : m_conversation.branch())
        if (turn->id > m_settings.leftOut && left-- > 0) m_settings.leftOut = turn->id;
    m_choice = {};
    emit settingsChanged();
    saveSoon();
    emit turnsChanged();
    emit changed();
}

void ChatSession::startAgain() {
    if (m_answering) endAnswer();
    m_conversation = {};
    m_settings.leftOut = 0; // the rest stays as the user likes it
    m_choice = {};
    m_editing = 0;
    m_error.clear();
    m_speed.clear();
    emit settingsChanged();
    emit shownChanged(0);
    emit turnsChanged();
    emit changed();
}

void ChatSession::show(qint64 id) {
    if (m_history && id > 0 && id != m_conversation.head.id) m_history->load(id);
}

void ChatSession::takeConversation(const Conversation& conversation, History::Purpose purpose) {
    if (purpose == History::Purpose::Export) return emit exportReady(conversation);
    startAgain();
    m_conversation = conversation;
    m_settings = settingsFromJson(conversation.head.settings);
    emit settingsChanged();
    emit shownChanged(conversation.head.id);
    emit turnsChanged();
    emit changed();
}

void ChatSession::setSettings(const ConversationSettings& settings) {
    const bool isOtherTemplate = settings.chatTemplate != m_settings.chatTemplate;
    m_settings = settings;
    saveSoon();
    if (isOtherTemplate) emit changed();
}

const KnownTemplate* ChatSession::offeredTemplate() const {
    const ModelFacts& facts = m_model.facts();
    return m_model.hasModel() && !facts.hasTemplate && m_settings.chatTemplate.empty() ? findTemplate(facts.suitableTemplate)
                                                                                       : nullptr;
}

void ChatSession::useOfferedTemplate() {
    const KnownTemplate* const offered = offeredTemplate();
    if (!offered) return;
    applyTemplate(std::string(offered->source), m_settings);
    saveSoon();
    emit settingsChanged();
    emit changed();
}

void ChatSession::rename(qint64 id, const QString& title) {
    if (id == m_conversation.head.id) m_conversation.head.title = title.toStdString();
    if (m_history) m_history->rename(id, title.toStdString());
}

void ChatSession::remove(qint64 id) {
    if (id == m_conversation.head.id) startAgain();
    if (m_history) m_history->remove(id);
}

void ChatSession::requestExport(qint64 id) {
    if (id == m_conversation.head.id) emit exportReady(m_conversation);
    else if (m_history) m_history->load(id, History::Purpose::Export);
}

void ChatSession::saveSoon() {
    if (!m_saveTimer.isActive()) m_saveTimer.start();
}

void ChatSession::saveNow() {
    m_saveTimer.stop();
    if (!m_history || m_conversation.isEmpty()) return;
    ConversationHead& head = m_conversation.head;
    const bool isNew = head.id == 0;
    head.changed = QDateTime::currentMSecsSinceEpoch();
    head.settings = settingsJson(m_settings);
    if (isNew) {
        head.id = newId();
        head.created = head.changed;
    }
    if (!m_model.path().isEmpty()) head.model = m_model.path().toStdString();
    ConversationChange change{head, m_conversation.takeRemoved(), m_conversation.takeChanged()};
    m_history->save(std::move(change));
    if (isNew) emit shownChanged(head.id);
}

QString ChatSession::status() const {
    if (!m_error.text().isEmpty()) return m_error.text();
    return m_answering ? m_progress.text() : m_speed.text();
}

QJsonObject ChatSession::save() const {
    QJsonObject session{{QStringLiteral("recent"), QJsonArray::fromStringList(m_recent)}};
    session.insert(QStringLiteral("modelSettings"), modelSettingsToJson(m_model.settings()));
    if (!m_presets.isEmpty()) session.insert(QStringLiteral("presets"), presetsToJson(m_presets));
    if (m_conversation.head.id > 0) session.insert(QStringLiteral("conversation"), static_cast<qint64>(m_conversation.head.id));
    return session;
}

void ChatSession::restore(const QJsonObject& session) {
    m_recent.clear();
    for (const auto& path : session.value(QStringLiteral("recent")).toArray())
        if (path.isString() && m_recent.size() < maxRecentModels) m_recent.append(path.toString());
    m_presets = presetsFromJson(session.value(QStringLiteral("presets")).toArray());
    m_model.setSettings(modelSettingsFromJson(session.value(QStringLiteral("modelSettings")).toObject()));
    show(session.value(QStringLiteral("conversation")).toInteger());
    emit changed();
}

} // namespace wb::ui::chat
