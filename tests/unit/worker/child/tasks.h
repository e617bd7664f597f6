// SPDX-License-Identifier: MIT
#pragma once

#include "core/worker/worker.h"

namespace wb::test {

// Tasks of a worker for tests: "echo" (the request), "sum" (of all bytes of all sources), "fail", "progress" (100 reports, then
// waits for a read), and one for each thing that the sandbox forbids.
std::span<const worker::WorkerTask> childTasks();

} // namespace wb::test
