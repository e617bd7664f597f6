// SPDX-License-Identifier: MIT
#include "gpu/device/open.h"
#include "gpu/imview/worker.h"

#include <algorithm>
#include <mutex>

namespace wb::gpu::imview {
namespace {

// The messages to the renderer of the process, whether it is there or not.
struct Process {
    std::mutex mutex;
    std::weak_ptr<Renderer> renderer;
    std::string device; // id
};

Process& process() {
    static Process process;
    return process;
}

std::string chosenDevice() {
    const std::scoped_lock lock(process().mutex);
    return process().device;
}

Result<DevicePtr> openDrawingDevice(const std::string& id) {
    WB_TRY_ASSIGN(const std::vector<DeviceInfo> all, devices());
    const DeviceInfo* const device = drawingDevice(all, id);
    if (!device)
        return fail(ErrorCode::NotFound, Reason("device.cannot_draw"),
                    WB_TEXT("No Vulkan device on this machine can draw; plots are drawn by the CPU."));
    return openAt(device->index);
}

} // namespace

const DeviceInfo* drawingDevice(std::span<const DeviceInfo> all, const std::string& id) {
    const auto able = [](const DeviceInfo& info) { return info.usable && info.graphics; };
    const auto chosen = std::ranges::find_if(all, [&](const DeviceInfo& info) { return able(info) && info.id == id; });
    const auto best = chosen != all.end() ? chosen : std::ranges::find_if(all, able); // in the order of preference already
    return best == all.end() ? nullptr : &*best;
}

void Renderer::Worker::lose() {
    painter.reset();
    ++losses;
}

void Renderer::Worker::note(const PainterPtr& failed, const Error& error) {
    if (painter != failed) return; // it was noted with another canvas
    if (error.code == ErrorCode::DeviceLost) return lose();
    painter.reset();
    hasNoDevice = true;
}

PainterPtr Renderer::Worker::paint() {
    if (painter && painter->device->lost()) lose();
    const bool isChosenAnew = choosesAnew.exchange(false);
    if (isChosenAnew) {
        losses = 0;
        hasNoDevice = false;
    }
    if (losses > lossesBorne) hasNoDevice = true;
    if (!hasNoDevice && (isChosenAnew || !painter)) painter = openPainter();
    hasNoDevice = !painter;
    return painter;
}

PainterPtr Renderer::Worker::openPainter() {
    auto device = open();
    if (!device) return nullptr;
    if (painter && painter->device == *device) return painter;
    return Painter::create(*std::move(device)).value_or(nullptr);
}

Renderer::Renderer(OpenDevice open) : m_worker(std::make_unique<Worker>()) {
    m_worker->open = open ? std::move(open) : OpenDevice([] { return openDrawingDevice(chosenDevice()); });
}

Renderer::~Renderer() = default;

void Renderer::reopen() { m_worker->choosesAnew = true; }

std::shared_ptr<Renderer> Renderer::shared() {
    const std::scoped_lock lock(process().mutex);
    auto held = process().renderer.lock();
    if (!held) process().renderer = held = std::make_shared<Renderer>();
    return held;
}

void Renderer::useDevice(const std::string& id) {
    const std::scoped_lock lock(process().mutex);
    process().device = id;
    if (const auto renderer = process().renderer.lock()) renderer->reopen();
}

} // namespace wb::gpu::imview
