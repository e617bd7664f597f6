// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb {

// Refuses to write what a model consists of (Invalid, io::outputIsInput), under whatever name: for everything that saves a part of
// an open model. A target that does not exist yet is accepted.
Result<void> checkNoModelFile(const Model& model, const std::filesystem::path& target);

} // namespace wb
