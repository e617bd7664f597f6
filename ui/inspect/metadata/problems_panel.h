// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <QWidget>

namespace wb::ui::inspect {

// What is wrong or worth knowing about the model's files, gravest first.
class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(const std::vector<Problem>& problems, QWidget* parent = nullptr);
};

} // namespace wb::ui::inspect
