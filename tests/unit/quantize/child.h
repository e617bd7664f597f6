// SPDX-License-Identifier: MIT
#pragma once

#ifndef _WIN32

#include <functional>

namespace wb::quantize {

// Runs in a child process; -1 if it was killed, which happens after so many microseconds where they are given, else whether it
// succeeded (0) or not (1).
int inChild(const std::function<bool()>& body, unsigned killAfter = 0);

} // namespace wb::quantize

#endif
