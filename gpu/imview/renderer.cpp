// SPDX-License-Identifier: MIT
#include "gpu/device/device.h"
#include "gpu/imview/worker.h"

#include <algorithm>
#include <mutex>

namespace wb::gpu::imview {

Result<std::shared_ptr<Device>> openDrawingDevice() {
    WB_TRY_ASSIGN(const std::vector<DeviceInfo> all, devices());
    // In the order of preference already.
    const auto able = std::ranges::find_if(all, [](const DeviceInfo& info) { return info.usable && info.graphics; });
    if (able == all.end()) return fail(ErrorCode::NotFound, WB_TEXT("No Vulkan device of this machine can draw, so plots are not shown."));
    return openAt(able->index);
}

Result<PainterPtr> Renderer::Worker::paint() {
    if (painter && painter->device->lost()) painter.reset();
    if (!painter) {
        WB_TRY_ASSIGN(DevicePtr device, open());
        WB_TRY_ASSIGN(painter, Painter::create(std::move(device)));
    }
    return painter;
}

Renderer::Renderer(OpenDevice open) : m_worker(std::make_unique<Worker>()) {
    m_worker->open = open ? std::move(open) : OpenDevice(openDrawingDevice);
}

Renderer::~Renderer() = default;

std::shared_ptr<Renderer> Renderer::shared() {
    static std::mutex mutex;
    static std::weak_ptr<Renderer> renderer;
    const std::scoped_lock lock(mutex);
    auto held = renderer.lock();
    if (!held) renderer = held = std::make_shared<Renderer>();
    return held;
}

} // namespace wb::gpu::imview
