// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The parts of a checkpoint of a training run, and those missing to resume the run (docs/inspect.md,
// "Checkpoints").
namespace wb {

class JsonWriter;

// The parts of a checkpoint, in display order.
enum class CheckpointPart : std::uint8_t { Weights, Optimizer, Scheduler, Rng, Scaler, Arguments, Data, Other };

// The word for it in JSON documents: "weights", "optimizer", "scheduler", "rng", "scaler", "arguments", "data", "other".
const char* checkpointPartName(CheckpointPart part);
std::optional<CheckpointPart> checkpointPartFromName(std::string_view name);

// One part that is there.
struct PartSummary {
    CheckpointPart part = CheckpointPart::Other;
    std::uint64_t tensors = 0;    // joined ones, where ranks share them
    std::uint64_t parameters = 0; // their elements
    std::uint64_t bytes = 0;      // stored bytes of its tensors; without tensors the size of the files that are this part alone
    std::vector<std::string> files;
};

// One part that is missing or incomplete. `name` is its file or rank, untranslated; empty if the part has no name.
struct MissingPart {
    CheckpointPart part = CheckpointPart::Other;
    std::string name;
};

// "rank 1: zero_pp_rank_1_mp_rank_00_model_states.pt", "scheduler", "optimizer: optimizer.pt": English, for JSON and the terminal.
std::string missingText(const MissingPart& missing);

// How many processes shared the model in each way; empty: not known.
struct TrainingWorld {
    std::optional<std::uint64_t> data;
    std::optional<std::uint64_t> tensor;
    std::optional<std::uint64_t> pipeline;
    std::optional<std::uint64_t> expert;
};

struct Checkpoint {
    std::string framework; // that wrote it: "deepspeed", "pytorch", "megatron-core", "transformers", "lightning"
    std::optional<std::string> frameworkVersion;
    std::optional<std::uint64_t> step;
    std::optional<double> epoch;
    std::optional<double> learningRate; // of the first group of parameters
    std::optional<double> loss;
    std::optional<std::string> precision; // "fp32", "fp16", "bf16"
    std::optional<std::uint64_t> zeroStage;
    TrainingWorld world;
    std::vector<PartSummary> parts; // by part, each once
    std::optional<std::string> optimizerName;
    Value optimizerGroups;        // an array: the groups of parameters as stored, without `params`; Null: none stored
    Value scheduler;              // its state as stored; Null: none stored
    std::vector<std::string> rng; // generators with a state: "python", "numpy", "cpu", "cuda", "xla"
    ValueObject objects;          // plain values that belong to none of these
    bool isResumable = false;
    std::vector<MissingPart> missing;
    // Whether the logical tensors of the model are the model: the stored ones are the shares of ranks, and only those in no logical
    // tensor's `parts` are read besides.
    bool isJoined = false;

    const PartSummary* find(CheckpointPart part) const; // null if missing
};

// One of the checkpoints in a folder of them.
struct SeriesEntry {
    std::string path; // relative to the folder
    std::optional<std::uint64_t> step;
    std::optional<double> epoch;
    std::optional<double> loss;
    std::uint64_t bytes = 0; // of all its files
    std::vector<CheckpointPart> parts;
};

// The values of the members "checkpoint" and "series" of `wb inspect --json`.
void writeJson(JsonWriter& out, const Checkpoint& checkpoint);
void writeJson(JsonWriter& out, const std::vector<SeriesEntry>& series);

} // namespace wb
