// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/load_plan.h"
#include "ui/chat/context_choice.h"

#include <QWidget>

#include <optional>

class QAction;
class QFrame;
class QLabel;
class QProgressBar;
class QPushButton;

namespace wb::ui::chat {

class Composer;
class Transcript;

// The conversation with its model above it and the next message beneath it. Shows what the tab tells it.
class TalkPage : public QWidget {
    Q_OBJECT

public:
    // `settings` shows and hides how answers are made.
    explicit TalkPage(QAction* settings, QWidget* parent = nullptr);

    Transcript* transcript() const { return m_transcript; }
    Composer* composer() const { return m_composer; }

    void setModel(const QString& path, const QString& offered);  // "": none; `offered` can be loaded instead
    void setPlan(const std::optional<wb::chat::LoadPlan>& plan); // of the model above
    void setNotice(const QString& sentence);                     // on where the model runs; empty: none
    void setOfferedTemplate(const QString& name);                // for a model without one; empty: it has one, or none is loaded
    void setLoading(bool isLoading, double done = 0);
    void setBusy(bool isBusy, bool canSend);
    void setStatus(const QString& sentence);
    void setContext(std::size_t used, std::size_t size); // tokens; size 0: hidden
    void setEditing(bool isEditing);
    void setChoice(const ContextChoice& choice);

signals:
    void chooseWanted();
    void loadOfferedWanted();
    void useTemplateWanted();
    void sendOrStopWanted();
    void sendWanted();
    void cancelEditWanted();
    void longerContextWanted();
    void leaveOutWanted();
    void newWanted();

private:
    QWidget* makeTop(QAction* settings);
    QWidget* makeTemplateBar();
    QWidget* makeChoices();
    QWidget* makeComposerRow();
    QWidget* makeEditBar();
    QWidget* makeStatus();
    void retranslate();
    QString planLine() const;
    QString planText() const;
    QString devicePlanText() const;

    QLabel* m_model = nullptr;
    QLabel* m_planText = nullptr;
    QLabel* m_notice = nullptr;
    QPushButton* m_load = nullptr;
    QWidget* m_templateBar = nullptr;
    QPushButton* m_useTemplate = nullptr;
    QProgressBar* m_progress;
    Transcript* m_transcript;
    QFrame* m_choices = nullptr;
    QPushButton* m_longer = nullptr;
    QPushButton* m_leaveOut = nullptr;
    QWidget* m_editBar = nullptr;
    QLabel* m_status = nullptr;
    QLabel* m_contextText = nullptr;
    QProgressBar* m_context = nullptr;
    Composer* m_composer;
    QPushButton* m_send;
    QString m_offered;
    QString m_offeredTemplate;
    ContextChoice m_choice;
    std::optional<wb::chat::LoadPlan> m_plan;
    std::size_t m_used = 0, m_size = 0;
    bool m_isBusy = false;
};

} // namespace wb::ui::chat
