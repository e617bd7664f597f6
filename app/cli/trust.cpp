// SPDX-License-Identifier: MIT
#include "app/cli/trust.h"

#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/convert/trust.h"

#include <cstdio>

namespace wb::cli {

void addTrust(CLI::App& command, bool& yes) {
    command.add_flag(trustOption, yes, "Do not ask before using a model that would run unknown code elsewhere");
}

bool confirms(const Context& context, const Error& error) {
    if (error.reason != convert::untrustedSource || context.json || !stdinIsTerminal()) return false;
    fmt::print(stderr, "{} Continue? [y/N] ", escapeControls(toUtf8(error.message())));
    std::string answer;
    return readLine(answer) && (answer.starts_with('y') || answer.starts_with('Y'));
}

} // namespace wb::cli
