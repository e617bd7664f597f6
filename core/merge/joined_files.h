// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb::merge {

// Appends the files of another model, which stay open, under their names as seen from the model's folder. Returns how far its
// tensors' indices of files are shifted.
Result<std::uint32_t> joinFiles(Model& model, const Model& other);

} // namespace wb::merge
