// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wb::hub {

// Which bytes of a file are there and which are being fetched. The file is cut into pieces; what is fetched in one go is a run: the
// rest of a piece, or a part of it after a run was split. Bytes that came are never given back, whatever happens to a run's
// connection. Knows no connection, no time and no network. Not thread-safe.
class Pieces {
public:
    struct Run { // [at, end) is missing
        std::uint64_t at = 0, end = 0;
        std::uint64_t piece = 0;
        bool isTaken = false; // by a connection

        bool isDone() const { return at == end; }
    };

    Pieces(std::uint64_t bytes, std::uint64_t pieceBytes);

    // ---- existing bytes

    std::uint64_t count() const { return m_left.size(); }
    std::uint64_t begin(std::uint64_t piece) const { return piece * m_pieceBytes; }
    std::uint64_t size(std::uint64_t piece) const;
    std::uint64_t done(std::uint64_t piece) const; // bytes from its beginning without a gap
    std::uint64_t prefix() const;                  // bytes from the beginning of the file without a gap
    std::uint64_t doneBytes() const { return m_doneBytes; }
    bool areAllDone() const { return m_doneBytes == m_bytes; }

    // An earlier run of the program left this many bytes from the beginning of a piece. Before the first take().
    void resume(std::uint64_t piece, std::uint64_t bytes);

    // ---- runs, named by numbers that contain until the run is done

    const Run& run(std::size_t number) const { return m_runs[number]; }

    // Takes the lowest unassigned range, a new piece where that is lower; empty: none exists.
    std::optional<std::size_t> take();

    // Halves a run: its second half becomes another one, which is taken.
    std::size_t split(std::size_t number);

    void release(std::size_t number) { m_runs[number].isTaken = false; }
    void advance(std::size_t number, std::uint64_t bytes); // they came; at most the missing bytes

    // ---- steps back

    // These pieces are missing again. No run may be taken.
    void forget(const std::vector<std::uint64_t>& pieces);

    // The whole file is missing again, and is one run: of a server that knows no ranges. No run may be taken.
    void forgetAll();

private:
    std::optional<std::size_t> lowestFree();
    std::size_t add(Run run);

    std::uint64_t m_bytes;
    std::uint64_t m_pieceBytes;
    std::vector<std::uint64_t> m_left;     // of each piece, bytes that are missing
    std::vector<bool> m_isBegun;           // pieces that have runs
    std::uint64_t m_firstFresh = 0;        // no piece before it is fresh
    mutable std::uint64_t m_firstOpen = 0; // no piece before it is missing bytes
    std::vector<Run> m_runs;
    std::uint64_t m_doneBytes = 0;
};

} // namespace wb::hub
