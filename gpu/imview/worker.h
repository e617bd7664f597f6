// SPDX-License-Identifier: MIT
#pragma once

#include "core/jobs/latest_queue.h"
#include "gpu/device/device_info.h"
#include "gpu/imview/canvas.h"
#include "gpu/imview/painter.h"

#include <atomic>

namespace wb::gpu::imview {

// The renderer's thread and what lives on it.
struct Renderer::Worker {
    OpenDevice open;
    PainterPtr painter;                    // on the thread only; null before the first frame and after a loss
    std::atomic<bool> choosesAnew = false; // `open` may give another device than before
    std::atomic<std::uint64_t> canvases = 0;
    jobs::LatestQueue queue; // last: its thread uses all else

    // The painter, opened where there is none or its device was lost. On the thread only.
    Result<PainterPtr> paint();
};

// Which of the devices draws: that with the id, else the best, software ones included; null where none can.
const DeviceInfo* drawingDevice(std::span<const DeviceInfo> all, const std::string& id);

} // namespace wb::gpu::imview
