// SPDX-License-Identifier: MIT
#include "core/formats/pickle/tape.h"

#include <algorithm>

namespace wb::pickle {
namespace {

constexpr std::uint64_t firstLoad = 64 << 10;
constexpr std::uint64_t largestLoad = 16 << 20;
constexpr std::uint64_t longRun = 1 << 20; // longer arguments are payloads and are not printed
constexpr std::uint64_t maxReserved = 128 << 20;
constexpr std::uint64_t maxKept = 1ull << 30; // of pickles without payloads; optimizer states of 100,000 tensors take 50 MB

} // namespace

void Tape::rewind(std::uint64_t position) {
    Segment& segment = m_segments.back();
    m_begin = segment.begin;
    m_first = segment.bytes.data();
    m_end = m_first + segment.bytes.size();
    m_at = m_first + (position - m_begin);
}

void Tape::enter(std::uint64_t position) {
    m_segments.push_back({position, {}});
    rewind(position);
}

void Tape::seek(std::uint64_t position) {
    const bool isInside = !m_segments.empty() && position >= m_begin && position - m_begin <= m_segments.back().bytes.size();
    if (isInside) rewind(position);
    else enter(position);
}

bool Tape::load(std::uint64_t count) {
    if (count > remaining()) return false;
    if (m_segments.empty()) enter(0);
    const std::uint64_t here = position();
    Segment& segment = m_segments.back();
    const std::uint64_t loaded = segment.bytes.size();
    const std::uint64_t wanted = here - segment.begin + count;
    const std::uint64_t step = std::clamp<std::uint64_t>(loaded, firstLoad, largestLoad);
    const std::uint64_t length = std::min(std::max(wanted, loaded + step), size() - segment.begin);
    if (m_kept + (length - loaded) > maxKept) return false;
    // A pickle that turns out to be long is not copied at each step; room that is not used is not touched.
    if (loaded >= longRun && segment.bytes.capacity() < length)
        segment.bytes.reserve(std::min(std::max(length, maxReserved), size() - segment.begin));
    segment.bytes.resize(length);
    const auto read = m_source.readAt(segment.begin + loaded, std::span(segment.bytes).subspan(loaded));
    if (!read) {
        segment.bytes.resize(loaded);
        m_failure = read.error();
    } else {
        m_kept += length - loaded;
    }
    rewind(here);
    return read.has_value();
}

bool Tape::skip(std::uint64_t count) {
    if (count > remaining()) return false;
    const bool isLoaded = static_cast<std::uint64_t>(m_end - m_at) >= count;
    if (isLoaded || (count <= longRun && load(count))) {
        m_at += count;
        return true;
    }
    if (count <= longRun) return false;
    enter(position() + count);
    return true;
}

std::span<const std::byte> Tape::view(std::uint64_t offset, std::uint64_t length) const {
    const auto after = std::ranges::upper_bound(m_segments, offset, {}, &Segment::begin);
    for (auto segment = after; segment != m_segments.begin();) {
        --segment; // segments may overlap where the tape was wound back
        const std::uint64_t inside = offset - segment->begin;
        if (inside <= segment->bytes.size() && length <= segment->bytes.size() - inside)
            return std::span(segment->bytes).subspan(inside, length);
        if (after - segment > 2) break;
    }
    return {};
}

std::string_view Tape::text(std::uint64_t offset, std::uint64_t length) const {
    const auto bytes = view(offset, length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace wb::pickle
