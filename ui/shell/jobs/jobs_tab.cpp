// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/jobs_tab.h"

#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/jobs/progress_delegate.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace wb::ui {
namespace {

QTreeView* makeView(JobsModel& model, QWidget* parent) {
    auto* view = new QTreeView(parent);
    view->setObjectName(QStringLiteral("jobs"));
    view->setModel(&model);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setTextElideMode(Qt::ElideMiddle); // names of files differ at their ends
    view->setItemDelegateForColumn(JobsModel::Progress, new ProgressDelegate(view));
    view->header()->setStretchLastSection(false);
    view->header()->setSectionResizeMode(JobsModel::Title, QHeaderView::Stretch);
    for (const int column : {JobsModel::State, JobsModel::Speed, JobsModel::TimeLeft}) view->setColumnWidth(column, 100);
    view->setColumnWidth(JobsModel::Size, 80);
    view->setColumnWidth(JobsModel::Progress, 130);
    return view;
}

} // namespace

JobsTab::JobsTab(JobsModel& jobs, QWidget* parent)
    : Tab(parent), m_jobs(jobs), m_view(makeView(jobs, this)), m_empty(makeMutedLabel(this)), m_reason(makeMutedLabel(this)),
      m_more(new QToolButton(this)) {
    makeActions();
    auto* buttons = new QHBoxLayout;
    for (QAction* action : {m_pause, m_resume, m_cancel, m_remove, m_inspect, m_chat, m_reveal}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* clear = new QToolButton(this);
    clear->setDefaultAction(m_clear);
    clear->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    buttons->addWidget(clear);
    m_more->setObjectName(QStringLiteral("moreJobs"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    connect(m_more->menu(), &QMenu::aboutToShow, this, &JobsTab::fillMenu);
    buttons->addWidget(m_more);
    m_empty->setAlignment(Qt::AlignCenter);
    m_reason->setObjectName(QStringLiteral("jobReason"));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(buttons);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_reason);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &JobsTab::refresh);
    connect(&m_jobs, &JobsModel::dataChanged, this, &JobsTab::refresh);
    connect(&m_jobs, &JobsModel::countsChanged, this, &JobsTab::refresh);
    connect(&m_jobs, &JobsModel::rowsRemoved, this, &JobsTab::refresh);
    keepTranslated(this, [this] { retranslate(); });
}

QString JobsTab::title() const { return tr("Jobs"); }

QIcon JobsTab::icon() const { return ui::icon(QStringLiteral("jobs")); }

QAction* JobsTab::addCommand(const char* name, const char* icon, const QKeySequence& shortcut,
                             const std::function<void(int row)>& run) {
    QAction* const action = tabAction(this, icon, shortcut);
    action->setObjectName(QLatin1String(name));
    connect(action, &QAction::triggered, this, [this, run] { run(m_view->currentIndex().row()); });
    addAction(action);
    return action;
}

void JobsTab::makeActions() {
    m_pause = addCommand("pauseJob", "pause", {}, [this](int row) { m_jobs.pause(row); });
    m_resume = addCommand("resumeJob", "resume", {}, [this](int row) { m_jobs.resume(row); });
    m_cancel = addCommand("cancelJob", "cancel", {}, [this](int row) { m_jobs.cancel(row); });
    m_remove = addCommand("removeJob", "remove", QKeySequence(Qt::Key_Delete), [this](int row) { m_jobs.remove(row); });
    m_inspect =
        addCommand("inspectResult", "inspect", QKeySequence(Qt::CTRL | Qt::Key_Return), [this](int row) { open(row, "inspect"); });
    m_chat = addCommand("chatResult", "chat", {}, [this](int row) { open(row, "chat"); });
    m_reveal = addCommand("revealResult", "folder", QKeySequence(Qt::CTRL | Qt::Key_E), [this](int row) {
        const QFileInfo result(m_jobs.work(row).result);
        QDesktopServices::openUrl(QUrl::fromLocalFile(result.isDir() ? result.filePath() : result.path()));
    });
    m_up = addCommand("moveJobUp", "sort-up", QKeySequence(Qt::ALT | Qt::Key_Up), [this](int) { move(-1); });
    m_down = addCommand("moveJobDown", "sort-down", QKeySequence(Qt::ALT | Qt::Key_Down), [this](int) { move(1); });
    m_clear = addCommand("clearJobs", "clear", {}, [this](int) { m_jobs.clearFinished(); });
    m_view->addActions({m_pause, m_resume, m_cancel, m_remove, m_inspect, m_chat, m_reveal, m_up, m_down});
    showActionsOnRightClick(m_view);
    chooseRowOnTab(m_view);
    connect(m_view, &QTreeView::activated, m_inspect, &QAction::trigger);
}

void JobsTab::open(int row, const char* tab) {
    if (const QString result = m_jobs.work(row).result; !result.isEmpty()) emit handOverWanted(QLatin1String(tab), {result});
}

void JobsTab::move(int places) { m_view->setCurrentIndex(m_jobs.index(m_jobs.move(m_view->currentIndex().row(), places), 0)); }

// First for the row, then for all work.
void JobsTab::fillMenu() {
    QMenu* const menu = m_more->menu();
    menu->clear();
    menu->addActions({m_up, m_down});
    if (const QModelIndex current = m_view->currentIndex(); current.isValid()) m_jobs.addCommands(menu, current.row());
    menu->addSeparator();
    m_jobs.addCommands(menu, -1);
}

void JobsTab::showEvent(QShowEvent* event) {
    Tab::showEvent(event);
    m_jobs.refresh();
}

QString JobsTab::reminder() const {
    const int waiting = m_jobs.waitingCount();
    return waiting == 0 ? QString() : tr("%n interrupted or paused job(s) can be resumed.", nullptr, waiting);
}

void JobsTab::selectRunning() {
    if (const int row = m_jobs.currentRow(); row >= 0) m_view->setCurrentIndex(m_jobs.index(row, 0));
}

// Nothing is chosen by itself but the first: a row that comes must not move what the buttons act on.
void JobsTab::refresh() {
    const bool hasRows = m_jobs.rowCount() > 0;
    m_empty->setVisible(!hasRows);
    m_view->setVisible(hasRows);
    if (hasRows && !m_view->currentIndex().isValid()) m_view->setCurrentIndex(m_jobs.index(0, 0));
    const WorkItem work = m_jobs.work(m_view->currentIndex().row());
    m_pause->setEnabled(work.canPause);
    m_resume->setText(work.state == WorkState::Failed ? tr("Retry") : tr("Resume"));
    m_up->setEnabled(work.canMoveUp);
    m_down->setEnabled(work.canMoveDown);
    m_resume->setEnabled(work.canResume);
    m_cancel->setEnabled(work.canCancel);
    m_remove->setEnabled(work.canRemove);
    for (QAction* action : {m_inspect, m_reveal}) action->setEnabled(!work.result.isEmpty());
    m_chat->setEnabled(work.result.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive));
    m_clear->setEnabled(m_jobs.canClear());
    m_reason->setText(work.reason);
    m_reason->setVisible(!work.reason.isEmpty());
    if (std::exchange(m_reminder, reminder()) != m_reminder) emit reminderChanged();
}

QList<QAction*> JobsTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    for (QAction* action : actions())
        if (found.size() < limit && action->isEnabled() && action->text().contains(text, Qt::CaseInsensitive)) found << action;
    return found;
}

void JobsTab::retranslate() {
    m_pause->setText(tr("Pause"));
    m_cancel->setText(tr("Cancel"));
    m_remove->setText(tr("Remove"));
    m_inspect->setText(tr("Open in Inspect"));
    m_chat->setText(tr("Chat"));
    m_reveal->setText(tr("Show in folder"));
    m_clear->setText(tr("Clear finished"));
    m_up->setText(tr("Move up"));
    m_down->setText(tr("Move down"));
    m_more->setText(tr("More"));
    m_more->setToolTip(tr("Order, speed limits, schedule and pauses"));
    m_empty->setText(tr("No jobs. Downloads, conversions and other long work are listed here."));
    m_view->setAccessibleName(tr("Jobs"));
    m_jobs.retranslate();
    refresh();
}

} // namespace wb::ui
