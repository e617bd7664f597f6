// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

namespace wb::ui::inspect {

// Whether the model's files are still those that were indexed; Changed, NotFound or NotReadable where one is not. Runs on a worker.
Result<void> checkUnchanged(const Model& model, const Progress& progress);

} // namespace wb::ui::inspect
