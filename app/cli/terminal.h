// SPDX-License-Identifier: MIT
#pragma once

namespace wb::cli {

// Whether a standard stream is a terminal, which a person reads or writes.
bool stdinIsTerminal();
bool stderrIsTerminal();

} // namespace wb::cli
