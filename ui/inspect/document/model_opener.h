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

// Whether the path is an id of a hub ("hf:owner/model@commit:file.gguf") and no file of this machine.
bool isRemotePath(const QString& path);

// Opens models off the GUI thread, one after another, so that tabs come in the order they were asked for.
class ModelOpener : public QObject {
    Q_OBJECT

public:
    explicit ModelOpener(const Services& services, QObject* parent = nullptr);

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
    QList<OpenRequest> m_queue; // the first one is being opened
    std::shared_ptr<JobHandle> m_job;
};

} // namespace wb::ui::inspect
