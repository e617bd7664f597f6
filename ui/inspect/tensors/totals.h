// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include <QString>

namespace wb::ui::inspect {

// The stored tensors that have something in common.
struct Total {
    QString title;
    QString explanation; // one sentence
    quint64 tensors = 0;
    quint64 elements = 0;
    quint64 bytes = 0;
    double share = 0; // of all stored bytes
};

// Heaviest first; logical tensors count nowhere.
std::vector<Total> totalsByType(const stats::Contents& contents);
std::vector<Total> totalsByRole(const stats::Contents& contents);

} // namespace wb::ui::inspect
