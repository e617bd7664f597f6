// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/arch/model_spec.h"

#include <span>

namespace wb::memory {

// The shape of a transformer whose layers are all alike.
struct Shape {
    std::string name;
    std::string architecture; // GGUF's word
    std::uint64_t layers = 0;
    std::uint64_t width = 0;
    std::uint64_t heads = 0;
    std::uint64_t kvHeads = 0;
    std::uint64_t headLength = 0;
    std::uint64_t feedForward = 0; // of one expert where there are experts
    std::uint64_t vocabulary = 0;
    std::uint64_t context = 0;
    std::uint64_t experts = 0;
    std::uint64_t expertsUsed = 0;
    bool tied = false;
    bool headNorms = false; // queries and keys have norms
    bool biases = false;    // so have their projections and that of the values

    std::uint64_t parameters() const;
    std::uint64_t active() const; // parameters that one token uses
};

// Published models, read from tables/shapes.tsv.
std::span<const Shape> knownShapes();

// "layers=32,hidden=4096,heads=32,kv-heads=8,head=128,ffn=14336,vocab=128256,experts=0,used=0,tied=no" in any order. Layers,
// hidden, heads, ffn and vocab must be there; kv-heads is heads and head is hidden / heads where they are omitted. Invalid, naming
// the part.
Result<Shape> shapeFromText(std::string_view text);

// The GGUF model of this shape, with names, types (F16, norms F32) and shapes of its tensors and without a file.
Model modelFromShape(const Shape& shape);

// The shape of a model whose hyperparameters were read from elsewhere; empty where its layers differ, or are of a kind whose
// tensors a shape does not specify.
std::optional<Shape> shapeFromSpec(const arch::ModelSpec& spec);

} // namespace wb::memory
