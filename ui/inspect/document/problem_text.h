// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <QString>

namespace wb::ui::inspect {

QString severityTitle(Severity severity);     // "Warning"
QString problemText(const Problem& problem);  // the sentence in the user's language
QString problemPlace(const Problem& problem); // "model-00002.safetensors, byte 1,024"; empty for the model as a whole

} // namespace wb::ui::inspect
