// SPDX-License-Identifier: MIT
#include "core/io/random_reader.h"

namespace wb::io {

void RandomReader::fill(std::uint64_t position, std::span<std::byte> out) {
    constexpr std::uint64_t windowBytes = 16 << 10;
    if (!m_good || out.empty()) return;
    if (!Extent::make(size(), position, out.size())) return reject();
    for (const Window& window : m_windows) {
        if (position < window.begin || position - window.begin > window.bytes.size()) continue;
        const std::uint64_t at = position - window.begin;
        if (out.size() > window.bytes.size() - at) continue;
        std::memcpy(out.data(), window.bytes.data() + at, out.size());
        return;
    }
    Window& window = m_windows[m_oldest++ % m_windows.size()];
    window.begin = position > windowBytes / 4 ? position - windowBytes / 4 : 0; // structures often lead back a little
    const std::uint64_t before = position - window.begin;
    window.bytes.resize(std::min(size() - window.begin, std::max<std::uint64_t>(windowBytes, before + out.size())));
    if (const auto read = m_source.readAt(window.begin, window.bytes); !read) {
        m_failure = read.error();
        window.bytes.clear();
        return reject();
    }
    std::memcpy(out.data(), window.bytes.data() + before, out.size());
}

std::uint64_t RandomReader::readNumber(std::uint64_t position, unsigned bytes) {
    std::array<std::byte, 8> number{};
    fill(position, std::span(number).first(std::min(bytes, 8u)));
    std::uint64_t value = 0;
    for (std::size_t i = number.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(number[i]);
    return value;
}

std::string RandomReader::text(std::uint64_t position, std::uint64_t length, std::uint64_t maximum) {
    if (!m_good || length > maximum || !canHold(position, length, 1)) {
        reject();
        return {};
    }
    std::string out(length, '\0');
    fill(position, std::as_writable_bytes(std::span(out)));
    return out;
}

bool RandomReader::hasText(std::uint64_t position, std::string_view expected) {
    return m_good && canHold(position, expected.size(), 1) && text(position, expected.size(), expected.size()) == expected;
}

} // namespace wb::io
