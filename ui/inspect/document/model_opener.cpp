// SPDX-License-Identifier: MIT
#include "ui/inspect/document/model_opener.h"

#include "core/formats/open.h"
#include "core/jobs/job_threads.h"
#include "ui/shell/jobs/start_job.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

namespace wb::ui::inspect {

ModelOpener::ModelOpener(const Services& services, QObject* parent) : QObject(parent), m_services(services) {}

bool isRemotePath(const QString& path) {
    return (path.startsWith(QStringLiteral("hf:")) || path.startsWith(QStringLiteral("ms:"))) && !QFileInfo::exists(path);
}

void ModelOpener::open(const OpenRequest& request) {
    m_queue.append(request);
    if (m_queue.size() == 1) next();
}

void ModelOpener::cancel() {
    if (m_queue.isEmpty()) return;
    m_queue.resize(1);
    m_job->cancel();
}

QString ModelOpener::opening() const { return m_queue.isEmpty() ? QString() : m_queue.first().path; }

QList<OpenRequest> ModelOpener::unfinished() const { return m_queue; }

void ModelOpener::next() {
    emit busyChanged();
    if (m_queue.isEmpty()) return;
    const auto work = [path = m_queue.first().path, threads = m_services.settings->threads(),
                       remote = m_services.openRemote](const Progress& progress) -> Result<stats::Contents> {
        if (remote && isRemotePath(path)) {
            const jobs::JobThreads::Idle waiting; // a hub that does not answer keeps no file from being opened
            WB_TRY_ASSIGN(ModelPtr far, remote(path.toStdString(), progress));
            return stats::modelContents(std::move(far), threads);
        }
        formats::OpenOptions options;
        options.threads = threads;
        options.progress = progress;
        WB_TRY_ASSIGN(ModelPtr model, formats::open(fsPath(path), options));
        return stats::modelContents(std::move(model), threads);
    };
    m_job = startJob<stats::Contents>(
        *m_services.jobs, tr("Opening %1").arg(m_queue.first().path), this, work,
        [this](const Result<stats::Contents>& contents) { finish(contents); }, false);
}

void ModelOpener::finish(const Result<stats::Contents>& contents) {
    const OpenRequest request = m_queue.takeFirst();
    if (contents) emit opened(request, *contents);
    else if (contents.error().code != ErrorCode::Canceled) emit failed(request, contents.error());
    next();
}

} // namespace wb::ui::inspect
