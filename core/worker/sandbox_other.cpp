// SPDX-License-Identifier: MIT
#ifndef __linux__
#include "core/worker/sandbox.h"

#include "core/base/error.h"

#ifndef _WIN32
#include <sys/resource.h>
#endif

namespace wb::worker {

bool shutIn() {
#ifndef _WIN32
    const rlimit none{0, 0};
    const rlimit seconds{120, 120};
    return ::setrlimit(RLIMIT_CORE, &none) == 0 && ::setrlimit(RLIMIT_FSIZE, &none) == 0 && ::setrlimit(RLIMIT_CPU, &seconds) == 0;
#else
    return true; // the parent has started this process with a restricted token, in a job
#endif
}

const char* missingGuarantee() {
#ifdef _WIN32
    return WB_TEXT(
        "On this system, files are parsed in a separate process with limited memory and time that cannot change files or start "
        "programs, but it is not prevented from reading other files or connecting to the network.");
#else
    return WB_TEXT("On this system, files are parsed in a separate process with limited memory and time, but it is not prevented "
                   "from opening other files.");
#endif
}

} // namespace wb::worker
#endif
