// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"

#include <span>
#include <string_view>

namespace wb::arch {

enum class QueryKeyNorm : std::uint8_t { None, Head, Whole };

// What a family of models does that its hyperparameters do not say (docs/reference/docs/reference/inference.md, "Architectures").
// The defaults are llama's.
struct Family {
    std::string_view architecture; // general.architecture
    NormKind norm = NormKind::Rms;
    NormPlacement placement = NormPlacement::Before;
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
    Activation activation = Activation::Silu;
    bool gated = true;
    bool parallel = false; // attention and feed-forward side by side
    RopeStyle rope = RopeStyle::Halves;
    std::uint8_t windowPeriod = 0;   // of so many layers the last one looks back without limit, the others have the window
    std::uint8_t ropelessPeriod = 0; // of so many layers the last one does not rotate
    bool ropelessFull = false;       // where there are windows, layers without one do not rotate
    bool sqrtEmbedding = false;      // embeddings are multiplied by the square root of the width
    bool dividesLogits = false;      // logit_scale divides
    float attentionScale = 0;        // 0: 1/sqrt of the key length
    bool tied = false;               // where config.json does not say
    Gating gating = Gating::Softmax;
    bool normalizesExperts = true;       // weights of the chosen experts sum to 1
    bool attentionGate = false;          // the query projection also yields a gate for each head
    bool valueNorm = false;              // values have a norm without weights
    bool denseBesideExperts = false;     // a dense MLP works beside the experts of a layer
    bool ropeIfFinetuned = false;        // rope.scaling.finetuned = false turns rotation off
    bool plainWindows = false;           // layers with a window rotate without the scaling of the others
    float windowRopeBase = 0;            // of layers with a window where no key says it; 0: the model's
    std::uint16_t widthScaledLayers = 0; // a model of so many layers scales scores by 1/sqrt(width / heads)
    bool keepsPredictionLayers = false;  // the converter stores the layers that predict further tokens
    bool learnedPositions = false;
    bool tiledHeads = false; // value head h of the delta rule uses key head h mod n instead of h div (values / n)
};

// Null for an architecture that the table does not have.
const Family* familyOf(std::string_view architecture);

// The architecture that a config.json's model_type or class (architectures[0]) is converted to; empty where unknown.
std::string_view architectureOfModelType(std::string_view modelType);

std::span<const Family> families();

} // namespace wb::arch
