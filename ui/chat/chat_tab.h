// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_settings.h"
#include "ui/chat/history.h"
#include "ui/chat/runners.h"
#include "ui/chat/talk_page.h"
#include "ui/chat/transcript.h"
#include "ui/shell/services.h"
#include "ui/shell/tab.h"
#include "ui/widgets/sentence.h"

#include <QTimer>

#include <optional>

class QStackedWidget;
class QVBoxLayout;

namespace wb::ui::chat {
class AnswerPanel;
class ChoosePage;
class DeviceRow;
class HistoryPanel;
} // namespace wb::ui::chat

namespace wb::chat {
class ModelThread;
enum class ModelState;
struct Update;
} // namespace wb::chat

namespace wb::ui {

class DangerQuestion;

// Talks to a GGUF model on this computer: choose one, write, and the answer streams. Conversations with all their branches are kept
// by the store, from the moment a message is sent and once a second while an answer grows.
class ChatTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab. Without a store conversations last as long as the program.
    explicit ChatTab(Services& services, wb::chat::OpenConversations openStore = {}, QWidget* parent = nullptr);

    // Lets the user choose where models run. Called before the tab is first shown; without it they run on the processor.
    void setRunners(chat::Runners runners) { m_runners = std::move(runners); }

    ~ChatTab() override;

    QString id() const override { return QStringLiteral("chat"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override;
    bool takeDrop(const QStringList& paths) override; // a GGUF model
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;

    wb::chat::ModelState state() const { return m_state; }
    const wb::chat::Conversation& conversation() const { return m_conversation; }
    std::vector<wb::chat::Message> messages() const { return m_conversation.messages(); } // of the branch that is shown
    chat::History* history() const { return m_history.get(); }

    // Loads a model with so many tokens of context.
    void openWith(const QString& path, std::size_t context) { load(path, context); }

    void send();
    void stop();
    void startAgain();
    void showConversation(qint64 id);
    void editTurn(qint64 id);    // a message of the user, which becomes a new branch when it is sent
    void answerAgain(qint64 id); // an answer, of which another version is made
    void continueAnswer(qint64 id);
    void showVersion(qint64 id, int step);
    void useLongerContext();
    void leaveOutTurns();

    // For tests: each answer from now on stands still when it has so many bytes, until it is stopped. 0: none does.
    void holdAnswersAfter(std::size_t bytes) { m_holdAfter = bytes; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override; // only then devices are looked for

private:
    void makeActions();
    void connectPage();
    void connectHistory();
    void keepSettings();
    void makeDeviceRow();
    void useDevice();
    void askForModel();
    void load(const QString& path, std::size_t context);
    void ask(qint64 parent, qint64 answer);
    std::vector<wb::chat::Message> messagesFor(qint64 turn) const;
    void look();
    void takeText(const wb::chat::Update& update);
    void takeError(const Error& error);
    void takeRemarks(const std::vector<Problem>& remarks);
    void takeAnswer(const wb::chat::Update& update);
    void offerChoice();
    int turnsToLeaveOut() const;
    void endAnswer(infer::FinishReason end); // of an answer that is left while it grows
    void save();
    void take(const wb::chat::Conversation& conversation, chat::History::Purpose purpose);
    void exportConversation(const wb::chat::Conversation& conversation);
    void removeConversation(qint64 id, const QString& title);
    void openLink(const QString& address);
    void giveUpEditing();
    qint64 lastOf(wb::chat::Role role) const;
    void showTurns();
    void showLast(const wb::chat::Turn& turn);
    void setState(wb::chat::ModelState state);
    void refresh();
    void rememberModel();

    Services& m_services;
    chat::Runners m_runners;
    std::unique_ptr<wb::chat::ModelThread> m_thread;
    std::unique_ptr<chat::History> m_history;
    wb::chat::ModelState m_state;
    QString m_path; // of the model that is loaded or being loaded
    QStringList m_recent;
    wb::chat::Conversation m_conversation;
    wb::chat::ConversationSettings m_settings;
    chat::ContextChoice m_choice;
    qint64 m_answering = 0;          // the turn that grows; 0: none, or of a conversation that was left
    qint64 m_sent = 0;               // the message that is being answered, if it is new
    qint64 m_editing = 0;            // the message that is being changed
    std::int64_t m_tokensBefore = 0; // of an answer that is continued
    std::size_t m_context = 0;       // tokens that the loaded model holds
    std::size_t m_contextMax = 0;    // and could hold
    std::size_t m_holdAfter = 0;
    Sentence m_error;
    Sentence m_notice;                        // on where the model runs
    std::optional<QString> m_device;          // that models run on; empty: the one of the settings
    std::optional<std::uint64_t> m_gpuLayers; // on it; empty: as many as fit
    QTimer m_look;
    QTimer m_saveSoon;

    QAction* m_answers; // shows how answers are made
    QAction* m_choose;
    QAction* m_new;
    QAction* m_stop;
    QAction* m_again;
    QAction* m_edit;
    QAction* m_continue;
    QAction* m_previous;
    QAction* m_next;
    QStackedWidget* m_pages;
    QVBoxLayout* m_layout;
    chat::DeviceRow* m_deviceRow = nullptr; // null: not shown yet, or there is no choice
    chat::HistoryPanel* m_panel;
    chat::ChoosePage* m_choosePage;
    chat::TalkPage* m_talk;
    chat::AnswerPanel* m_answerPanel;
    DangerQuestion* m_question;
};

} // namespace wb::ui
