// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"

#include <string>

namespace wb::test {

// The operations of a graph in one line each, with the numbers that are not the usual ones: "qkv rms heads 4/2 x 16 rope 0
// qk-norm".
std::string textOfLayer(const infer::Graph& graph, std::size_t layer);
std::string textOfEnds(const infer::Graph& graph);

} // namespace wb::test
