// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/machine.h"

namespace wb::pickle {

// Adds what a stream would do to a report: the globals, opcodes and level of `file`, and its calls. `index` is the place of `file`
// in `danger`, `stream` the number of the stream. Of calls of the levels A and B at most `mostHarmless` are listed.
void addStream(const Graph& graph, const Stream& stream, std::uint32_t index, std::uint32_t number, std::size_t maxHarmless,
               ScannedFile& file, Danger& danger);

// Whether torch.load(weights_only=True) would take the stream, as far as its opcodes and names decide
// (pytorch/pytorch: torch/_weights_only_unpickler.py).
bool loadsWeightsOnly(const Graph& graph, const Stream& stream);

} // namespace wb::pickle
