// SPDX-License-Identifier: MIT
#pragma once

namespace wb::cli {

// The whole program: parses the command line (specs/cli.md), runs one command, returns the exit status. Prints to stdout and
// stderr.
int run(int argc, char** argv);

} // namespace wb::cli
