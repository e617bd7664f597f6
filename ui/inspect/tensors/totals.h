// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/contents.h"

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
std::vector<Total> totalsByType(const Contents& contents);
std::vector<Total> totalsByRole(const Contents& contents);

} // namespace wb::ui::inspect
