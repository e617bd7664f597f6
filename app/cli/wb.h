// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace wb::cli {

// The whole program: parses the command line (docs/reference/command_line.md; the program's name comes first), runs one command,
// returns the exit status. Prints to stdout and stderr.
int run(std::vector<std::string> line);

} // namespace wb::cli
