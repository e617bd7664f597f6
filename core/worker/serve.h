// SPDX-License-Identifier: MIT
#pragma once

#include "core/worker/protocol.h"
#include "core/worker/worker.h"

namespace wb::worker {

// The child's work without its sandbox: takes one task from the channel, runs it and sends the result. False where the other
// side is gone or said nonsense.
bool serveOne(Channel& channel, std::span<const WorkerTask> tasks);

// The parent's work with a child that may do anything: sends the request, answers its reads, gathers its reply.
Result<std::vector<std::byte>> converse(Channel& channel, const Request& request, const Progress& progress,
                                        const std::function<bool()>& isTimeUp);

// Remembers that this program's main() calls serveIfAsked().
void setProgramServes();

} // namespace wb::worker
