// SPDX-License-Identifier: MIT
#include "app/cli/trust.h"

#include "core/base/text.h"
#include "core/convert/trust.h"

#include <cstdio>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace wb::cli {
namespace {

bool canAsk(const Context& context) {
#ifdef _WIN32
    return !context.json && _isatty(_fileno(stdin)) != 0;
#else
    return !context.json && isatty(STDIN_FILENO) != 0;
#endif
}

} // namespace

void addTrust(CLI::App& command, bool& yes) {
    command.add_flag(trustOption, yes, "Do not ask before using a model that would run unknown code elsewhere");
}

bool confirms(const Context& context, const Error& error) {
    if (error.reason != convert::untrustedSource || !canAsk(context)) return false;
    fmt::print(stderr, "{} Continue? [y/N] ", escapeControls(toUtf8(error.message())));
    const int letter = std::getchar();
    return letter == 'y' || letter == 'Y';
}

} // namespace wb::cli
