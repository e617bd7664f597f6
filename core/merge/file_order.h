// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb::merge {

// All tensors but logical ones as they are: files by name, inside by place. A model with tensors that are in no file, as those that
// are computed, has its tensors in that order already.
std::vector<std::size_t> fileOrder(const Model& model);

} // namespace wb::merge
