// SPDX-License-Identifier: MIT
#include "ui/memory/memory_tab.h"

#include "ui/memory/memory_view.h"
#include "ui/memory/settings_panel.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>

namespace wb::ui {

using namespace memory;

MemoryTab::MemoryTab(Services& services, MemoryLister lister, QWidget* parent)
    : Tab(parent), m_services(services), m_session(new MemorySession(services, std::move(lister), this)),
      m_choose(tabAction(this, "file", QKeySequence(Qt::CTRL | Qt::Key_M))),
      m_type(tabAction(this, "memory", QKeySequence(Qt::CTRL | Qt::Key_L))), m_what(new QLineEdit(this)),
      m_bar(new MessageBar(this)), m_empty(makeMutedLabel(this)), m_stack(new QStackedWidget(this)),
      m_view(new MemoryView(*m_session, this)) {
    auto* answer = new QWidget(this);
    auto* columns = new QHBoxLayout(answer);
    auto* settings = new SettingsPanel(*m_session, answer);
    settings->setFixedWidth(250);
    columns->addWidget(settings, 0, Qt::AlignTop);
    columns->addWidget(m_view, 1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(answer);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeQuestion());
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    m_bar->hide();
    addActions({m_choose, m_type});
    connect(m_choose, &QAction::triggered, this, &MemoryTab::askForModel);
    connect(m_type, &QAction::triggered, this, [this] {
        m_what->setFocus(Qt::ShortcutFocusReason);
        m_what->selectAll();
    });
    connect(m_session, &MemorySession::changed, this, &MemoryTab::refresh);
    connect(m_session, &MemorySession::opened, this, [this] {
        if (QFileInfo::exists(m_session->what())) emit Tab::opened(m_session->what());
    });
    keepTranslated(this, [this] { retranslate(); });
}

MemoryTab::~MemoryTab() = default;

QString MemoryTab::title() const { return tr("Memory"); }

QIcon MemoryTab::icon() const { return ui::icon(QStringLiteral("memory")); }

QWidget* MemoryTab::makeQuestion() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_what->setObjectName(QStringLiteral("what"));
    m_what->setClearButtonEnabled(true);
    connect(m_what, &QLineEdit::returnPressed, this, [this] { m_session->open(m_what->text()); });
    auto* choose = new QToolButton(row);
    choose->setDefaultAction(m_choose);
    choose->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(m_what, 1);
    layout->addWidget(choose);
    return row;
}

void MemoryTab::askForModel() {
    const QString folder = m_services.openFolder ? m_services.openFolder() : QString();
    const QString path = askFrom(
        this, [&folder](QWidget* window) { return QFileDialog::getOpenFileName(window, tr("Choose a model to count"), folder); });
    if (!path.isEmpty()) openPaths({path});
}

bool MemoryTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1) return false;
    m_what->setText(paths.first());
    m_session->open(paths.first());
    return true;
}

bool MemoryTab::takeDrop(const QStringList& paths) { return openPaths(paths); }

QList<QAction*> MemoryTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    for (QAction* action : {m_choose, m_type})
        if (found.size() < limit && action->text().contains(text, Qt::CaseInsensitive)) found << action;
    return found;
}

QJsonObject MemoryTab::saveSession() const {
    if (!m_session->counted()) return {};
    return {{QStringLiteral("what"), m_session->what()}};
}

void MemoryTab::restoreSession(const QJsonObject& session) {
    const QString what = session.value(QStringLiteral("what")).toString();
    if (what.isEmpty()) return;
    m_what->setText(what);
    m_session->open(what);
}

void MemoryTab::refresh() {
    m_stack->setCurrentIndex(m_session->counted() ? 1 : 0);
    m_view->setEnabled(m_session->estimate() != nullptr);
    if (m_session->failure().isEmpty()) m_bar->hide();
    else m_bar->showMessage(m_session->failure());
}

void MemoryTab::retranslate() {
    m_choose->setText(tr("Choose a model to count…"));
    m_type->setText(tr("Type the size or name of a model"));
    m_what->setPlaceholderText(tr("7B, 8x7B, 235B-A22B, Qwen3-8B or the path of a model; Enter counts"));
    m_what->setAccessibleName(tr("Size, name or path of the model"));
    m_empty->setText(tr("Type a size such as 7B, or drop a model here, to see what it needs in memory."));
    refresh();
}

} // namespace wb::ui
