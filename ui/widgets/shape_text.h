// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/shape.h"

#include <QString>

namespace wb::ui {

// A shape as every view shows it: "256 × 512", and "scalar". Text and JSON for other programs have Shape::toString(), "[256, 512]".
QString shownShape(const Shape& shape);

} // namespace wb::ui
