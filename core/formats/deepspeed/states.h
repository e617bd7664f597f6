// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"
#include "core/tensor/shape.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

// The division as the files of a ZeRO checkpoint describe it, read from the pickle itself: a model may have more parameters than
// metadata keeps (deepspeedai/DeepSpeed: deepspeed/checkpoint/constants.py).
namespace wb::deepspeed {

struct NamedShape {
    std::string name; // valid UTF-8
    Shape shape;

    friend bool operator==(const NamedShape&, const NamedShape&) = default;
};

// No real model has more parameters; reading stops there.
inline constexpr std::size_t maxParameters = 1'000'000;

// Of a *_model_states.pt.
struct ModelStates {
    bool hasShapes = false;                                  // it has param_shapes, so that parameters have names and an order
    std::vector<std::vector<NamedShape>> groups;             // of parameters, in their order
    std::vector<NamedShape> frozen;                          // parameters that are not trained
    std::vector<std::string> buffers;                        // names
    std::vector<std::pair<std::string, std::string>> shared; // the name of a tied parameter, and of the one that is stored
    bool hasPartitionedExperts = false;                      // experts are divided in another way than the rest
    bool isCut = false;                                      // more than maxParameters, or a shape that is none
};

// Of a *_optim_states.pt.
struct OptimizerStates {
    std::optional<std::uint64_t> stage;
    std::vector<std::uint64_t> partitions; // ranks that share each group; one number for all of them
    std::vector<std::uint64_t> paddings;   // elements at the end of each group of this rank that are not stored
};

ModelStates readModelStates(const pickle::Graph& graph, pickle::NodeId root);
OptimizerStates readOptimizerStates(const pickle::Graph& graph, pickle::NodeId root);

// The same of the dictionary itself, as a universal checkpoint stores it.
OptimizerStates readOptimizerEntries(const pickle::Graph& graph, pickle::NodeId dictionary);

} // namespace wb::deepspeed
