// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/file_type.h"

#include <QString>

#include <optional>

namespace wb::ui::convert {

// What a mix is good for, in plain words, translated.
QString qualityNote(quant::FileType type);

// Published figures of Llama 3 8B on wikitext-2 against f16 (ggml-org/llama.cpp, tools/perplexity/README.md): perplexity, mean KL
// divergence; with an importance matrix where `weighted`. Empty where none were published for the mix.
struct PublishedQuality {
    double perplexity = 0;
    double divergence = 0;
    bool weighted = false;
};
std::optional<PublishedQuality> publishedQuality(quant::FileType type);

// One sentence with the figures and their source; empty where there are none.
QString qualityFigures(quant::FileType type);

} // namespace wb::ui::convert
