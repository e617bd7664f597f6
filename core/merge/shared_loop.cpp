// SPDX-License-Identifier: MIT
#include "core/merge/shared_loop.h"

#include <new>

namespace wb::merge {
namespace {

Result<void> callChecked(const std::function<Result<void>(std::uint64_t)>& body, std::uint64_t index) {
    try {
        return body(index);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

} // namespace

void SharedLoop::fail(std::uint64_t index, Error error) {
    if (m_error && m_errorIndex < index) return;
    m_error = std::move(error);
    m_errorIndex = index;
}

Result<void> SharedLoop::join(std::uint64_t count, const std::function<Result<void>(std::uint64_t)>& body,
                              const std::function<void()>& finish) {
    std::unique_lock lock(m_mutex);
    while (!m_error && m_next < count) {
        const std::uint64_t index = m_next++;
        ++m_running;
        lock.unlock();
        auto done = callChecked(body, index);
        lock.lock();
        --m_running;
        if (!done) fail(index, std::move(done).error());
    }
    if (m_running == 0 && !m_isFinished) { // the last one; all earlier ones wait below
        if (!m_error) finish();
        m_isFinished = true;
        m_finished.notify_all();
    }
    m_finished.wait(lock, [this] { return m_isFinished; });
    if (m_error) return std::unexpected(*m_error);
    return {};
}

} // namespace wb::merge
