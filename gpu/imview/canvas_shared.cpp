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
    if (!maker || !maker->painter()->device->lost()) {
        auto painter = worker.paint();
        if (!painter) return finish(std::unexpected(std::move(painter).error()));
        if (maker && maker->painter() != *painter) return leave();
        if (!maker) maker = std::make_unique<FrameMaker>(*std::move(painter));
    }
    finish(maker->make(todo, drawing, frame));
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
