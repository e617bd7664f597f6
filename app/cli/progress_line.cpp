// SPDX-License-Identifier: MIT
#include "app/cli/progress_line.h"

#include "app/cli/terminal.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wb::cli {
namespace {

std::string shownDuration(double seconds) {
    const long long whole = std::llround(std::min(seconds, 1e9));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

} // namespace

bool ProgressLine::isTerminal() { return stderrIsTerminal(); }

std::string progressText(const std::string& what, std::uint64_t doneBefore, std::uint64_t done, std::uint64_t total,
                         double seconds) {
    const std::string share = fmt::format("{}: {} of {}", what, humanBytes(done), humanBytes(total));
    const double speed = seconds > 0 ? static_cast<double>(done - doneBefore) / seconds : 0;
    if (speed <= 0) return share;
    return fmt::format("{}, {}/s, {} left", share, humanBytes(static_cast<unsigned long long>(speed)),
                       shownDuration(static_cast<double>(total - done) / speed));
}

ProgressLine::ProgressLine(std::string what, bool wanted) : m_what(std::move(what)), m_visible(wanted && stderrIsTerminal()) {}

ProgressLine::~ProgressLine() {
    if (m_visible) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::set(std::uint64_t doneBytes, std::uint64_t totalBytes) {
    using namespace std::chrono;
    if (!m_visible) return;
    const std::lock_guard lock(m_mutex);
    const auto now = steady_clock::now();
    if (!m_doneBefore) {
        m_doneBefore = doneBytes;
        m_begin = now;
    }
    if (now - m_shown < milliseconds(100)) return;
    m_shown = now;
    const double seconds = duration<double>(now - m_begin).count();
    fmt::print(stderr, "\r\033[K{}", progressText(m_what, *m_doneBefore, doneBytes, totalBytes, seconds));
}

} // namespace wb::cli
