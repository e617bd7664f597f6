// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gui/convert/inline_jobs.h"

namespace wb::test {

// InlineJobs of which one that the Jobs page shows is held while `isHolding` is set, until release(): it has been asked for and has
// not begun.
class HeldJobs : public InlineJobs {
public:
    std::shared_ptr<ui::JobHandle> start(const ui::Sentence& title, QObject* context,
                                         std::function<Result<void>(const Progress&)> work, std::function<void(Result<void>)> done,
                                         bool visible) override {
        if (!isHolding || handle || !visible) return InlineJobs::start(title, context, std::move(work), std::move(done), visible);
        auto held = std::make_shared<Handle>();
        handle = held;
        m_begin = [held, context = QPointer<QObject>(context), work = std::move(work), done = std::move(done)] {
            const Progress progress{held->stop.get_token(), {}};
            auto result = held->stop.stop_requested() ? Result<void>(std::unexpected(canceled())) : work(progress);
            held->isDone = true;
            if (context) done(std::move(result));
            Q_EMIT held->JobHandle::finished();
        };
        return held;
    }

    void release() {
        if (m_begin) std::exchange(m_begin, nullptr)();
    }

    bool isHolding = false;
    std::shared_ptr<ui::JobHandle> handle; // of the one that is or was held

private:
    std::function<void()> m_begin;
};

} // namespace wb::test
