// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/model/recipe.h"
#include "core/worker/wire.h"

// A Model on its way out of a worker, for readers that run there as a whole: everything but its files, path and folder, which are
// the parent's.
namespace wb::worker {

// Limits of a message; larger ones are rejected.
struct ModelCaps {
    std::uint64_t tensors = 4'000'000;
    std::uint64_t problems = 100'000;
    std::uint32_t depth = 300; // of metadata; more than any reader sends, the most being 256 levels of a JSON text
};

// How a format sends its own recipes: numbers and names, never values. `write` is false if the recipe is not one of the format;
// `read` gives null where what it reads is invalid.
struct RecipeWire {
    bool (*write)(WireWriter& out, const Recipe& recipe) = nullptr;
    std::shared_ptr<const Recipe> (*read)(WireReader& in) = nullptr;
};

// Internal where the model holds a recipe that `recipes` does not know.
Result<void> writeModel(WireWriter& out, const Model& model, const RecipeWire& recipes = {});

// Checks all that can be checked without the files: types, shapes, texts, indices below `files`, caps. That the places are inside
// the files is checked by TensorReader::open, which no tool goes past. Empty where something is wrong; the caller then reports it
// as worker.garbled (garbledModel).
std::optional<Model> readModel(WireReader& in, std::uint32_t files, const RecipeWire& recipes = {}, const ModelCaps& caps = {});

std::unexpected<Error> garbledModel(const std::string& subject);

void writeProblem(WireWriter& out, const Problem& problem);
Problem readProblem(WireReader& in);
void writeDanger(WireWriter& out, const Danger& danger);
std::shared_ptr<const Danger> readDanger(WireReader& in);
void writeCheckpoint(WireWriter& out, const Checkpoint& checkpoint);
std::shared_ptr<const Checkpoint> readCheckpoint(WireReader& in, std::uint32_t depth);
void writeValue(WireWriter& out, const Value& value);
Value readValue(WireReader& in, std::uint32_t depth);

} // namespace wb::worker
