// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

namespace wb::io {

// For the forms of Digest: the system's library refused.
std::unexpected<Error> digestFailure();

} // namespace wb::io
