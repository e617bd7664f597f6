// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "core/infer/graph/graph.h"
#include "gpu/device/device_info.h"

#include <vector>

namespace wb::gpu {

// Whether devices run this graph with this cache: every operation is in their table. Unsupported, with the operation, the type of
// the weights or the context in the sentence, where they do not; the CPU runs it then.
Result<void> checkDeviceRuns(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device);

// The types of a graph's matrices; all have a layout where checkDeviceRuns() accepts it.
std::vector<Dtype> matrixTypes(const infer::Graph& graph);

} // namespace wb::gpu
