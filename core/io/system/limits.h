// SPDX-License-Identifier: MIT
#pragma once

namespace wb::io {

// Ignores SIGXFSZ: a write beyond the file size limit (ulimit -f) then fails with NoRoom instead of ending the program. Call it
// once in main().
void ignoreFileSizeSignal();

} // namespace wb::io
