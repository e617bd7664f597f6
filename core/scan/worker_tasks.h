// SPDX-License-Identifier: MIT
#pragma once

#include "core/worker/worker.h"

namespace wb::scan {

// All that a worker of this program can be asked: the readers of all formats and the scan. For worker::serveIfAsked.
std::span<const worker::WorkerTask> allWorkerTasks();

} // namespace wb::scan
