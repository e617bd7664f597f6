// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/serving/weights.h"
#include "core/quant/mix/file_type.h"
#include "core/quant/mix/published_quality.h"

namespace wb::memory {

// How weights are stored without a GGUF quantization type: all linear layers of the blocks alike, the rest in 16 bits
// (tables/types.tsv).
enum class WeightForm : std::uint8_t { Mix, Fp8, Int8Rows, Int4Groups, Nf4 };

// A type or mix that weights can have, with what the textbook counts for one of them.
struct WeightType {
    const char* name;
    quant::FileType file;                   // means nothing without a mix
    double textbookBytes;                   // of one weight
    bool hasMix = true;                     // GGUF has it
    WeightForm elsewhere = WeightForm::Mix; // in models that are no GGUF files, and everywhere without a mix
};

// FP32, BF16, FP16, INT8 and INT4, FP8 and NF4 (tables/types.tsv), then every type and mix that `quantize` makes.
std::span<const WeightType> weightTypes();
const WeightType* weightTypeFromName(std::string_view name); // null if none exists

// The published divergences from f16 (quant::publishedSource); none for types that are no mix.
quant::PublishedDivergence typeDivergence(const WeightType& type);

// Rule-of-thumb bytes for one stored weight of this type.
double textbookBytes(Dtype type);

// The weights as `quantize` would store them: the type of every tensor by the rules of the mix, without importance data.
// Fails where a tensor fits no such type.
Result<Weights> weightsAs(const Model& model, const arch::ModelSpec& spec, const WeightType& type);

// The weights as programs store them that read no GGUF.
Weights weightsIn(WeightForm form, const Model& model, const arch::ModelSpec& spec);

// The weights of one model as one type.
struct TypedWeights {
    const WeightType* type = nullptr;
    Weights weights;
};

} // namespace wb::memory
