// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/frame.h"
#include "gpu/imview/raster_textures.h"

#include <memory>
#include <vector>

namespace wb::gpu::imview {

// Frames drawn by the CPU, with all its threads: for machines without a device that draws.
class ProcessorFrameMaker : public FrameMaker {
public:
    ProcessorFrameMaker() : FrameMaker(nullptr) {}

    Result<PicturePtr> make(const std::vector<TextureChange>& changes, const DrawLists& lists, std::uint64_t frame) override;

private:
    using Pixels = std::shared_ptr<std::vector<std::uint32_t>>;
    Pixels takePixels(const DrawLists& lists);

    RasterTextures m_textures;
    std::vector<Pixels> m_pictures; // taken in turn, while they are not referenced
};

} // namespace wb::gpu::imview
