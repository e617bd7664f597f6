// SPDX-License-Identifier: MIT
#include "ui/chat/chat_tab.h"

#include "ui/chat/composer.h"
#include "ui/chat/model_thread.h"
#include "ui/chat/transcript.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QAction>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace wb::ui {

using namespace chat;

namespace {

constexpr int looksPerSecond = 30;
constexpr int recentModels = 5;

bool isGguf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(4) == "GGUF";
}

QLabel* makeLabel(QWidget* parent, const char* name) {
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

ChatTab::ChatTab(Services& services, QWidget* parent)
    : Tab(parent), m_services(services), m_state(ModelState::None),
      m_choose(tabAction(this, "folder", QKeySequence(Qt::CTRL | Qt::Key_M))),
      m_new(tabAction(this, "clear", QKeySequence(Qt::CTRL | Qt::Key_N))),
      m_stop(tabAction(this, "cancel", QKeySequence(Qt::Key_Escape))), m_pages(new QStackedWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    makeActions();
    m_pages->addWidget(makeChoosePage());
    m_pages->addWidget(makeTalkPage());
    m_look.setInterval(1000 / looksPerSecond);
    connect(&m_look, &QTimer::timeout, this, &ChatTab::look);
    refresh();
}

ChatTab::~ChatTab() = default;

QString ChatTab::title() const { return tr("Chat"); }

QIcon ChatTab::icon() const { return ui::icon(QStringLiteral("chat")); }

void ChatTab::makeActions() {
    for (QAction* action : {m_choose, m_new, m_stop}) addAction(action);
    connect(m_choose, &QAction::triggered, this, &ChatTab::askForModel);
    connect(m_new, &QAction::triggered, this, &ChatTab::startAgain);
    connect(m_stop, &QAction::triggered, this, &ChatTab::stop);
    keepTranslated(this, [this] {
        m_choose->setText(tr("Choose a Model for the Chat…"));
        m_new->setText(tr("New Conversation"));
        m_stop->setText(tr("Stop the Answer"));
    });
}

QWidget* ChatTab::makeChoosePage() {
    auto* page = new QWidget(m_pages);
    auto* invitation = makeLabel(page, "invitation");
    auto* choose = new QPushButton(page);
    choose->setObjectName(QStringLiteral("choose"));
    connect(choose, &QPushButton::clicked, this, &ChatTab::askForModel);
    m_chooseError = makeLabel(page, "error");
    m_recentList = new QVBoxLayout;
    keepTranslated(page, [invitation, choose] {
        invitation->setText(
            tr("Talk to a model on this computer: drop a GGUF file here, or choose one. Nothing is sent anywhere."));
        choose->setText(tr("Choose a Model…"));
    });
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->setSpacing(12);
    layout->addWidget(invitation);
    layout->addWidget(choose, 0, Qt::AlignLeft);
    layout->addWidget(m_chooseError);
    layout->addLayout(m_recentList);
    layout->addStretch(1);
    return page;
}

QWidget* ChatTab::makeTalkPage() {
    auto* page = new QWidget(m_pages);
    m_model = makeLabel(page, "model");
    m_progress = new QProgressBar(page);
    m_progress->setRange(0, 1000);
    m_transcript = new Transcript(page);
    m_status = makeLabel(page, "status");
    m_composer = new Composer(page);
    m_send = new QPushButton(page);
    m_send->setObjectName(QStringLiteral("send"));
    connect(m_composer, &Composer::sendWanted, this, &ChatTab::send);
    connect(m_send, &QPushButton::clicked, this, [this] { m_state == ModelState::Ready ? send() : stop(); });
    auto* choose = new QPushButton(page);
    auto* fresh = new QPushButton(page);
    connect(choose, &QPushButton::clicked, m_choose, &QAction::trigger);
    connect(fresh, &QPushButton::clicked, m_new, &QAction::trigger);
    keepTranslated(page, [this, choose, fresh] {
        m_progress->setAccessibleName(tr("Loading the model"));
        choose->setText(tr("Other Model…"));
        fresh->setText(tr("New Conversation"));
    });
    auto* top = new QHBoxLayout;
    top->setContentsMargins(16, 8, 16, 0);
    top->addWidget(m_model, 1);
    top->addWidget(fresh);
    top->addWidget(choose);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(16, 0, 16, 12);
    bottom->addWidget(m_composer, 1);
    bottom->addWidget(m_send, 0, Qt::AlignBottom);
    m_status->setContentsMargins(16, 0, 16, 0);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(top);
    layout->addWidget(m_progress);
    layout->addWidget(m_transcript, 1);
    layout->addWidget(m_status);
    layout->addLayout(bottom);
    return page;
}

void ChatTab::askForModel() {
    const QString folder = m_services.openFolder ? m_services.openFolder() : QString();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Choose a model to talk to"), folder, tr("GGUF models (*.gguf)"));
    });
    if (!path.isEmpty()) openPaths({path});
}

bool ChatTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1) return false;
    m_path = paths.first();
    m_error.clear();
    m_messages.clear();
    m_transcript->clear();
    m_status->clear();
    if (!m_thread) m_thread = std::make_unique<ModelThread>(m_services.threads);
    m_thread->load(std::filesystem::path(m_path.toStdU16String()));
    setState(ModelState::Loading);
    m_look.start();
    return true;
}

bool ChatTab::takeDrop(const QStringList& paths) { return paths.size() == 1 && isGguf(paths.first()) && openPaths(paths); }

