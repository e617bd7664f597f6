// SPDX-License-Identifier: MIT
#include "core/infer/text_stream.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::infer {
namespace {

// Bytes at the end that are the beginning of `stop`.
std::size_t overlap(std::string_view text, std::string_view stop) {
    for (std::size_t size = std::min(text.size(), stop.size() - 1); size > 0; --size)
        if (text.ends_with(stop.substr(0, size))) return size;
    return 0;
}

} // namespace

TextStream::TextStream(std::vector<std::string> stopStrings) : m_stops(std::move(stopStrings)) { std::erase(m_stops, ""); }

std::string TextStream::release(std::size_t count) {
    std::string text = m_held.substr(0, count);
    m_held.erase(0, count);
    return text;
}

std::string TextStream::add(std::string_view bytes) {
    if (!m_found.empty()) return {};
    m_held += m_characters.add(bytes);
    std::size_t first = std::string::npos;
    for (const std::string& stop : m_stops)
        if (const std::size_t at = m_held.find(stop); at < first) {
            first = at;
            m_found = stop;
        }
    if (!m_found.empty()) return release(first);
    std::size_t kept = 0;
    for (const std::string& stop : m_stops) kept = std::max(kept, overlap(m_held, stop));
    return release(utf8Prefix(m_held, m_held.size() - kept).size());
}

std::string TextStream::finish() { return m_found.empty() ? release(m_held.size()) : std::string(); }

} // namespace wb::infer
