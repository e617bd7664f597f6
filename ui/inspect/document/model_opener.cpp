// SPDX-License-Identifier: MIT
#include "ui/inspect/document/model_opener.h"

#include "core/formats/open.h"

#include <filesystem>

namespace wb::ui::inspect {

ModelOpener::ModelOpener(const Services& services, QObject* parent) : QObject(parent), m_services(services) {}

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
    const auto contents = std::make_shared<Contents>();
    const auto work = [path = m_queue.first().path, threads = m_services.threads, contents](const Progress& progress) -> Result<void> {
        formats::OpenOptions options;
        options.threads = threads;
        options.progress = progress;
        WB_TRY_ASSIGN(ModelPtr model, formats::open(std::filesystem::path(path.toStdU16String()), options));
        *contents = contentsOf(std::move(model), threads);
        return {};
    };
    m_job = m_services.jobs->start(
        tr("Opening %1").arg(m_queue.first().path), this, work,
        [this, contents](const Result<void>& result) { finish(result, *contents); }, false);
}

void ModelOpener::finish(const Result<void>& result, const Contents& contents) {
    const OpenRequest request = m_queue.takeFirst();
    if (result) emit opened(request, contents);
    else if (result.error().code != ErrorCode::Cancelled) emit failed(request, result.error());
    next();
}

} // namespace wb::ui::inspect
