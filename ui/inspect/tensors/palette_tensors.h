// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include <QString>

namespace wb::ui::inspect {

// Whether every word of `wanted` occurs in `candidate`, in either case.
bool hasAllWords(const QString& candidate, const QString& wanted);

// The first `limit` tensors whose names have all words, in stored order.
std::vector<std::uint32_t> findTensors(const stats::Contents& contents, const QString& wanted, int limit);

} // namespace wb::ui::inspect
