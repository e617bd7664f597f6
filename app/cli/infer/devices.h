// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

namespace wb::cli {

// `wb devices`: the CPU engine and every Vulkan device, each with the outcome of its self-test.
int devices(const Context& context);

} // namespace wb::cli
