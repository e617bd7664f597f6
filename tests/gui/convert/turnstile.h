// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace wb::test {

// The CPU, which does as many tensors as it was allowed to and then waits.
class Turnstile : public quant::Backend {
public:
    std::string name() const override { return "cpu"; }

    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        std::unique_lock lock(m_mutex);
        ++m_arrived;
        m_wake.wait(lock, [this] { return m_allowed > 0; });
        --m_allowed;
        auto result = m_cpu->quantize(dtype, rows, out);
        ++m_done;
        return result;
    }

    void allow(int tensors) {
        const std::lock_guard lock(m_mutex);
        m_allowed += tensors;
        m_wake.notify_all();
    }

    int arrived() const {
        const std::lock_guard lock(m_mutex);
        return m_arrived;
    }

    int done() const {
        const std::lock_guard lock(m_mutex);
        return m_done;
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    int m_allowed = 0;
    int m_arrived = 0;
    int m_done = 0;
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
};

} // namespace wb::test
