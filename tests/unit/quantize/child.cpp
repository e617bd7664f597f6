// SPDX-License-Identifier: MIT
#include "tests/unit/quantize/child.h"

#ifndef _WIN32

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace wb::quantize {

int inChild(const std::function<bool()>& body, unsigned killAfter) {
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    if (killAfter > 0) {
        usleep(killAfter);
        kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace wb::quantize

#endif
