// SPDX-License-Identifier: MIT
#pragma once

#include "ui/chat/chat_session.h"
#include "ui/shell/tab.h"

class QScrollArea;
class QStackedWidget;

namespace wb::ui::chat {
class AnswerPanel;
class ChoosePage;
class HistoryPanel;
class ModelList;
class ModelPanel;
class ModelPicker;
class TalkPage;
} // namespace wb::ui::chat

namespace wb::ui {

class DangerQuestion;

// Talks to a GGUF model on this computer: choose one, write, and the answer streams. The view of a ChatSession.
class ChatTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit ChatTab(const Services& services, QWidget* parent = nullptr);
    ~ChatTab() override;

    chat::ChatSession& session() { return m_session; }

    QString id() const override { return QStringLiteral("chat"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override; // asks first about code in a model
    bool takeDrop(const QStringList& paths) override;  // a GGUF model
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QJsonObject saveSession() const override { return m_session.save(); }
    void restoreSession(const QJsonObject& session) override;

    // Loads a model with this many tokens of context.
    void openWith(const QString& path, std::size_t context) { load(path, context); }

    void send(); // the text in the composer
    void startAgain();
    void editTurn(qint64 id);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override; // only then devices are searched

private:
    void layOut();
    void makeActions();
    void connectPage();
    void connectTranscript();
    void connectSession();
    void connectHistory();
    void offerDevices();
    void fitSettings();
    void connectList(chat::ModelList* list);
    void askForModel(); // by the list
    void askForFile();
    void showModels();
    void load(const QString& path, std::size_t context);
    void exportConversation(const wb::chat::Conversation& conversation);
    void openLink(const QString& address);
    void showTurns();
    void showPlan();
    void enterModel();
    void refresh();

    const Services& m_services;
    chat::ChatSession m_session;
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
    chat::HistoryPanel* m_panel;
    chat::ChoosePage* m_choosePage;
    chat::TalkPage* m_talk;
    chat::AnswerPanel* m_answerPanel;
    chat::ModelPanel* m_modelPanel;
    QScrollArea* m_settings; // the two panels
    chat::ModelPicker* m_picker;
    DangerQuestion* m_question;
};

} // namespace wb::ui
