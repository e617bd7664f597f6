// SPDX-License-Identifier: MIT
#include "core/hub/pieces.h"

#include <algorithm>
#include <numeric>

namespace wb::hub {

Pieces::Pieces(std::uint64_t bytes, std::uint64_t pieceBytes) : m_bytes(bytes), m_pieceBytes(pieceBytes) {
    const std::uint64_t pieces = bytes / pieceBytes + (bytes % pieceBytes != 0 ? 1 : 0);
    m_left.resize(pieces);
    m_isBegun.resize(pieces);
    for (std::uint64_t i = 0; i < pieces; ++i) m_left[i] = size(i);
}

// ---- existing bytes

std::uint64_t Pieces::size(std::uint64_t piece) const { return std::min(m_pieceBytes, m_bytes - begin(piece)); }

std::uint64_t Pieces::done(std::uint64_t piece) const {
    if (m_left[piece] == 0) return size(piece);
    if (!m_isBegun[piece]) return 0;
    std::uint64_t first = begin(piece) + size(piece);
    for (const Run& run : m_runs)
        if (run.piece == piece && !run.isDone()) first = std::min(first, run.at);
    return first - begin(piece);
}

std::uint64_t Pieces::prefix() const {
    while (m_firstOpen < m_left.size() && m_left[m_firstOpen] == 0) ++m_firstOpen;
    return m_firstOpen == m_left.size() ? m_bytes : begin(m_firstOpen) + done(m_firstOpen);
}

void Pieces::resume(std::uint64_t piece, std::uint64_t bytes) {
    if (piece >= m_left.size() || m_isBegun[piece] || bytes == 0 || bytes > size(piece)) return;
    m_isBegun[piece] = true;
    m_left[piece] -= bytes;
    m_doneBytes += bytes;
    if (m_left[piece] > 0) m_runs.push_back({begin(piece) + bytes, begin(piece) + size(piece), piece, false});
}

// ---- runs

std::optional<std::size_t> Pieces::take() {
    while (m_firstFresh < m_isBegun.size() && m_isBegun[m_firstFresh]) ++m_firstFresh;
    const bool hasFresh = m_firstFresh < m_left.size();
    auto number = lowestFree();
    if (hasFresh && (!number || begin(m_firstFresh) < m_runs[*number].at)) {
        m_isBegun[m_firstFresh] = true;
        number = add({begin(m_firstFresh), begin(m_firstFresh) + size(m_firstFresh), m_firstFresh, false});
    }
    if (number) m_runs[*number].isTaken = true;
    return number;
}

std::optional<std::size_t> Pieces::lowestFree() {
    std::optional<std::size_t> lowest;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const Run& run = m_runs[i];
        if (run.isTaken || run.isDone() || (lowest && m_runs[*lowest].at < run.at)) continue;
        lowest = i;
    }
    return lowest;
}

// In the place of one that is done, so that there are never more than connections and leftovers.
std::size_t Pieces::add(Run run) {
    const auto done = std::ranges::find_if(m_runs, [](const Run& each) { return !each.isTaken && each.isDone(); });
    if (done == m_runs.end()) {
        m_runs.push_back(run);
        return m_runs.size() - 1;
    }
    *done = run;
    return static_cast<std::size_t>(done - m_runs.begin());
}

std::size_t Pieces::split(std::size_t number) {
    Run& run = m_runs[number];
    const std::uint64_t middle = std::midpoint(run.at, run.end);
    const Run rest{middle, run.end, run.piece, true};
    run.end = middle;
    return add(rest);
}

void Pieces::advance(std::size_t number, std::uint64_t bytes) {
    Run& run = m_runs[number];
    m_doneBytes += bytes;
    while (bytes > 0) { // a run over the whole file goes through all pieces
        const std::uint64_t piece = run.at / m_pieceBytes;
        const std::uint64_t count = std::min(bytes, begin(piece) + size(piece) - run.at);
        m_left[piece] -= count;
        run.at += count;
        run.piece = std::min<std::uint64_t>(run.at / m_pieceBytes, m_left.size() - 1);
        bytes -= count;
    }
}

// ---- steps back

void Pieces::forget(const std::vector<std::uint64_t>& pieces) {
    for (const std::uint64_t piece : pieces) {
        m_doneBytes -= size(piece) - m_left[piece];
        m_left[piece] = size(piece);
        m_isBegun[piece] = false;
        m_firstFresh = std::min(m_firstFresh, piece);
        m_firstOpen = std::min(m_firstOpen, piece);
        std::erase_if(m_runs, [piece](const Run& run) { return run.piece == piece; });
    }
}

void Pieces::forgetAll() {
    m_doneBytes = 0;
    m_firstOpen = 0;
    for (std::uint64_t i = 0; i < m_left.size(); ++i) m_left[i] = size(i), m_isBegun[i] = true;
    m_runs.assign(1, {0, m_bytes, 0, false});
}

} // namespace wb::hub
