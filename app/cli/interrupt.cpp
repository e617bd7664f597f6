// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include "app/cli/context.h"
#include "core/jobs/add_thread.h"

#include <mutex>
#include <optional>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <csignal>
#include <unistd.h>
#endif

namespace wb::cli {
namespace {

std::stop_source& processStop() {
    static std::stop_source instance;
    return instance;
}

// The handlers that StopScope and endOnInterrupt() install in place of the usual answer to Ctrl+C.
struct Conversation {
    std::mutex mutex;
    std::optional<std::stop_source> answer;
    bool endsAtOnce = false;
};

Conversation& conversation() {
    static Conversation instance;
    return instance;
}

// False where the process has to end.
bool requestStop() {
    Conversation& talk = conversation();
    const std::lock_guard lock(talk.mutex);
    if (talk.answer) return talk.answer->request_stop() || talk.endsAtOnce;
    return !talk.endsAtOnce && processStop().request_stop();
}

#ifdef _WIN32
BOOL WINAPI onControl(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
    if (!requestStop()) ExitProcess(canceledByUser);
    return TRUE;
}
#endif

} // namespace

void endOnInterrupt() {
    const std::lock_guard lock(conversation().mutex);
    conversation().endsAtOnce = true;
}

StopScope::StopScope() {
    const std::lock_guard lock(conversation().mutex);
    conversation().answer = m_source;
    if (processStop().stop_requested()) m_source.request_stop(); // Ctrl+C came before
}

StopScope::~StopScope() {
    const std::lock_guard lock(conversation().mutex);
    conversation().answer.reset();
}

#ifdef _WIN32
std::stop_token stopOnInterrupt() {
    SetConsoleCtrlHandler(onControl, TRUE);
    return processStop().get_token();
}
#else
// A stop may not be requested from a signal handler (it takes locks), so its own thread waits for the signal.
std::stop_token stopOnInterrupt() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    jobs::startProcessThread([signals] {
        for (int signal = 0; sigwait(&signals, &signal) == 0;)
            if (!requestStop()) _exit(canceledByUser);
    });
    return processStop().get_token();
}
#endif

} // namespace wb::cli
