// SPDX-License-Identifier: MIT
#include "core/formats/training/window_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

namespace wb::training {
namespace {

class WindowSource final : public io::ByteSource {
public:
    explicit WindowSource(std::shared_ptr<const io::ByteSource> source) : m_source(std::move(source)) {}

    std::uint64_t size() const override { return m_source->size(); }
    const std::string& name() const override { return m_source->name(); }
    Result<void> checkUnchanged() const override { return m_source->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        const auto wanted = io::Extent::make(size(), offset, out.size());
        if (!wanted || out.empty() || out.size() > windowBytes / 2) return m_source->readAt(offset, out);
        const std::scoped_lock lock(m_mutex);
        for (const Window& window : m_windows)
            if (offset >= window.begin && wanted->end() <= window.begin + window.bytes.size()) {
                std::memcpy(out.data(), window.bytes.data() + (offset - window.begin), out.size());
                return {};
            }
        Window& window = m_windows[m_next++ % m_windows.size()];
        window.begin = offset > before ? offset - before : 0; // directories lead back a little
        window.bytes.resize(std::min<std::uint64_t>(windowBytes, size() - window.begin));
        if (!m_source->readAt(window.begin, window.bytes)) {
            window.bytes.clear();
            return m_source->readAt(offset, out); // the part alone may be readable
        }
        std::memcpy(out.data(), window.bytes.data() + (offset - window.begin), out.size());
        return {};
    }

private:
    static constexpr std::uint64_t windowBytes = 32 << 10;
    static constexpr std::uint64_t before = 1 << 10;

    struct Window {
        std::uint64_t begin = 0;
        std::vector<std::byte> bytes;
    };

    std::shared_ptr<const io::ByteSource> m_source;
    mutable std::mutex m_mutex;
    mutable std::array<Window, 4> m_windows;
    mutable std::size_t m_next = 0;
};

} // namespace

std::shared_ptr<io::ByteSource> readThroughWindows(std::shared_ptr<const io::ByteSource> source) {
    return std::make_shared<WindowSource>(std::move(source));
}

} // namespace wb::training
