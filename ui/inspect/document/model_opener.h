// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"
#include "ui/shell/services.h"

#include <QJsonObject>
#include <QList>

namespace wb::ui::inspect {

// What to open and what to do with it then.
struct OpenRequest {
    QString path;
    QJsonObject state;    // of its page, from a session or before a reload
    bool activate = true; // bring it to the front
};

// Opens the content on a hub ("hf:owner/model@commit:file.gguf") by its header; called on a worker.
using RemoteOpener = std::function<Result<ModelPtr>(const std::string& id, const Progress& progress)>;

// Whether the path is such an id and no file of this machine.
bool isRemotePath(const QString& path);

// Opens models off the GUI thread, one after another, so that tabs come in the order they were asked for.
class ModelOpener : public QObject {
    Q_OBJECT

public:
    explicit ModelOpener(const Services& services, QObject* parent = nullptr);

    void setRemoteOpener(RemoteOpener opener) { m_remote = std::move(opener); }
    void open(const OpenRequest& request);
    void cancel();           // the one being opened and those that wait
    QString opening() const; // the path being opened; empty: none
    QList<OpenRequest> unfinished() const;

signals:
    void busyChanged();
    void opened(const wb::ui::inspect::OpenRequest& request, const wb::stats::Contents& contents);
    void failed(const wb::ui::inspect::OpenRequest& request, const wb::Error& error);

private:
    void next();
    void finish(const Result<stats::Contents>& contents);

    const Services& m_services;
    RemoteOpener m_remote;      // empty: there is no network
    QList<OpenRequest> m_queue; // the first one is being opened
    std::shared_ptr<JobHandle> m_job;
};

} // namespace wb::ui::inspect
