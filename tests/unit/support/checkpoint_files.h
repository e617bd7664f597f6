// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"
#include "tests/unit/support/support.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace wb::test {

// A checkpoint in memory: names relative to its folder, and bytes.
using CheckpointFiles = std::vector<std::pair<std::string, std::vector<std::byte>>>;

// The files below a folder, sorted by name; with `isWanted` those whose last name it accepts.
CheckpointFiles checkpointFiles(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& isWanted = {});

// ../shared/fixtures/<fixture>.expected.json.
nlohmann::json truthFromFixture(const std::string& fixture);

// Reads a checkpoint as the worker does, in this process: the sources have the last part of the names, the wish has all of them.
using ReadIndex = Result<formats::Index> (*)(const formats::Sources& sources, std::string_view wish,
                                             const formats::OpenOptions& options);
Result<Model> readCheckpoint(ReadIndex readIndex, const CheckpointFiles& files, const formats::OpenOptions& options = {});

// The logical tensor of that name; null: none.
const TensorInfo* joinedTensor(const Model& model, std::string_view name);

// Model::checkpoint as `wb inspect --json` writes it.
nlohmann::json checkpointJson(const Model& model);

// Flips one bit in each of eight bytes. `random` is the state of the generator.
void flipBits(std::vector<std::byte>& bytes, std::uint32_t& random);

} // namespace wb::test
