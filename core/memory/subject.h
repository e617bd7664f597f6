// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/shapes.h"
#include "core/memory/types.h"

namespace wb::memory {

// How far the numbers can be trusted, the best first (docs/reference/memory.md, "Conventions").
enum class Trust : std::uint8_t {
    Allocated, // by an engine just now
    Plan,      // of an engine that would allocate it
    Header,    // of the model's own tensors
    Config,    // of its config.json; the tensors follow from it
    Rule       // of a size or a name: the shape is that of a known model
};
const char* trustName(Trust trust); // "allocated", "plan", "header", "config", "rule"

// Whose memory is estimated.
struct Subject {
    std::string name;
    Trust trust = Trust::Header;
    ModelPtr model; // with GGUF's names and shapes
    arch::ModelSpec spec;
    std::uint64_t parameters = 0;
    Weights stored;         // as stored; F16 if only a shape is given
    bool isGguf = true;     // a config.json or a folder has INT8 and INT4 in another form
    bool canConvert = true; // whether the types of its tensors can be chosen
    std::vector<Problem> problems;

    // With the types that the user chose; null: as stored.
    // Whether its weights are known. Of some models a config says the caches alone: no verdict is given.
    bool hasWeights() const { return stored.total() > 0; }

    Result<Weights> weights(const WeightType* type) const;
};

// The published divergences of a type as this model would have it: none was published for forms that are no mixes.
quant::PublishedDivergence typeDivergence(const WeightType& type, const Subject& subject);

// An opened model: a GGUF file by its tensors, a folder by its config.json and the bytes of its tensors. Fails where not one part
// can be known.
Result<Subject> memorySubject(const ModelPtr& model);

// A parsed config.json.
Result<Subject> subjectOfConfig(const ValueObject& config, const std::string& file);

// A transformer of this shape. Malformed where its numbers contradict each other.
Result<Subject> subjectOfShape(const Shape& shape, Trust trust);

// "7B", "0.5B", "8x7B", "235B-A22B", or the name of a known model.
Result<Subject> subjectOfSize(std::string_view text);

} // namespace wb::memory
