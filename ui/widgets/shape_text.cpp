// SPDX-License-Identifier: MIT
#include "ui/widgets/shape_text.h"

#include <QCoreApplication>

namespace wb::ui {

QString shownShape(const Shape& shape) {
    QString text;
    for (const std::uint64_t dimension : shape.dimensions()) {
        if (!text.isEmpty()) text += QStringLiteral(" \u00D7 ");
        text += QString::number(dimension);
    }
    return text.isEmpty() ? QCoreApplication::translate("TensorColumn", "scalar") : text;
}

} // namespace wb::ui
