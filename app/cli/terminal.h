// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace wb::cli {

// Whether a standard stream is a terminal, which a person reads or writes.
bool stdinIsTerminal();
bool stderrIsTerminal();

// Windows alone: stdout and stderr write bytes as they are, and a console shows them as UTF-8 and obeys escape sequences until the
// process ends. To be called once, before anything is printed.
void setUpStreams();

// The words of the command line as UTF-8, with the program's name. Windows has them in UTF-16; its main() gets them in a code page.
std::vector<std::string> commandLine(int argc, char** argv);

// A line of stdin as UTF-8, without its end. False at the end of the input.
bool readLine(std::string& line);

} // namespace wb::cli
