// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

namespace wb::cli {

// From now on the first Ctrl+C requests a stop on the returned token instead of ending the process, so that nothing is left
// half-written; the second one ends it at once with status 130. Call once, before any thread is started.
std::stop_token stopOnInterrupt();

} // namespace wb::cli
