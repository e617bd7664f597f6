// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_settings.h"
#include "ui/chat/context_choice.h"
#include "ui/chat/history.h"
#include "ui/chat/model_runner.h"
#include "ui/chat/saved_presets.h"
#include "ui/widgets/sentence.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QStringList>

namespace wb::chat {
struct KnownTemplate;
}

namespace wb::ui::chat {

// The state of the Chat tab without its widgets: one conversation with its branches, its settings and its model. A conversation is
// saved from the moment a message is sent, and once a second while a response grows. GUI thread.
class ChatSession : public QObject {
    Q_OBJECT

public:
    explicit ChatSession(const Services& services, QObject* parent = nullptr); // the services must outlive it
    ~ChatSession() override;                                                   // saves the response that grows

    ModelRunner& model() { return m_model; }
    const ModelRunner& model() const { return m_model; }
    ModelState state() const { return m_model.state(); }
    History* history() const { return m_history.get(); } // null: no store

    const wb::chat::Conversation& conversation() const { return m_conversation; }
    std::vector<wb::chat::Message> messages() const { return m_conversation.messages(); } // of the branch that is shown
    const wb::chat::ConversationSettings& settings() const { return m_settings; }
    qint64 answering() const { return m_answering; } // the turn that grows; 0: none
    qint64 editing() const { return m_editing; }     // the message that is edited; 0: none
    const ContextChoice& choice() const { return m_choice; }
    const QStringList& recentModels() const { return m_recent; }
    QString error() const { return m_error.text(); }   // of the last request; empty: none
    QString notice() const { return m_notice.text(); } // on where the model runs; empty: none
    QString status() const;                            // one sentence on the last response, or its error

    // Loads a model. A context of 0 tokens: the usual one.
    void load(const QString& path, std::size_t context = 0);
    // Loads the model again with these settings, if one is loaded. A context that was chosen for this model alone stays while the
    // context of the settings does.
    void setModelSettings(const ModelSettings& settings);

    bool send(const QString& text); // false: the model is not ready or the text is blank
    void stop() { m_model.stop(); }
    void startAgain(); // a new conversation
    void show(qint64 id);
    void editTurn(qint64 id);    // a message of the user; sending it makes a new branch
    void answerAgain(qint64 id); // makes another version of a response
    void continueAnswer(qint64 id);
    void cancelEdit();
    void showVersion(qint64 id, int step);
    void useLongerContext();
    void leaveOutTurns();
    void setSettings(const wb::chat::ConversationSettings& settings);
    const SavedPresets& presets() const { return m_presets; }
    void setPresets(const SavedPresets& presets) { m_presets = presets; }
    // A template that suits a model which has none, while none is chosen; null: nothing is to be offered.
    const wb::chat::KnownTemplate* offeredTemplate() const;
    void useOfferedTemplate();
    void rename(qint64 id, const QString& title);
    void remove(qint64 id);
    void requestExport(qint64 id); // answered by exportReady()

    // The last turn of the branch by this role; 0: none.
    qint64 lastTurn(wb::chat::Role role) const;

    QJsonObject save() const;
    void restore(const QJsonObject& session);

signals:
    void changed();                             // anything but a growing response
    void turnsChanged();                        // the branch is another one
    void lastTurnChanged();                     // only its last turn changed
    void lastTurnGrew(const std::string& text); // by this text
    void statusChanged();                       // of a response that grows
    void draftChanged(const QString& text);     // the text to be edited and sent
    void settingsChanged();                     // not by setSettings()
    void modelLoaded(const QString& path);
    void shownChanged(qint64 conversation); // in the list of conversations; 0: a new one
    void exportReady(const wb::chat::Conversation& conversation);
    void message(const QString& text, bool isError);

private:
    void connectModel();
    void connectHistory();
    void ask(qint64 parent, qint64 answer);
    void takeText(const std::string& text);
    void takePromptProgress(quint64 read, quint64 total);
    void showRate();
    void takeError(const Error& error);
    void takeRemark(const Problem& remark);
    void takeAnswer(const wb::chat::Completed& completed);
    void takeConversation(const wb::chat::Conversation& conversation, History::Purpose purpose);
    void endAnswer();
    void offerChoice();
    int turnsToLeaveOut() const;
    void rememberModel();
    void saveSoon();
    void saveNow();

    wb::chat::Conversation m_conversation;
    wb::chat::ConversationSettings m_settings;
    ContextChoice m_choice;
    qint64 m_answering = 0; // 0: none, or in a conversation that was left
    qint64 m_sent = 0;      // the message that is being answered, if it is new
    qint64 m_editing = 0;
    std::int64_t m_tokensBefore = 0; // of a response that is continued
    QStringList m_recent;
    SavedPresets m_presets;
    Sentence m_error;
    Sentence m_notice;
    Sentence m_progress;         // of the response that grows; empty: none does
    QElapsedTimer m_growing;     // since its first text
    std::size_t m_firstUsed = 0; // tokens of context at its first text
    qint64 m_shownMs = 0;        // when its rate was shown last
    Sentence m_speed;            // of the last response
    QTimer m_saveTimer;
    std::unique_ptr<History> m_history;
    ModelRunner m_model;
};

} // namespace wb::ui::chat
