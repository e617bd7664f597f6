// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb {

// The same model with every file opened once: tensors that are opened through the copy share these sources, however many there are.
// A file that cannot be opened stays as it is, so that only its own tensors fail.
Model withOpenedFiles(const Model& model);

} // namespace wb
