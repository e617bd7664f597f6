// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/model/model.h"
#include "core/text/sampler.h"

#include <optional>
#include <span>
#include <string_view>

namespace wb::text {

// One parameter of sampling that the author of a model may advise: general.sampling.<suffix> in a GGUF file, `member` (or its older
// name) in generation_config.json. The names are those of gguf-py (ggml-org/llama.cpp, gguf-py/gguf/metadata.py).
enum class SamplingKind : std::uint8_t { Whole, Real, Text };
struct SamplingKey {
    std::string_view member, older; // the first that is there counts
    std::string_view suffix;
    SamplingKind kind;
};
std::span<const SamplingKey> samplingKeys();

// Where the sampling of a model comes from.
enum class SamplingSource : std::uint8_t {
    Defaults,         // without values of the model: SamplingOptions, which are llama.cpp's defaults
    Gguf,             // general.sampling.* of the file
    GenerationConfig, // generation_config.json in the folder of the model
};

struct ModelSampling {
    SamplingOptions options;
    SamplingSource source = SamplingSource::Defaults;
    std::optional<Problem> problem; // generation_config.json is there and cannot be read, or a number is outside its range
};

// The sampling that the author of a model advises; defaults for absent values. A GGUF file with general.sampling.* decides
// alone; else generation_config.json next to it, or in the model's folder, is read. Numbers outside their range are ignored.
ModelSampling modelSampling(const Model& model);

} // namespace wb::text
