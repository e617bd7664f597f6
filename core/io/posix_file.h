// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>

namespace wb::io {

// The sentence for a failed open() of `name`, from errno.
std::unexpected<Error> openFailure(int error, const std::string& name);

} // namespace wb::io
