// SPDX-License-Identifier: MIT
#include "gpu/imview/canvas.h"

#include "gpu/imview/canvas_shared.h"

#include <cassert>
#include <cstring>

namespace wb::gpu::imview {
namespace {

// The parameters of the shader: the ends are taken along the curve here, once.
Push scalePush(const ColorScale& scale) {
    const auto along = [&](float value) {
        return scale.curve == Curve::SymmetricLog ? symmetricLog(value / scale.linearWidth) : value;
    };
    Push push{};
    push.low = along(scale.low);
    push.span = along(scale.high) - push.low;
    push.linearWidth = scale.linearWidth;
    push.nan = scale.nan;
    push.positiveInfinity = scale.positiveInfinity;
    push.negativeInfinity = scale.negativeInfinity;
    return push;
}

// Whether `next` makes `earlier` pointless: an owner who changes faster than frames are drawn must not fill the memory.
bool replaces(const TextureChange& next, const TextureChange& earlier) {
    if (next.kind != earlier.kind || next.texture != earlier.texture) return false;
    const TextureRect &a = next.rect, &b = earlier.rect;
    return next.kind == TextureChange::Kind::Scale ||
           (next.kind == TextureChange::Kind::Update && a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height);
}

void append(std::vector<TextureChange>& changes, TextureChange change) {
    std::erase_if(changes, [&](const TextureChange& earlier) { return replaces(change, earlier); });
    changes.push_back(std::move(change));
}

} // namespace

Canvas::Canvas(std::shared_ptr<Renderer> renderer, std::function<void()> changed)
    : m_renderer(std::move(renderer)), m_shared(std::make_shared<Shared>(*m_renderer->m_worker)) {
    m_shared->changed = std::move(changed);
    resizeTexture(fontTexture, 1, 1, Filter::Linear);
}

Canvas::~Canvas() {
    {
        const std::scoped_lock lock(m_shared->changedMutex);
        m_shared->changed = {};
    }
    // What is on the device is given back by the thread that uses it, after the frame it may be at.
    m_renderer->m_worker->queue.submit(m_shared->key, [shared = m_shared](const std::stop_token&) { shared->maker.reset(); });
}

Canvas::State Canvas::state() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->state;
}

std::optional<Error> Canvas::error() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->error;
}

PicturePtr Canvas::picture() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->picture;
}

// Changes wait for the frame they were made for: one that is still to be drawn must not meet the textures of the next.
void Canvas::change(TextureChange change) { append(m_changes, std::move(change)); }

void Canvas::create(TextureId texture, const Size& size, Filter filter) {
    assert(size.width >= 1 && size.height >= 1 && size.width <= maxTextureEdge && size.height <= maxTextureEdge);
    m_sizes[texture] = size;
    change({.kind = TextureChange::Kind::Create,
            .texture = texture,
            .rect = {0, 0, size.width, size.height},
            .values = size.values,
            .filter = filter});
}

TextureId Canvas::createTexture(int width, int height, Filter filter) {
    create(m_next, {width, height, false}, filter);
    return m_next++;
}

TextureId Canvas::createValueTexture(int width, int height) {
    create(m_next, {width, height, true}, Filter::Nearest);
    return m_next++;
}

void Canvas::resizeTexture(TextureId texture, int width, int height, Filter filter) {
    create(texture, {width, height, false}, filter);
}

void Canvas::destroyTexture(TextureId texture) {
    m_sizes.erase(texture);
    change({.kind = TextureChange::Kind::Destroy, .texture = texture});
}

bool Canvas::isInside(TextureId texture, const TextureRect& rect, bool values, std::size_t texels) const {
    const auto size = m_sizes.find(texture);
    return size != m_sizes.end() && size->second.values == values && rect.x >= 0 && rect.y >= 0 && rect.width > 0 &&
           rect.height > 0 && rect.x + rect.width <= size->second.width && rect.y + rect.height <= size->second.height &&
           texels == static_cast<std::size_t>(rect.width) * static_cast<std::size_t>(rect.height);
}

void Canvas::updateTexture(TextureId texture, const TextureRect& rect, std::span<const std::uint32_t> texels) {
    assert(isInside(texture, rect, false, texels.size()));
    change({.kind = TextureChange::Kind::Update, .texture = texture, .rect = rect, .words = {texels.begin(), texels.end()}});
}

void Canvas::updateValues(TextureId texture, const TextureRect& rect, std::span<const float> values) {
    assert(isInside(texture, rect, true, values.size()));
    std::vector<std::uint32_t> bits(values.size());
    std::memcpy(bits.data(), values.data(), values.size_bytes());
    change({.kind = TextureChange::Kind::Update, .texture = texture, .rect = rect, .words = std::move(bits)});
}

void Canvas::setColorScale(TextureId texture, const ColorScale& scale) {
    assert(m_sizes.contains(texture) && m_sizes.at(texture).values);
    change({.kind = TextureChange::Kind::Scale,
            .texture = texture,
            .words = {scale.colors.begin(), scale.colors.end()},
            .curve = static_cast<std::uint32_t>(scale.curve),
            .push = scalePush(scale)});
}

std::uint64_t Canvas::draw(const ImDrawData& data) {
    std::uint64_t frame = 0;
    {
        const std::scoped_lock lock(m_shared->mutex);
        if (!m_shared->error)
            for (TextureChange& change : m_changes) append(m_shared->changes, std::move(change));
        m_changes.clear();
        copyDrawLists(data, m_shared->lists);
        frame = ++m_shared->asked;
    }
    m_renderer->m_worker->queue.submit(m_shared->key, [shared = m_shared](const std::stop_token&) { shared->work(); });
    return frame;
}

} // namespace wb::gpu::imview
