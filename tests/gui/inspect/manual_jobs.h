// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"

#include <QPointer>

#include <deque>

namespace wb::test {

// A job that runs when the test says so, on the test's own thread.
class ManualJob : public ui::JobHandle {
    Q_OBJECT

public:
    void cancel() override { m_stop.request_stop(); }
    bool isFinished() const override { return m_isFinished; }
    bool isCanceled() const { return m_stop.stop_requested(); }
    void run();

    QString title;
    bool visible = true;
    QPointer<QObject> context;
    bool hasContext = false;
    std::function<Result<void>(const Progress&)> work;
    std::function<void(Result<void>)> done;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> reports; // (done, total) as the work reported them

private:
    std::stop_source m_stop;
    bool m_isFinished = false;
};

class ManualJobs : public ui::JobRunner {
public:
    std::shared_ptr<ui::JobHandle> start(const ui::Sentence& title, QObject* context,
                                         std::function<Result<void>(const Progress&)> work, std::function<void(Result<void>)> done,
                                         bool visible) override;

    void runAll();                                               // also what these jobs start
    std::shared_ptr<ManualJob> find(const QString& title) const; // the waiting job whose title begins so; null: none
    int waiting() const { return static_cast<int>(m_waiting.size()); }

private:
    std::deque<std::shared_ptr<ManualJob>> m_waiting;
};

} // namespace wb::test
