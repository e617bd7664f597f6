// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"
#include "ui/shell/tab.h"
#include "ui/widgets/sentence.h"

#include "core/infer/chat_prompt.h"

#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace wb::ui::chat {
class Composer;
class ModelThread;
class Transcript;
enum class ModelState;
struct Update;
} // namespace wb::ui::chat

namespace wb::ui {

// Talks to a GGUF model on this computer: choose one, write, and the answer streams.
class ChatTab : public Tab {
    Q_OBJECT

public:
    // The services must outlive the tab.
    explicit ChatTab(Services& services, QWidget* parent = nullptr);
    ~ChatTab() override;

    QString id() const override { return QStringLiteral("chat"); }
    QString title() const override;
    QIcon icon() const override;
    bool openPaths(const QStringList& paths) override;
    bool takeDrop(const QStringList& paths) override; // a GGUF model
    QList<QAction*> paletteActions(const QString& text, int limit) override;
    QJsonObject saveSession() const override;
    void restoreSession(const QJsonObject& session) override;

    chat::ModelState state() const { return m_state; }
    const std::vector<infer::ChatMessage>& messages() const { return m_messages; }
    void send();
    void stop();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeChoosePage();
    QWidget* makeTalkPage();
    void makeActions();
    void askForModel();
    void startAgain();
    void look();
    void takeError(const Error& error);
    void takeAnswer(const chat::Update& update);
    QString endText(const chat::Update& update) const;
    void setState(chat::ModelState state);
    void refresh();
    void refreshRecent();
    void rememberModel();

    Services& m_services;
    std::unique_ptr<chat::ModelThread> m_thread;
    chat::ModelState m_state;
    QString m_path; // of the model that is loaded or being loaded
    QStringList m_recent;
    std::vector<infer::ChatMessage> m_messages;
    Sentence m_error;
    QTimer m_look;

    QAction* m_choose;
    QAction* m_new;
    QAction* m_stop;
    QStackedWidget* m_pages;
    QLabel* m_chooseError = nullptr;
    QVBoxLayout* m_recentList = nullptr;
    QLabel* m_model = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_status = nullptr;
    chat::Transcript* m_transcript = nullptr;
    chat::Composer* m_composer = nullptr;
    QPushButton* m_send = nullptr;
};

} // namespace wb::ui
