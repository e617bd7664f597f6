// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/pieces.h"
#include "core/net/speed_floor.h"
#include "core/net/transport.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace wb::hub {

// The rules by which one file comes over several connections (docs/reference/hub.md, "Job states" and "Connection
// states"), without input or output: it receives events with their times and returns actions. So every rule is a test
// without a network, and hours of waiting take no time.
//
// Its Pieces track existing and missing bytes. A connection ("line") downloads one byte range at a time, the lowest
// that is free; when none is free it takes half of the slowest connection's rest. Bytes that came stay, whatever happens to their
// line.
class FileJob {
public:
    struct Options {
        unsigned lines = 8;
        std::uint64_t pieceBytes = 16u << 20;
        std::uint64_t splitBytes = 1u << 20; // what must be left of a run that is split, and what forgives earlier failures
        net::Duration firstByte = std::chrono::seconds(10);
        net::Duration stall = std::chrono::seconds(20);
        net::SpeedFloor::Rule speed = {}; // of all lines together
        unsigned slowWindows = 2;         // of that rule in a row, without splitBytes in between, before the job fails
        net::Duration betweenResolves = std::chrono::seconds(10);
        // So fast that more connections than fastLines only cost: measured over this many bytes each time.
        double fastBytesPerSecond = 400e6;
        std::uint64_t measuredBytes = 64u << 20;
        unsigned fastLines = 2;
        unsigned attempts = 10; // failures in a row, without splitBytes in between, before the job fails
        unsigned resolves = 3;  // new addresses in a row that gave no byte
        std::uint64_t seed = 1; // of the jitter
        // The sentence of an answer that refuses the file for good.
        std::function<Error(const net::Head&)> explain;
        // Whether data may come from there when `from` reports it.
        std::function<bool(const net::Url& from, const net::Url& to)> isAllowed;
        const net::Clock* clock = nullptr; // for dates that servers name; null: the system's
    };

    // Where the bytes are at the moment.
    struct Address {
        net::Url url;
        bool isHub = false; // the hub itself and no signed address: a 403 there is a refusal
    };

    struct Open { // send a GET for [start, end); without a range where that is the whole file
        unsigned line = 0;
        net::Url url;
        std::uint64_t begin = 0, end = 0;
        bool isWhole = false;
    };
    struct Close {
        unsigned line = 0;
    };
    struct Resolve {}; // ask the hub for a new address; no line is open
    using Action = std::variant<Open, Close, Resolve>;

    enum class State { Running, Done, Failed };

    // Why no byte comes, until when.
    struct Waiting {
        Error why;
        net::Time until;
    };

    FileJob(std::uint64_t bytes, Options options);

    // ---- before the first action: what an earlier run left

    void resumePiece(std::uint64_t piece, std::uint64_t bytes); // so many from its beginning

    // ---- what happened

    void resolved(net::Time now, Address address);
    void resolveFailed(Error error); // for good
    void head(net::Time now, unsigned line, const net::Head& head);

    // Where bytes that came belong; what is beyond `count` belongs nowhere.
    struct Place {
        std::uint64_t offset = 0;
        std::size_t count = 0;
    };
    Place body(net::Time now, unsigned line, std::size_t bytes);
    void ended(net::Time now, unsigned line, const std::optional<net::Failure>& failure);
    void tick(net::Time now); // at nextTime() or later

    // Extends the stall deadline of every connection by `time`, because the caller was not reading.
    void extendDeadlines(net::Duration time);

    // ---- what to do

    std::vector<Action> takeActions();
    std::optional<net::Time> nextTime(net::Time now) const; // later than now: when tick() is wanted, whatever happens
    std::optional<Waiting> waiting(net::Time now) const;    // nothing flows, and why

    State state() const { return m_state; }
    const Error& error() const { return m_error; } // of Failed

    // ---- existing bytes

    const Pieces& pieces() const { return m_pieces; }
    std::uint64_t fetchedBytes() const { return m_fetchedBytes; } // by this object
    unsigned openLines() const;

    // Forgets pieces whose bytes were wrong; they are fetched again. Only once all are done.
    void fetchAgain(const std::vector<std::uint64_t>& pieces);

private:
    struct Line {
        enum class Is { Idle, Asked, Flowing } is = Is::Idle;
        std::size_t run = 0; // its number in the pieces
        std::uint64_t askedEnd = 0;
        net::Url url;
        unsigned hops = 0;
        net::Time heard{}; // when something came last
        net::Time opened{};
        net::Time notBefore{}; // after a failure
        unsigned failures = 0;
        std::uint64_t received = 0; // since it was opened
    };

    void openLines(net::Time now);
    bool takeRun(net::Time now, Line& line);
    void resetWhole();
    std::optional<std::size_t> splitSlowest(net::Time now);
    void ask(net::Time now, unsigned line);
    void release(unsigned line, bool close);
    void closeAll();
    void checkSpeed(net::Time now);
    void lost(net::Time now, unsigned line, Error error, bool close);
    void failed(Error error);
    void expired(net::Time now, Error error);
    void answered(net::Time now, unsigned line, const net::Head& head);
    void redirected(net::Time now, unsigned line, const net::Head& head);
    void refused(net::Time now, unsigned line, const net::Head& head);
    void startWhole(net::Time now);
    const Pieces::Run& lineRun(const Line& line) const { return m_pieces.run(line.run); }
    net::Duration backOff(unsigned failures);
    void measure(net::Time now, std::size_t bytes);
    unsigned wantedLines() const { return m_isFast ? std::min(m_allowedLines, m_options.fastLines) : m_allowedLines; }

    std::uint64_t m_bytes;
    Options m_options;
    State m_state = State::Running;
    Error m_error;
    Error m_lastTrouble;
    Pieces m_pieces;
    std::vector<Line> m_lines;
    std::vector<Action> m_actions;
    std::optional<Address> m_address;
    std::string m_entityTag; // of the data at this address
    bool m_hasRanges = true;
    unsigned m_allowedLines;
    std::optional<net::Time> m_measuredAt;
    std::uint64_t m_sinceMeasured = 0; // bytes
    bool m_isFast = false;
    std::uint64_t m_sinceFewer = 0; // bytes since there were fewer of them
    bool m_wantsResolve = true;
    bool m_isResolving = false;
    std::optional<net::Time> m_resolvedAt;
    unsigned m_fruitlessResolves = 0;
    unsigned m_failuresInRow = 0;
    std::uint64_t m_sinceFailure = 0; // bytes
    net::SpeedFloor m_floor;
    unsigned m_slowWindows = 0; // in a row
    net::Time m_holdUntil{};    // the server asked for silence
    std::uint64_t m_fetchedBytes = 0;
    std::uint64_t m_random;
};

} // namespace wb::hub
