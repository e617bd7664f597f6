// SPDX-License-Identifier: MIT
#include "tests/gpu/imview/reference.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::test {
namespace {

using gpu::imview::DrawCommand;
using gpu::imview::DrawLists;
using gpu::imview::Filter;
using Color = std::array<double, 4>; // 0 … 1

Color unpack(std::uint32_t packed) {
    Color color;
    for (std::size_t part = 0; part < 4; ++part) color[part] = static_cast<double>(packed >> (8 * part) & 0xff) / 255;
    return color;
}

std::uint32_t pack(const Color& color) {
    std::uint32_t packed = 0;
    for (std::size_t part = 0; part < 4; ++part)
        packed |= static_cast<std::uint32_t>(std::lround(std::clamp(color[part], 0.0, 1.0) * 255)) << (8 * part);
    return packed;
}

Color texel(const ReferenceTexture& texture, int x, int y) {
    x = std::clamp(x, 0, texture.width - 1);
    y = std::clamp(y, 0, texture.height - 1);
    return unpack(texture.texels[static_cast<std::size_t>(y * texture.width + x)]);
}

Color sample(const ReferenceTexture& texture, double u, double v) {
    const double x = u * texture.width, y = v * texture.height;
    if (texture.filter == Filter::Nearest) return texel(texture, static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
    const int left = static_cast<int>(std::floor(x - 0.5)), top = static_cast<int>(std::floor(y - 0.5));
    const double right = x - 0.5 - left, low = y - 0.5 - top;
    Color mixed{};
    for (std::size_t part = 0; part < 4; ++part)
        mixed[part] = (texel(texture, left, top)[part] * (1 - right) + texel(texture, left + 1, top)[part] * right) * (1 - low) +
                      (texel(texture, left, top + 1)[part] * (1 - right) + texel(texture, left + 1, top + 1)[part] * right) * low;
    return mixed;
}

struct Corner {
    std::int64_t x, y; // 1/256 pixel
    double u, v;
    Color color;
};

Corner listsCorner(const DrawLists& lists, const ImDrawVert& vertex) {
    const auto onGrid = [](float clip, int size) { return std::llround((static_cast<double>(clip) + 1) * size / 2 * 256); };
    return {onGrid(vertex.pos.x * lists.scaleX + lists.moveX, lists.width),
            onGrid(vertex.pos.y * lists.scaleY + lists.moveY, lists.height), static_cast<double>(vertex.uv.x),
            static_cast<double>(vertex.uv.y), unpack(vertex.col)};
}

// Twice the area to the left of a → b at a point; positive inside of a triangle that turns clockwise on the screen.
std::int64_t side(const Corner& a, const Corner& b, std::int64_t x, std::int64_t y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// A pixel on an edge belongs to the triangle where the edge is a top or a left one.
bool keepsEdge(const Corner& a, const Corner& b) { return b.y < a.y || (b.y == a.y && b.x > a.x); }

class Picture {
public:
    Picture(const DrawLists& lists, const DrawCommand& command, const ReferenceTexture& texture, std::vector<Color>& pixels)
        : m_lists(lists), m_command(command), m_texture(texture), m_pixels(pixels) {}

    void triangle(Corner a, Corner b, Corner c) {
        const std::int64_t area = side(a, b, c.x, c.y);
        if (area == 0) return;
        if (area < 0) std::swap(b, c);
        const auto low = [](std::int64_t one, std::int64_t two, std::int64_t three) {
            return static_cast<int>(std::min({one, two, three}) / 256) - 1;
        };
        const auto high = [](std::int64_t one, std::int64_t two, std::int64_t three) {
            return static_cast<int>(std::max({one, two, three}) / 256) + 1;
        };
        const int left = std::max(low(a.x, b.x, c.x), m_command.clipX),
                  right = std::min(high(a.x, b.x, c.x) + 1, m_command.clipX + m_command.clipWidth);
        const int top = std::max(low(a.y, b.y, c.y), m_command.clipY),
                  bottom = std::min(high(a.y, b.y, c.y) + 1, m_command.clipY + m_command.clipHeight);
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) pixel(a, b, c, static_cast<double>(std::abs(area)), x, y);
    }

private:
    void pixel(const Corner& a, const Corner& b, const Corner& c, double area, int x, int y) {
        const std::int64_t centreX = x * std::int64_t{256} + 128, centreY = y * std::int64_t{256} + 128;
        const std::array<std::int64_t, 3> sides = {side(b, c, centreX, centreY), side(c, a, centreX, centreY),
                                                   side(a, b, centreX, centreY)};
        const std::array<bool, 3> keeps = {keepsEdge(b, c), keepsEdge(c, a), keepsEdge(a, b)};
        for (std::size_t edge = 0; edge < 3; ++edge)
            if (sides[edge] < 0 || (sides[edge] == 0 && !keeps[edge])) return;
        const auto mix = [&](double one, double two, double three) {
            return (one * static_cast<double>(sides[0]) + two * static_cast<double>(sides[1]) +
                    three * static_cast<double>(sides[2])) /
                   area;
        };
        blend(x, y, sample(m_texture, mix(a.u, b.u, c.u), mix(a.v, b.v, c.v)),
              {mix(a.color[0], b.color[0], c.color[0]), mix(a.color[1], b.color[1], c.color[1]),
               mix(a.color[2], b.color[2], c.color[2]), mix(a.color[3], b.color[3], c.color[3])});
    }

    void blend(int x, int y, const Color& texture, const Color& color) {
        Color& target = m_pixels[static_cast<std::size_t>(y * m_lists.width + x)];
        const double alpha = texture[3] * color[3];
        for (std::size_t part = 0; part < 3; ++part)
            target[part] = texture[part] * color[part] * alpha + target[part] * (1 - alpha);
        target[3] = alpha + target[3] * (1 - alpha);
        target = unpack(pack(target)); // the picture has 8 bits a channel
    }

    const DrawLists& m_lists;
    const DrawCommand& m_command;
    const ReferenceTexture& m_texture;
    std::vector<Color>& m_pixels;
};

} // namespace

std::vector<std::uint32_t> drawReference(const DrawLists& lists, const ReferenceTextures& textures) {
    std::vector<Color> pixels(static_cast<std::size_t>(lists.width * lists.height));
    for (const DrawCommand& command : lists.commands) {
        Picture picture(lists, command, textures.at(command.texture), pixels);
        for (std::uint32_t at = 0; at < command.indexCount; at += 3) {
            const auto corner = [&](std::uint32_t which) {
                const auto index = static_cast<std::int32_t>(lists.indices[command.firstIndex + at + which]) + command.vertexOffset;
                return listsCorner(lists, lists.vertices[static_cast<std::size_t>(index)]);
            };
            picture.triangle(corner(0), corner(1), corner(2));
        }
    }
    std::vector<std::uint32_t> packed;
    for (const Color& pixel : pixels) packed.push_back(pack(pixel));
    return packed;
}

} // namespace wb::test
