// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services/open_models.h"

#include <string>

namespace wb::ui::convert {

// Writes the text of a plan file, of either kind, where no model that is open has a file. For worker threads.
Result<void> writePlan(const QString& path, const std::string& text, const OutputGuard& guard);

} // namespace wb::ui::convert
