// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/jobs_tray.h"

#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/jobs/progress_delegate.h"
#include "ui/widgets/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>

namespace wb::ui {
namespace {

QTreeView* makeView(JobsModel* model, QWidget* parent) {
    auto* view = new QTreeView(parent);
    view->setModel(model);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setItemDelegateForColumn(JobsModel::Progress, new ProgressDelegate(view));
    view->header()->setStretchLastSection(false);
    view->header()->setSectionResizeMode(JobsModel::Title, QHeaderView::Stretch);
    for (const int column : {JobsModel::State, JobsModel::Speed, JobsModel::TimeLeft}) view->setColumnWidth(column, 120);
    view->setColumnWidth(JobsModel::Progress, 200);
    return view;
}

} // namespace

JobsTray::JobsTray(JobsModel* model, QWidget* parent)
    : QFrame(parent), m_model(model), m_heading(new QLabel(this)), m_view(makeView(model, this)) {
    setObjectName(QStringLiteral("jobsTray"));
    m_heading->setProperty("heading", "section");
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(14, 6, 8, 2);
    bar->addWidget(m_heading);
    bar->addStretch();
    for (QToolButton* button : {m_pause = addButton(QStringLiteral("pause")), m_cancel = addButton(QStringLiteral("cancel")),
                               m_clear = addButton(QStringLiteral("clear")), m_close = addButton(QStringLiteral("chevron-down"))})
        bar->addWidget(button);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view);

    connect(m_pause, &QToolButton::clicked, this, &JobsTray::pauseOrResume);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (const auto job = chosen()) job->cancelByUser();
    });
    connect(m_clear, &QToolButton::clicked, m_model, &JobsModel::clearFinished);
    m_close->setObjectName(QStringLiteral("closeJobs"));
    connect(m_close, &QToolButton::clicked, this, &JobsTray::closeWanted);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &JobsTray::updateButtons);
    connect(m_model, &JobsModel::dataChanged, this, &JobsTray::updateButtons);
    connect(m_model, &JobsModel::countsChanged, this, &JobsTray::updateButtons);
    connect(m_model, &JobsModel::rowsInserted, this,
            [this](const QModelIndex&, int, int last) { m_view->setCurrentIndex(m_model->index(last, 0)); });
    retranslate();
}

void JobsTray::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_model->retranslate();
        retranslate();
    }
    QFrame::changeEvent(event);
}

QToolButton* JobsTray::addButton(const QString& iconName) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(iconName));
    button->setIconSize({20, 20});
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

std::shared_ptr<Job> JobsTray::chosen() const { return m_model->job(m_view->currentIndex().row()); }

void JobsTray::pauseOrResume() {
    if (const auto job = chosen()) job->setPaused(job->state() != JobState::Paused);
}

void JobsTray::updateButtons() {
    const auto job = chosen();
    const bool isPaused = job && job->state() == JobState::Paused;
    m_pause->setEnabled(job && (isPaused || job->state() == JobState::Running) && !job->isStopping());
    m_pause->setIcon(icon(isPaused ? QStringLiteral("resume") : QStringLiteral("pause")));
    m_pause->setToolTip(isPaused ? tr("Resume selected job") : tr("Pause selected job"));
    m_pause->setAccessibleName(m_pause->toolTip());
    m_cancel->setEnabled(job && !job->isFinished() && !job->isStopping());
    m_clear->setEnabled(m_model->unfinishedCount() < m_model->rowCount());
}

void JobsTray::retranslate() {
    m_heading->setText(tr("Jobs"));
    m_view->setAccessibleName(tr("Jobs"));
    m_cancel->setToolTip(tr("Cancel selected job"));
    m_clear->setToolTip(tr("Clear finished jobs"));
    m_close->setToolTip(tr("Hide jobs (use the button below to show them again)"));
    for (QToolButton* button : {m_cancel, m_clear, m_close}) button->setAccessibleName(button->toolTip());
    updateButtons();
}

} // namespace wb::ui
