// SPDX-License-Identifier: MIT
#include "gpu/imview/cpu_frame.h"

#include "gpu/imview/rasterizer.h"

#include <algorithm>

namespace wb::gpu::imview {

// While one picture is being painted, the next is drawn into another; more than two exist only as long as someone holds old ones.
ProcessorFrameMaker::Pixels ProcessorFrameMaker::takePixels(const DrawLists& lists) {
    const std::size_t count = static_cast<std::size_t>(lists.width) * static_cast<std::size_t>(lists.height);
    const auto isIdle = [](const Pixels& pixels) { return pixels.use_count() == 1; };
    std::erase_if(m_pictures, [&](const Pixels& pixels) { return isIdle(pixels) && pixels->size() != count; });
    const auto idle = std::ranges::find_if(m_pictures, isIdle);
    if (idle == m_pictures.end()) return m_pictures.emplace_back(std::make_shared<std::vector<std::uint32_t>>(count));
    std::ranges::fill(**idle, 0);
    return *idle;
}

Result<PicturePtr> ProcessorFrameMaker::make(const std::vector<TextureChange>& changes, const DrawLists& lists,
                                             std::uint64_t frame) {
    m_textures.apply(changes);
    if (!isDrawable(lists)) return nullptr;
    const Pixels pixels = takePixels(lists);
    WB_TRY(rasterize(lists, m_textures, *pixels, 0));
    auto picture = std::make_shared<Picture>();
    picture->width = lists.width;
    picture->height = lists.height;
    picture->frame = frame;
    picture->rgba = std::as_bytes(std::span(*pixels));
    picture->memory = pixels;
    return picture;
}

} // namespace wb::gpu::imview
