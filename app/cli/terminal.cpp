// SPDX-License-Identifier: MIT
#include "app/cli/terminal.h"

#include <cstdio>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace wb::cli {
namespace {

bool isTerminal(std::FILE* stream) {
#ifdef _WIN32
    return _isatty(_fileno(stream)) != 0;
#else
    return ::isatty(::fileno(stream)) != 0;
#endif
}

} // namespace

bool stdinIsTerminal() { return isTerminal(stdin); }

bool stderrIsTerminal() { return isTerminal(stderr); }

} // namespace wb::cli
