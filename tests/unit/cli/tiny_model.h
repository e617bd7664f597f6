// SPDX-License-Identifier: MIT
#pragma once

#include "tests/unit/support/support.h"

namespace wb::test {

// "tiny model.gguf" with two tensors: counting.weight, a [2, 32] F32 counting 0 … 63, and ones, a [4] F32 of ones.
std::filesystem::path writeModel(const TemporaryFolder& folder);

} // namespace wb::test
