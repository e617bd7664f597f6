// SPDX-License-Identifier: MIT
#include "ui/browse/downloads_work.h"

#include "ui/browse/downloads_menus.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"

#include <QAction>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

using Is = QueuedDownload::State;

WorkState workState(Is state) {
    switch (state) {
    case Is::Queued: return WorkState::Queued;
    case Is::Running: return WorkState::Running;
    case Is::Paused: return WorkState::Paused;
    case Is::Canceled: return WorkState::Canceled;
    case Is::Blocked: return WorkState::Failed;
    case Is::Done: break;
    }
    return WorkState::Done;
}

QString idText(quint64 id) { return QString::number(id); }

// Of one that is not in the queue: its files are its name.
QString idText(const DownloadRequest& request) {
    QStringList words{ui::text(request.repository.name)};
    for (const std::string& file : request.files) words << ui::text(file);
    return words.join(u'\n');
}

int shareText(const QueuedDownload& download) {
    if (download.bytes == 0) return -1;
    return static_cast<int>(1000 * std::min(1.0, static_cast<double>(download.doneBytes) / static_cast<double>(download.bytes)));
}

} // namespace

DownloadsWork::DownloadsWork(Downloads& downloads, QWidget* window) : WorkSource(window), m_downloads(downloads), m_window(window) {
    connect(&downloads, &Downloads::changed, this, &WorkSource::changed);
    connect(&downloads, &Downloads::rowChanged, this, &WorkSource::changed);
}

WorkItem DownloadsWork::item(const Downloads::Row& row) const {
    WorkItem item;
    const std::string file = row.request->files.empty() ? row.request->repository.name : row.request->files.front();
    item.title = tr("Download %1").arg(ui::text(file).section(u'/', -1));
    item.canRemove = true;
    if (!row.queued) {
        item.id = idText(*row.request);
        item.state = WorkState::Interrupted;
        item.permille = row.run->percent ? *row.run->percent * 10 : -1;
        item.canResume = true;
        return item;
    }
    const QueuedDownload& download = *row.queued;
    item.id = idText(download.id);
    item.state = m_downloads.queue().isPaused() && download.state == Is::Queued ? WorkState::Paused : workState(download.state);
    item.permille = download.state == Is::Done ? 1000 : shareText(download);
    item.job = m_downloads.job(download.id);
    item.bytes = download.bytes;
    item.canPause = download.state == Is::Queued || download.state == Is::Running;
    item.canResume = download.state == Is::Paused || download.state == Is::Canceled || download.state == Is::Blocked ||
                     (download.state == Is::Queued && download.error);
    item.canCancel = item.canPause;
    item.result = m_downloads.result(download.id);
    if (const auto waiting = m_downloads.waiting(download))
        item.reason = tr("Retrying in %1: %2").arg(durationText(waiting->seconds), translated(waiting->why));
    else if (download.error) item.reason = translated(*download.error);
    return item;
}

QList<WorkItem> DownloadsWork::items() const {
    QList<WorkItem> items;
    const int queued = static_cast<int>(m_downloads.queue().entries().size());
    for (int row = 0; row < m_downloads.rowCount(); ++row) {
        items << item(m_downloads.row(row));
        items.last().canMoveUp = row > 0 && row < queued;
        items.last().canMoveDown = row + 1 < queued;
    }
    return items;
}

Downloads::Row DownloadsWork::find(const QString& id) const {
    for (int row = 0; row < m_downloads.rowCount(); ++row)
        if (const Downloads::Row each = m_downloads.row(row); item(each).id == id) return each;
    return {};
}

void DownloadsWork::pause(const QString& id) {
    if (const auto row = find(id); row.queued) m_downloads.pause(row.queued->id);
}

void DownloadsWork::resume(const QString& id) {
    const auto row = find(id);
    if (row.queued) m_downloads.resume(row.queued->id);
    else if (row.request) m_downloads.goOn(DownloadRequest(*row.request)); // the row goes
}

void DownloadsWork::cancel(const QString& id) {
    if (const auto row = find(id); row.queued) m_downloads.cancel(row.queued->id);
}

void DownloadsWork::remove(const QString& id) {
    const auto row = find(id);
    if (!row.request) return;
    if (row.queued && row.queued->state == Is::Done) m_downloads.remove(row.queued->id);
    else askToRemove(*row.request, row.queued ? std::optional<quint64>(row.queued->id) : std::nullopt);
}

void DownloadsWork::askToRemove(const DownloadRequest& request, std::optional<quint64> id) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Remove the download?"),
                                tr("The partial download will be deleted. To finish it later, pause it instead."),
                                QMessageBox::NoButton, m_window->window());
    box->setObjectName(QStringLiteral("removeDownload"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* go = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(go, &QPushButton::clicked, this, [this, id, request] {
        if (id) m_downloads.remove(*id);
        else m_downloads.discard(request);
    });
    box->open();
}

void DownloadsWork::move(const QString& id, int places) {
    if (const auto row = find(id); row.queued) m_downloads.move(row.queued->id, places);
}

void DownloadsWork::addCommands(QMenu* menu, const QString& id) {
    if (id.isEmpty()) return addQueueCommands(menu, m_downloads);
    const auto row = find(id);
    if (!row.request) return;
    const QAction* page = menu->addAction(icon(QStringLiteral("browse")), tr("Show model page"));
    connect(page, &QAction::triggered, this,
            [this, repository = Repository(row.request->repository)] { emit pageWanted(repository); });
    if (row.queued && row.queued->state != Is::Done) addSpeedMenu(menu, m_downloads, row.queued->id);
}

} // namespace wb::ui::browse
