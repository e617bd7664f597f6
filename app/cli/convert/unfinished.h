// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <string>

namespace wb::cli {

// What `wb unfinished` was asked for, as typed.
struct UnfinishedOptions {
    std::string discard; // the target of a run; empty: list them all
};

// Lists the unfinished runs of this user, those of the window too, or discards one.
int unfinished(const Context& context, const UnfinishedOptions& options);

} // namespace wb::cli
