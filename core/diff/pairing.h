// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"
#include "core/model/tensor_reader.h"

#include <functional>

// Inside the room: which tensors are compared, and how they are read.
namespace wb::diff {

// What happens to every decoded value, in f32 as converters compute it.
enum class ValueChange : std::uint8_t { None, AddOne, NegativeExponential };

// Elements of a tensor from `first` on, of one of the models of a Pairing.
struct Operand {
    std::size_t model = 0; // index into Pairing::models
    TensorInfo tensor;
    std::uint64_t first = 0;
    ValueChange change = ValueChange::None;
};

// An element of B, for Measures::maxAt.
struct Location {
    std::string tensor;
    std::vector<std::uint64_t> index;
};

// Corresponding elements, read in the same order on both sides.
struct Run {
    Operand a, b;
    std::uint64_t elements = 0;
    std::uint64_t unit = 1; // elements that are cheaper to read together: a row, all rows of a head
    double origin = 0;      // see compareValues()
    std::function<Location(std::uint64_t element)> locate;
};

struct PlannedPair {
    Pair pair;
    std::vector<Run> runs; // one after another; empty where the values cannot be compared
};

struct Pairing {
    std::vector<Model> models;    // A, B, then those that were made of them; their files are open
    std::vector<ModelPtr> closed; // the same models, whose files are not
    std::vector<PlannedPair> pairs;
    std::vector<std::string> onlyA, onlyB;
};

// A and B, of which one may also be seen as the GGUF file that the folder would be converted to; null: none.
struct Sides {
    ModelPtr a, b;
    std::shared_ptr<const struct GgufView> view;
};

// Matches the tensors. Reads tensor data for matching by content, unless options say structure only.
Result<Pairing> pairTensors(const Sides& sides, const Options& options);

} // namespace wb::diff
