// SPDX-License-Identifier: MIT
#include "app/cli/progress_line.h"

#include "core/base/text.h"

#include <cstdio>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace wb::cli {
namespace {

bool stderrIsTerminal() {
#ifdef _WIN32
    return _isatty(2) != 0;
#else
    return ::isatty(2) != 0;
#endif
}

} // namespace

ProgressLine::ProgressLine(std::string what, bool wanted) : m_what(std::move(what)), m_visible(wanted && stderrIsTerminal()) {}

ProgressLine::~ProgressLine() {
    if (m_visible) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::set(std::uint64_t doneBytes, std::uint64_t totalBytes) {
    using namespace std::chrono;
    if (!m_visible) return;
    const std::lock_guard lock(m_mutex);
    const auto now = steady_clock::now();
    if (now - m_shown < milliseconds(100)) return;
    m_shown = now;
    const double seconds = duration<double>(now - m_begin).count();
    const double speed = seconds > 0 ? static_cast<double>(doneBytes) / seconds : 0;
    const double left = speed > 0 ? static_cast<double>(totalBytes - doneBytes) / speed : 0;
    fmt::print(stderr, "\r\033[K{}: {} of {}, {}/s, {:.0f} s left", m_what, humanBytes(doneBytes), humanBytes(totalBytes),
               humanBytes(static_cast<unsigned long long>(speed)), left);
}

} // namespace wb::cli
