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
    static constexpr int lossesBorne = 1; // a driver that was reset works again, one that fails twice does not

    OpenDevice open;
    PainterPtr painter;                    // on the thread only, as the next two; null before the first frame and after a loss
    int losses = 0;                        // of devices, since one was chosen
    bool hasNoDevice = false;              // that could draw: the CPU does, until another one is chosen
    std::atomic<bool> choosesAnew = false; // `open` may give another device than before
    std::atomic<std::uint64_t> canvases = 0;
    jobs::LatestQueue queue; // last: its thread uses all else

    // The painter, opened if none exists or its device was lost; null where the CPU draws. On the thread only.
    PainterPtr paint();
    void note(const PainterPtr& failed, const Error& error); // that it could not draw

private:
    void lose();
    PainterPtr openPainter();
};

// Which of the devices draws: that with the id, else the best, software ones included; null where none can.
const DeviceInfo* drawingDevice(std::span<const DeviceInfo> all, const std::string& id);

} // namespace wb::gpu::imview
