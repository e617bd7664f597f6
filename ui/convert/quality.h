// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"

#include <QString>

#include <optional>

namespace wb::ui::convert {

// What a mix is good for, in plain words, translated.
QString qualityNote(quant::FileType type);

// Published figures of Llama 3 8B on wikitext-2 against f16 (ggml-org/llama.cpp, tools/perplexity/README.md): perplexity, mean KL
// divergence.
struct PublishedQuality {
    double perplexity = 0;
    double divergence = 0;
};

// Those of the mix, with an importance matrix (of ten million tokens) or without one; empty where none were published.
std::optional<PublishedQuality> publishedQuality(quant::FileType type, bool weighted);

// One sentence with the figures for such a plan and their source; empty where none were measured for one: of another kind of
// request than a whole mix, of a model that was quantized before, or with a matrix that knows some of the tensors only. Whether
// types were chosen one by one is for the caller to know.
QString qualityFigures(const wb::convert::QuantizeRequest& request, const wb::convert::QuantizePlan& plan);

} // namespace wb::ui::convert
