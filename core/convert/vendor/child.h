// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace wb::convert {

// Runs a program until it ends, without a shell and without input. `output` gets what it prints, stdout and stderr together, on the
// calling thread. A stop ends the program with all processes that it started: the error is Canceled then. NotFound if it cannot be
// started. The result is the exit status; that of a program which a signal ended is 128 and the signal. Blocks the calling thread.
Result<int> runChild(std::span<const std::string> words, const std::function<void(std::string_view)>& output,
                     const std::stop_token& stop);

} // namespace wb::convert
