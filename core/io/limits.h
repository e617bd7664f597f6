// SPDX-License-Identifier: MIT
#pragma once

namespace wb::io {

// Lets a write beyond the limit of the user (ulimit -f) fail with NoRoom instead of ending the program by a signal. For main(), once.
void takeLimitsAsFailures();

} // namespace wb::io
