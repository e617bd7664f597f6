// SPDX-License-Identifier: MIT
#include "ui/inspect/trend/compute_rest.h"

#include "ui/widgets/icons.h"

#include <QCoreApplication>
#include <QPushButton>

namespace wb::ui::inspect {

QPushButton* makeComputeRest(QWidget* parent) {
    auto* button =
        new QPushButton(icon(QStringLiteral("sigma")), QCoreApplication::translate("ComputeRest", "Compute remaining"), parent);
    button->setObjectName(QStringLiteral("computeRest"));
    button->setToolTip(QCoreApplication::translate("ComputeRest", "Compute statistics for all tensors that have none yet"));
    return button;
}

} // namespace wb::ui::inspect
