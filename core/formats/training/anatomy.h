// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

#include <array>
#include <set>
#include <string_view>

// Shared by the readers of training checkpoints: counting the parts of a checkpoint, and recognizing optimizers, schedulers and
// random generators by the keys that PyTorch and its programs store (pytorch/pytorch: torch/optim;
// huggingface/transformers: src/transformers/trainer.py; NVIDIA/Megatron-LM: megatron/training/checkpointing.py).
namespace wb::training {

// Counts tensors and files by part. Not thread-safe.
class PartCounter {
public:
    void add(CheckpointPart part, const TensorInfo& tensor); // its elements, its bytes
    void addFile(CheckpointPart part, const std::string& file);
    void addBytes(CheckpointPart part, std::uint64_t bytes); // of files that are the part alone

    std::vector<PartSummary> take(); // those that have anything, in the order of CheckpointPart

private:
    PartSummary& at(CheckpointPart part);

    static constexpr std::size_t partCount = static_cast<std::size_t>(CheckpointPart::Other) + 1;
    std::array<PartSummary, partCount> m_parts;
    std::array<std::set<std::string, std::less<>>, partCount> m_files;
    std::array<bool, partCount> m_isUsed{};
};

// The groups of a stored `param_groups` without `params`; Null unless it is an array of objects.
Value groupsWithoutParameters(const Value* paramGroups);

// `lr` of the first group.
std::optional<double> learningRate(const Value& groups);

// "AdamW", "Adam", "SGD" …, recognized by the keys of a group and by the moments of a parameter ("exp_avg", "momentum_buffer");
// empty if they are ambiguous.
std::optional<std::string> optimizerName(const Value& groups, const std::set<std::string, std::less<>>& moments);

// The generator whose state a program keeps under this key: "python", "numpy", "cpu", "cuda", "xla", "npu" …; null: none.
const char* generatorName(std::string_view key);

// Whether the last part of a tensor's name is what optimizers keep for a parameter.
bool isMoment(std::string_view name);

} // namespace wb::training