void ChatTab::startAgain() {
    if (m_state == ModelState::Answering) stop();
    m_messages.clear();
    m_transcript->clear();
    m_error.clear();
    m_status->clear();
    m_composer->setFocus();
}

void ChatTab::send() {
    const QString text = m_composer->toPlainText();
    if (m_state != ModelState::Ready || text.trimmed().isEmpty()) return;
    m_error.clear();
    m_status->clear();
    m_composer->clear();
    m_messages.push_back({"user", text.toStdString()});
    m_transcript->addTurn(m_messages.back());
    m_thread->ask(m_messages, {});
    m_messages.push_back({"assistant", ""});
    m_transcript->addTurn(m_messages.back());
    setState(ModelState::Answering);
    m_look.start();
}

void ChatTab::stop() {
    if (m_thread) m_thread->stop();
}

void ChatTab::look() {
    const Update update = m_thread->take();
    if (update.state == ModelState::Loading) m_progress->setValue(static_cast<int>(update.loaded * 1000));
    if (!update.text.empty() && !m_messages.empty()) {
        m_messages.back().content += update.text;
        m_transcript->append(QString::fromStdString(update.text));
    }
    const bool over = update.state != m_state;
    if (over && m_state == ModelState::Loading && update.state == ModelState::Ready) rememberModel();
    setState(update.state);
    if (update.error) takeError(*update.error);
    if (update.answer) takeAnswer(update);
    if (over && m_state != ModelState::Loading && m_state != ModelState::Answering) m_look.stop();
    if (over && m_state == ModelState::Ready) m_composer->setFocus();
}

// A message that was not answered goes back to where it was written, so that it can be changed.
void ChatTab::takeError(const Error& error) {
    m_error = Sentence(error);
    if (m_messages.size() >= 2 && m_messages.back().content.empty()) {
        m_composer->setPlainText(QString::fromStdString(m_messages[m_messages.size() - 2].content));
        m_messages.resize(m_messages.size() - 2);
        m_transcript->setMessages(m_messages);
    }
    emit message(m_error.text(), true);
    refresh();
}

QString ChatTab::endText(const Update& update) const {
    switch (update.answer->cause) {
    case infer::EndCause::EndOfText: return {};
    case infer::EndCause::Length: return tr("The answer ended at its limit of tokens.");
    case infer::EndCause::StopString: return tr("The answer ended at a stop text.");
    case infer::EndCause::Context: return tr("The context is full, so the answer ends here. Begin a new conversation to go on.");
    case infer::EndCause::Stopped: return tr("You stopped the answer.");
    }
    return {};
}

void ChatTab::takeAnswer(const Update& update) {
    if (const QString note = endText(update); !note.isEmpty()) m_transcript->addNote(note);
    const QLocale locale;
    m_status->setText(
        tr("%n tokens, %1 a second; the first after %2 s", nullptr, static_cast<int>(update.answer->tokens.size()))
            .arg(locale.toString(update.answer->generateRate(), 'f', 1), locale.toString(update.answer->promptSeconds, 'f', 2)));
}

void ChatTab::setState(ModelState state) {
    m_state = state;
    refresh();
}

void ChatTab::refresh() {
    const bool talks = m_state == ModelState::Ready || m_state == ModelState::Answering || m_state == ModelState::Loading;
    m_pages->setCurrentIndex(talks ? 1 : 0);
    m_chooseError->setText(m_error.text());
    m_chooseError->setVisible(!m_error.text().isEmpty());
    if (talks && !m_error.text().isEmpty()) m_status->setText(m_error.text());
    m_model->setText(QFileInfo(m_path).fileName());
    m_model->setToolTip(plainText(m_path));
    m_progress->setVisible(m_state == ModelState::Loading);
    const bool busy = m_state == ModelState::Loading || m_state == ModelState::Answering;
    m_send->setText(busy ? tr("Stop") : tr("Send"));
    m_stop->setEnabled(busy);
    m_new->setEnabled(m_state == ModelState::Ready || m_state == ModelState::Answering);
    if (!talks) refreshRecent();
}

void ChatTab::refreshRecent() {
    while (QLayoutItem* item = m_recentList->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& path : std::as_const(m_recent)) {
        auto* button =
            new QPushButton(QFileInfo(path).fileName().replace(QLatin1Char('&'), QStringLiteral("&&")), m_pages->widget(0));
        button->setFlat(true);
        button->setToolTip(plainText(path));
        connect(button, &QPushButton::clicked, this, [this, path] { openPaths({path}); });
        m_recentList->addWidget(button, 0, Qt::AlignLeft);
    }
}

void ChatTab::rememberModel() {
    m_recent.removeAll(m_path);
    m_recent.prepend(m_path);
    while (m_recent.size() > recentModels) m_recent.removeLast();
    emit opened(m_path);
}

QList<QAction*> ChatTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    for (QAction* action : {m_choose, m_new, m_stop})
        if (found.size() < limit && action->isEnabled() && action->text().contains(text, Qt::CaseInsensitive)) found.append(action);
    return found;
}

QJsonObject ChatTab::saveSession() const { return {{QStringLiteral("recent"), QJsonArray::fromStringList(m_recent)}}; }

void ChatTab::restoreSession(const QJsonObject& session) {
    m_recent.clear();
    for (const auto& path : session.value(QStringLiteral("recent")).toArray())
        if (path.isString() && m_recent.size() < recentModels) m_recent.append(path.toString());
    refresh();
}

void ChatTab::changeEvent(QEvent* event) {
    Tab::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    refresh();
    m_transcript->setMessages(m_messages);
}

} // namespace wb::ui
