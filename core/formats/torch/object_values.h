// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"
#include "core/tensor/shape.h"

#include <optional>
#include <string>
#include <vector>

// Values of a torch object in a graph, for readers of checkpoints that need more than the tensors and the metadata.
namespace wb::torch {

// The pairs of a dictionary, an OrderedDict or another class of dictionaries, in order and with duplicates; empty for anything
// else.
std::vector<pickle::Pair> entries(const pickle::Graph& graph, pickle::NodeId dictionary);

// The last one with this text as its key; unknownNode if none exists.
pickle::NodeId entry(const pickle::Graph& graph, pickle::NodeId dictionary, std::string_view key);

// An attribute of an object, one of the first 64 in the dictionary that was its state. The time grows with the number of
// states: callers cache the attributes of an object that is used many times.
pickle::NodeId attribute(const pickle::Graph& graph, pickle::NodeId object, std::string_view name);

// torch.Size((11, 7)), or the tuple or list alone; empty for anything else and more than Shape::maximumRank numbers.
std::optional<std::vector<std::uint64_t>> sizesAt(const pickle::Graph& graph, pickle::NodeId node);

// The name of the class of an object: "TensorStorageMetadata"; empty for anything else.
std::string_view className(const pickle::Graph& graph, pickle::NodeId object);

// A key or text as tensors are named by it: valid UTF-8.
std::string nameAt(const pickle::Graph& graph, pickle::NodeId key);

} // namespace wb::torch
