// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/canvas.h"
#include "gpu/imview/draw_lists.h"
#include "gpu/imview/painter.h"
#include "gpu/imview/texture_change.h"

namespace wb::gpu::imview {

// Resources of a canvas where its frames are drawn: textures and pictures. Used by the renderer's thread only.
class FrameMaker {
public:
    explicit FrameMaker(PainterPtr painter) : m_painter(std::move(painter)) {}
    virtual ~FrameMaker() = default;
    FrameMaker(const FrameMaker&) = delete;
    FrameMaker& operator=(const FrameMaker&) = delete;

    const PainterPtr& painter() const { return m_painter; } // null: the CPU draws

    // Changes the textures, then draws. Null where the frame has no pixels or too many.
    virtual Result<PicturePtr> make(const std::vector<TextureChange>& changes, const DrawLists& lists, std::uint64_t frame) = 0;

protected:
    static bool isDrawable(const DrawLists& lists) {
        return !lists.isEmpty() && lists.width <= maxTextureEdge && lists.height <= maxTextureEdge;
    }

    PainterPtr m_painter;
};

std::unique_ptr<FrameMaker> makeFrameMaker(PainterPtr painter); // null: on the CPU

} // namespace wb::gpu::imview
