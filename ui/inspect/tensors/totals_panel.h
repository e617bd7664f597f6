// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include <QWidget>

namespace wb::ui::inspect {

// The distribution of the model's bytes: by type and by role, each as a bar and as a table.
class TotalsPanel : public QWidget {
    Q_OBJECT

public:
    explicit TotalsPanel(const stats::Contents& contents, QWidget* parent = nullptr);
};

} // namespace wb::ui::inspect
