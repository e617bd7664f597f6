// SPDX-License-Identifier: MIT
#include "app/cli/command.h"

namespace wb::cli {

std::string checkNotEmpty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help) {
    return command.add_option(name, values, help)
        ->expected(1)
        ->allow_extra_args(false) // the rest is another word of the command
        ->take_all()
        ->check(checkNotEmpty);
}

} // namespace wb::cli
