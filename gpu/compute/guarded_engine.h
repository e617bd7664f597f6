// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/device_ref.h"
#include "core/infer/engine.h"
#include "core/infer/engine_options.h"
#include "core/infer/graph/graph.h"

#include <memory>

namespace wb::gpu::compute {

// An engine that the CPU takes over from where the device fails: it loads the model, reads again the tokens that are in the
// cache, and continues. A remark reports it, after those given.
std::unique_ptr<infer::Engine> makeGuardedEngine(std::unique_ptr<infer::Engine> engine, const infer::Graph& graph,
                                                 const infer::EngineOptions& options, const DeviceRef& choice,
                                                 std::vector<Problem> remarks);

} // namespace wb::gpu::compute
