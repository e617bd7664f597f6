// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"

#include <QPointer>
#include <QTimer>

namespace wb::test {

// Runs each job whole on the GUI thread at the next turn of the loop. With `stopAfter` set, visible jobs are stopped after so many
// reports. Jobs titled `never` wait for ever: what only takes time can be left out.
class InlineJobs : public ui::JobRunner {
public:
    class Handle : public ui::JobHandle {
    public:
        void cancel() override { stop.request_stop(); }
        bool isFinished() const override { return isDone; }
        double unitsPerSecond() const override { return speed; }

        std::stop_source stop;
        bool isDone = false;
        double speed = 0;
    };

    std::shared_ptr<ui::JobHandle> start(const ui::Sentence& title, QObject* context,
                                         std::function<Result<void>(const Progress&)> work, std::function<void(Result<void>)> done,
                                         bool visible) override {
        auto handle = std::make_shared<Handle>();
        handle->speed = speed;
        if (title.text() == never) return handle;
        const int limit = visible ? stopAfter : -1;
        QTimer::singleShot(0, context, [handle, work = std::move(work), done = std::move(done), limit] {
            std::atomic<int> reports{0};
            const Progress progress{handle->stop.get_token(), [&](std::uint64_t at, std::uint64_t total) {
                                        if (++reports == limit) handle->stop.request_stop();
                                        Q_EMIT handle->progressed(at, total);
                                    }};
            auto result = handle->stop.stop_requested() ? Result<void>(std::unexpected(canceled())) : work(progress);
            handle->isDone = true;
            done(std::move(result));
            Q_EMIT handle->JobHandle::finished();
        });
        return handle;
    }

    int stopAfter = -1;
    double speed = 0; // of every job, in units a second
    QString never;
};

} // namespace wb::test
