// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/mix/published_quality.h"
#include "core/convert/quantize/quantize_plan.h"

#include <QString>

class QComboBox;

namespace wb::ui::convert {

// Marks the last item of the box, which stands for this type, where it needs an importance matrix.
void markMatrixType(QComboBox* box, Dtype type);

// One sentence with the figures for such a plan and their source; empty where none were measured for one: of a request other than a
// whole quantization type, of a model that was quantized before, or with a matrix that knows some of the tensors only. Whether
// types were chosen one by one is for the caller to know.
QString qualityFigures(const quantize::QuantizeRequest& request, const quantize::QuantizePlan& plan);

} // namespace wb::ui::convert
