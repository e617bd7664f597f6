// SPDX-License-Identifier: MIT
#pragma once

namespace wb::cli {

// The whole program: parses the command line (docs/reference/command_line.md), runs one command, returns the exit status. Prints to
// stdout and stderr.
int run(int argc, char** argv);

} // namespace wb::cli
