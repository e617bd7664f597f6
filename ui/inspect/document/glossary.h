// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/role.h"
#include "core/tensor/dtype.h"

#include <QString>

namespace wb::ui::inspect {

// One translated sentence on what the type is, for tooltips and help. Every Dtype has one.
QString dtypeExplanation(Dtype dtype);

QString roleTitle(arch::Role role);       // "Attention"
QString roleExplanation(arch::Role role); // one sentence

} // namespace wb::ui::inspect
