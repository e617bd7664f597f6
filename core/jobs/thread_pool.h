// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <functional>

namespace wb::jobs {

class PauseGate;

// How many threads the machine runs at once; at least 1.
unsigned machineThreads();

// How many threads a loop over `count` indices may have where `threads` are requested (0: as many as the machine has). At least 1,
// also for no index.
unsigned loopWidth(std::uint64_t count, unsigned threads);

using LoopBody = std::function<Result<void>(std::uint64_t index)>;
using SlotLoopBody = std::function<Result<void>(std::uint64_t index, unsigned slot)>;

// Calls body(0) … body(count-1), each once, on the calling thread and up to loopWidth(count, threads) - 1 helpers, and returns when
// all have ended. Indices start in ascending order. The first Error (by index) is returned; after an Error or a stop no new index
// starts. Memory that a body does not get is an Error too.
//
// The helpers come from one persistent pool, which all loops of the process share: a helper moves on to a loop with fewer helpers
// after any of its indices, so an index should be short (milliseconds). The caller works too, so every loop makes progress, also
// one in the body of another. A body may wait for a lower index of its loop, never for a higher one.
//
// A PauseGate that is closed takes effect between two indices: the helpers leave the loop, its caller waits at the gate.
Result<void> parallelFor(std::uint64_t count, unsigned threads, const std::stop_token& stop, const LoopBody& body);

// The same for a body that needs a state (buffers, a reader): `slot` is below loopWidth(count, threads), and at any time one thread
// has it, so the body may use the slot's element of a vector of states. The indices of one slot ascend.
Result<void> parallelFor(std::uint64_t count, unsigned threads, const std::stop_token& stop, const SlotLoopBody& body);

// For PauseGate: has the innermost loop whose body this thread runs wait at `gate` between two indices. False if none exists.
bool pauseLoopAt(PauseGate& gate);

} // namespace wb::jobs
