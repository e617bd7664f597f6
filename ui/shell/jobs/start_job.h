// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"

#include <optional>

namespace wb::ui {

// JobRunner::start for work with an answer: `done` gets it, or the Error, on the GUI thread. The answer crosses the threads once.
template <typename T>
std::shared_ptr<JobHandle> startJob(JobRunner& jobs, const Sentence& title, QObject* context,
                                    std::function<Result<T>(const Progress&)> work, std::function<void(Result<T>)> done,
                                    bool visible = true) {
    const auto answer = std::make_shared<std::optional<T>>();
    const auto run = [answer, work = std::move(work)](const Progress& progress) -> Result<void> {
        WB_TRY_ASSIGN(*answer, work(progress));
        return {};
    };
    const auto finish = [answer, done = std::move(done)](Result<void> result) {
        if (result) done(std::move(**answer));
        else done(std::unexpected(std::move(result).error()));
    };
    return jobs.start(title, context, run, finish, visible);
}

} // namespace wb::ui
