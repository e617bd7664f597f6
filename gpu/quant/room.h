// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/quant/engine.h"

namespace wb::gpu {

// Does the work; where the device has no room for it again, with fewer sets of buffers at a time.
template <typename Work>
auto QuantEngine::withRoom(Work work) -> decltype(work()) {
    for (bool isLast = false;; isLast = !makeRoom()) {
        auto done = work();
        if (done || isLast || done.error().code != ErrorCode::TooLarge) return done;
    }
}

} // namespace wb::gpu
