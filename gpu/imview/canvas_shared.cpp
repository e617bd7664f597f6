// SPDX-License-Identifier: MIT
#include "gpu/imview/canvas_shared.h"

namespace wb::gpu::imview {

Canvas::Shared::Shared(Renderer::Worker& thread) : worker(thread), key("canvas " + std::to_string(++thread.canvases)) {}

void Canvas::Shared::work() {
    std::vector<TextureChange> todo;
    std::uint64_t frame = 0;
    {
        const std::scoped_lock lock(mutex);
        if (error || state == State::Moved) return;
        todo.swap(changes);
        if (begun < asked) std::swap(lists, drawing);
        else drawing.clear();
        begun = frame = asked;
    }
    const bool isLost = maker && maker->painter() && maker->painter()->device->lost();
    if (!isLost) {
        PainterPtr painter = worker.paint();
        if (maker && maker->painter() != painter) return leave();
        if (!maker) maker = makeFrameMaker(std::move(painter));
    }
    auto made = maker->make(todo, drawing, frame);
    if (made || !maker->painter()) return finish(std::move(made));
    worker.note(maker->painter(), made.error());
    if (made.error().code == ErrorCode::DeviceLost) finish(std::move(made));
    else leave(); // the device cannot draw this; the CPU can
}

void Canvas::Shared::finish(Result<PicturePtr> result) {
    if (result && !*result) return; // only textures changed
    if (!result) maker.reset();     // whatever it had is of no more use
    {
        const std::scoped_lock lock(mutex);
        if (result) {
            state = State::Ready;
            picture = *std::move(result);
        } else {
            state = result.error().code == ErrorCode::DeviceLost ? State::Lost : State::Failed;
            error = std::move(result).error();
        }
    }
    tell();
}

void Canvas::Shared::leave() {
    maker.reset();
    {
        const std::scoped_lock lock(mutex);
        state = State::Moved;
    }
    tell();
}

void Canvas::Shared::tell() {
    const std::scoped_lock lock(changedMutex);
    if (changed) changed();
}

} // namespace wb::gpu::imview
