// SPDX-License-Identifier: MIT
#pragma once

#include "core/jobs/latest_queue.h"
#include "gpu/imview/canvas.h"
#include "gpu/imview/painter.h"

#include <atomic>

namespace wb::gpu::imview {

// The renderer's thread and what lives on it.
struct Renderer::Worker {
    OpenDevice open;
    PainterPtr painter; // on the thread only; null before the first frame and after a loss
    std::atomic<std::uint64_t> canvases = 0;
    jobs::LatestQueue queue; // last: its thread uses all else

    // The painter, opened where there is none or its device was lost. On the thread only.
    Result<PainterPtr> paint();
};

// The best device that draws and computes, software ones included.
Result<std::shared_ptr<Device>> openDrawingDevice();

} // namespace wb::gpu::imview
