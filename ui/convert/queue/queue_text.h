// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/queue/run_queue.h"

namespace wb::ui::convert {

// How the queue is, in a sentence: the running, waiting and saved jobs. Empty without jobs.
QString queueText(const RunQueue& queue, const RunSession& session);

} // namespace wb::ui::convert
