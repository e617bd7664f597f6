// SPDX-License-Identifier: MIT
#include "core/io/system/limits.h"

#include <csignal>

namespace wb::io {

void ignoreFileSizeSignal() {
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN);
#endif
}

} // namespace wb::io
