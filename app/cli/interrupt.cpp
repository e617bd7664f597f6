// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include "app/cli/context.h"
#include "core/jobs/add_thread.h"

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

std::stop_source& source() {
    static std::stop_source instance;
    return instance;
}

#ifdef _WIN32
BOOL WINAPI onControl(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
    if (!source().request_stop()) ExitProcess(cancelledByUser);
    return TRUE;
}
#endif

} // namespace

#ifdef _WIN32
std::stop_token stopOnInterrupt() {
    SetConsoleCtrlHandler(onControl, TRUE);
    return source().get_token();
}
#else
// A stop may not be requested from a signal handler (it takes locks), so a thread of its own waits for the signal.
std::stop_token stopOnInterrupt() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    jobs::startProcessThread([signals, stop = source()]() mutable {
        for (int signal = 0; sigwait(&signals, &signal) == 0;)
            if (!stop.request_stop()) _exit(cancelledByUser);
    });
    return source().get_token();
}
#endif

} // namespace wb::cli
