// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/graph_facts.h"

#include <string_view>

namespace wb::torch {

// Facts about the graph of a TorchScript archive, from its code (pytorch/pytorch: torch/csrc/jit/serialization/python_print.cpp).
// The code is text that is searched, never run.

// Counts the calls "torch.add(…)" and "ops.aten.add(…)" of one file of code, by their names "add", "aten.add".
void addCalls(std::string_view code, formats::GraphFacts& facts);

// The arguments and the result of forward() of class `name`, as inputs and outputs; nothing if the file has no such class.
void addSignature(std::string_view code, std::string_view name, formats::GraphFacts& facts);

} // namespace wb::torch
