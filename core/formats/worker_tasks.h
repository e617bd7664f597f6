// SPDX-License-Identifier: MIT
#pragma once

#include "core/worker/worker.h"

namespace wb::formats {

// What the readers of all formats let a worker do for them. Every program that opens models hands this to worker::serveIfAsked
// first of all.
std::span<const worker::Task> workerTasks();

} // namespace wb::formats
