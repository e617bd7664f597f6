// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/imgui_font.h"

#include "gpu/imview/imgui_compat.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <cmath>
#include <cstring>
#include <vector>

namespace wb::ui {
namespace {

constexpr char16_t firstCharacter = 0x21, lastCharacter = 0x7e;

struct Glyph {
    QChar character;
    int rectangle; // of the atlas
};

// One character, white on transparent, as tall as a line.
QImage glyphImage(QChar character, const QFont& font, QSize size, qreal scale) {
    QImage image(size, QImage::Format_RGBA8888);
    image.fill(QColor(255, 255, 255, 0));
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(QPointF(0, QFontMetricsF(font).ascent()), QString(character));
    return image;
}

void copyInto(ImFontAtlas& atlas, const gpu::imview::AtlasPlace& place, const QImage& glyph) {
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&texels, &width, &height);
    for (int y = 0; y < place.height; ++y) {
        const uchar* const from = glyph.constScanLine(y);
        unsigned char* const to = texels + 4 * (static_cast<std::size_t>(place.y + y) * static_cast<std::size_t>(width) +
                                                static_cast<std::size_t>(place.x));
        // The texel is white wherever it is not transparent: Dear ImGui multiplies by the text's color.
        for (int x = 0; x < place.width; ++x) {
            const unsigned char white[4] = {255, 255, 255, from[4 * x + 3]};
            std::memcpy(to + 4 * x, white, 4);
        }
    }
}

} // namespace

float buildFontAtlas(ImFontAtlas& atlas, const QFont& font, qreal scale) {
    const QFontMetricsF metrics(font);
    const int lineHeight = static_cast<int>(std::ceil(metrics.height() * scale));
    // The font that is built in only lends its place; its space stays, everything else is replaced.
    static constexpr ImWchar space[] = {' ', ' ', 0};
    ImFontConfig config;
    config.SizePixels = static_cast<float>(lineHeight);
    config.GlyphRanges = space;
    atlas.Clear();
    ImFont* const target = atlas.AddFontDefault(&config);
    std::vector<Glyph> glyphs;
    for (char16_t code = firstCharacter; code <= lastCharacter; ++code) {
        const qreal advance = metrics.horizontalAdvance(QChar(code)) * scale;
        const int width = static_cast<int>(std::ceil(advance)) + 1;
        glyphs.push_back({QChar(code), atlas.AddCustomRectFontGlyph(target, static_cast<ImWchar>(code), width, lineHeight,
                                                                    static_cast<float>(advance))});
    }
    atlas.Build();
    for (const Glyph& glyph : glyphs) {
        const gpu::imview::AtlasPlace place = gpu::imview::atlasPlace(atlas, glyph.rectangle);
        copyInto(atlas, place, glyphImage(glyph.character, font, {place.width, place.height}, scale));
    }
    return static_cast<float>(lineHeight);
}

} // namespace wb::ui
