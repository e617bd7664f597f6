// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <CLI/CLI.hpp>

namespace wb::cli {

// The option that confirms a model, for Remedy and help.
inline constexpr const char* trustOption = "--yes";

// Declares it.
void addTrust(CLI::App& command, bool& yes);

// Whether the error is that a model must be confirmed first (core/convert/trust.h) and a user at a terminal confirms it now.
bool confirms(const Context& context, const Error& error);

} // namespace wb::cli
