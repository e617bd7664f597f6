// SPDX-License-Identifier: MIT
#include "gpu/imview/raster_textures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wb::gpu::imview {

// The twin of valueColour in imview.frag, in its steps.
std::uint32_t RasterTexture::valueColor(std::uint32_t bits) const {
    const auto value = std::bit_cast<float>(bits);
    if (std::isnan(value)) return push.nan;
    if (std::isinf(value)) return value > 0 ? push.positiveInfinity : push.negativeInfinity;
    const bool isLog = curve == static_cast<std::uint32_t>(Curve::SymmetricLog);
    const float along = isLog ? symmetricLog(value / push.linearWidth) : value;
    const float place = push.span > 0 ? std::clamp((along - push.low) / push.span, 0.0f, 1.0f) : 0.5f;
    return colors[static_cast<std::size_t>(place * 255.0f + 0.5f)];
}

void RasterTextures::create(const TextureChange& change) {
    RasterTexture texture;
    texture.width = change.rect.width;
    texture.height = change.rect.height;
    texture.filter = change.filter;
    texture.values = change.values;
    const std::uint32_t empty = change.values ? std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN()) : 0;
    texture.texels.assign(static_cast<std::size_t>(texture.width) * static_cast<std::size_t>(texture.height), empty);
    if (change.values) texture.curve = static_cast<std::uint32_t>(Curve::Linear);
    m_textures.insert_or_assign(change.texture, std::move(texture));
}

void RasterTextures::apply(const std::vector<TextureChange>& changes) {
    for (const TextureChange& change : changes) {
        if (change.kind == TextureChange::Kind::Create) create(change);
        if (change.kind == TextureChange::Kind::Destroy) m_textures.erase(change.texture);
        const auto found = m_textures.find(change.texture);
        if (found == m_textures.end() || change.words.empty()) continue;
        RasterTexture& texture = found->second;
        if (change.kind == TextureChange::Kind::Scale) {
            texture.push = change.push;
            texture.curve = change.curve;
            std::ranges::copy(change.words, texture.colors.begin());
        } else {
            const auto width = static_cast<std::ptrdiff_t>(change.rect.width);
            for (std::ptrdiff_t row = 0; row < change.rect.height; ++row)
                std::ranges::copy_n(change.words.begin() + row * width, width,
                                    texture.texels.begin() + (change.rect.y + row) * texture.width + change.rect.x);
        }
    }
}

const RasterTexture* RasterTextures::find(TextureId id) const {
    const auto found = m_textures.find(id);
    return found == m_textures.end() ? nullptr : &found->second;
}

} // namespace wb::gpu::imview
