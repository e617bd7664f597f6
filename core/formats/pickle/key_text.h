// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"

namespace wb::pickle {

// The key of a dictionary as Python's str() prints it, at most `maximumBytes`: the bytes of a text, the number of a NumPy scalar
// (numpy/numpy: numpy/_core/src/multiarray/methods.c, scalar reduction), else a preview.
std::string keyText(const Graph& graph, NodeId key, std::size_t maximumBytes);

} // namespace wb::pickle
