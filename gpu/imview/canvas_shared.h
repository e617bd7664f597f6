// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/canvas.h"
#include "gpu/imview/frame.h"
#include "gpu/imview/worker.h"

#include <mutex>
#include <string>

namespace wb::gpu::imview {

// State shared by a canvas and the renderer's thread. Lives until the last of them is done with it.
struct Canvas::Shared {
    explicit Shared(Renderer::Worker& worker);

    // The renderer's thread only: changes textures and draws the newest frame.
    void work();
    void finish(Result<PicturePtr> result);
    void leave(); // another device draws
    void tell();

    Renderer::Worker& worker;
    const std::string key; // of the queue

    std::mutex mutex; // of the next seven
    std::vector<TextureChange> changes;
    DrawLists lists;
    std::uint64_t asked = 0; // newest frame
    std::uint64_t begun = 0;
    PicturePtr picture;
    State state = State::Waiting;
    std::optional<Error> error;

    std::mutex changedMutex; // held while `changed` runs, so that it never runs after the canvas is gone
    std::function<void()> changed;

    DrawLists drawing;                 // the renderer's thread only, as the next
    std::unique_ptr<FrameMaker> maker; // null before the first frame and after a failure
};

} // namespace wb::gpu::imview
