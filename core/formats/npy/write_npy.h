// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

#include <filesystem>

namespace wb::npy {

// Writes one tensor as NumPy format 1.0, little-endian f32, C order, shape as listed (numpy/numpy: numpy/lib/format.py). The target
// appears only when it is complete; what lies there is replaced, but never a file of the model itself. Progress counts bytes of the
// values. Errors: complex or unreadable values, a name that cannot be written, no space, cancelled.
Result<void> writeNpy(const Model& model, const TensorInfo& tensor, const std::filesystem::path& target, const Progress& progress);

} // namespace wb::npy
