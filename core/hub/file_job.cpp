// SPDX-License-Identifier: MIT
#include "core/hub/file_job.h"

#include "core/base/ascii.h"

#include <algorithm>

namespace wb::hub {
namespace {

constexpr unsigned maxHops = 5;
constexpr std::int64_t longestFileBackOff = 60;      // seconds
constexpr std::uint64_t wholeAgainBytes = 64u << 20; // without trouble, before a server is requested one line more again

Error trouble(Reason reason, const char* sentence, const net::Url& url) {
    return makeError(ErrorCode::NotReadable, reason, About{url.authority()}, sentence, url.authority());
}

Error sourceChanged(const net::Url& url) {
    return trouble(Reason("hub.source_changed"),
                   WB_TEXT("The file on {} has changed since the download began; start the download again."), url);
}

bool statusPassesWithTime(int status) { return status == 408 || status == 429 || status >= 500; }

} // namespace

FileJob::FileJob(std::uint64_t bytes, Options options)
    : m_bytes(bytes), m_options(std::move(options)), m_pieces(bytes, m_options.pieceBytes), m_lines(std::max(1u, m_options.lines)),
      m_allowedLines(static_cast<unsigned>(m_lines.size())), m_floor(m_options.speed), m_random(m_options.seed | 1) {
    if (bytes == 0) m_state = State::Done;
}

void FileJob::resumePiece(std::uint64_t piece, std::uint64_t bytes) {
    m_pieces.resume(piece, bytes);
    if (m_pieces.areAllDone()) m_state = State::Done;
}

// ---- existing bytes

unsigned FileJob::openLines() const {
    return static_cast<unsigned>(std::ranges::count_if(m_lines, [](const Line& line) { return line.is != Line::Is::Idle; }));
}

void FileJob::fetchAgain(const std::vector<std::uint64_t>& pieces) {
    closeAll();
    if (!m_hasRanges && !pieces.empty()) {
        resetWhole();
        m_state = State::Running;
        return;
    }
    m_pieces.forget(pieces);
    if (m_state == State::Done && !m_pieces.areAllDone()) m_state = State::Running;
}

// ---- addresses

void FileJob::resolved(net::Time now, Address address) {
    m_isResolving = false;
    m_wantsResolve = false;
    m_resolvedAt = now;
    m_address = std::move(address);
    m_entityTag.clear();
    openLines(now);
}

void FileJob::resolveFailed(Error error) {
    m_isResolving = false;
    failed(std::move(error));
}

// One new address for all lines.
void FileJob::expired(net::Time, Error error) {
    closeAll();
    m_lastTrouble = std::move(error);
    if (++m_fruitlessResolves > m_options.resolves) return failed(m_lastTrouble);
    m_wantsResolve = true;
}

// ---- lines

void FileJob::openLines(net::Time now) {
    if (m_state != State::Running || m_isResolving) return;
    if (m_wantsResolve) {
        const bool isEarly = m_fruitlessResolves > 1 && m_resolvedAt && now < *m_resolvedAt + m_options.betweenResolves;
        if (isEarly || now < m_holdUntil) return;
        m_isResolving = true;
        m_actions.push_back(Resolve{});
        return;
    }
    if (now < m_holdUntil) return;
    for (unsigned i = 0; i < m_lines.size() && openLines() < wantedLines(); ++i) {
        Line& line = m_lines[i];
        if (line.is != Line::Is::Idle || now < line.notBefore) continue;
        if (!takeRun(now, line)) return;
        line.url = m_address->url;
        line.hops = 0;
        ask(now, i);
    }
}

bool FileJob::takeRun(net::Time now, Line& line) {
    auto run = m_pieces.take();
    if (!run) run = splitSlowest(now);
    if (run) line.run = *run;
    return run.has_value();
}

// Half of the run that would end last at the speed of its line.
std::optional<std::size_t> FileJob::splitSlowest(net::Time now) {
    if (!m_hasRanges) return std::nullopt;
    std::optional<std::size_t> slowest;
    double longest = 0;
    for (const Line& line : m_lines) {
        if (line.is == Line::Is::Idle) continue;
        const std::uint64_t left = lineRun(line).end - lineRun(line).at;
        if (left <= m_options.splitBytes) continue;
        const double seconds = std::chrono::duration<double>(now - line.opened).count();
        const double wait = static_cast<double>(left) * (seconds + 0.001) / static_cast<double>(line.received + 1);
        if (wait > longest) longest = wait, slowest = line.run;
    }
    if (!slowest) return std::nullopt;
    return m_pieces.split(*slowest);
}

void FileJob::ask(net::Time now, unsigned index) {
    Line& line = m_lines[index];
    const Pieces::Run& run = lineRun(line);
    line.is = Line::Is::Asked;
    line.opened = line.heard = now;
    line.received = 0;
    line.askedEnd = run.end;
    m_actions.push_back(Open{index, line.url, run.at, run.end, run.at == 0 && run.end == m_bytes});
}

void FileJob::release(unsigned index, bool close) {
    Line& line = m_lines[index];
    if (line.is == Line::Is::Idle) return;
    m_pieces.release(line.run);
    line.is = Line::Is::Idle;
    if (close) m_actions.push_back(Close{index});
}

void FileJob::closeAll() {
    for (unsigned i = 0; i < m_lines.size(); ++i) release(i, true);
}

void FileJob::failed(Error error) {
    closeAll();
    m_state = State::Failed;
    m_error = std::move(error);
}

// 1, 2, 4 … 60 seconds, a fifth more or less, so that lines do not come back all at once.
net::Duration FileJob::backOff(unsigned failures) {
    const std::int64_t seconds = std::min<std::int64_t>(std::int64_t{1} << std::min(failures, 6u), longestFileBackOff);
    m_random ^= m_random << 13, m_random ^= m_random >> 7, m_random ^= m_random << 17; // xorshift, Marsaglia 2003
    constexpr std::int64_t thousandth = 1000, fifth = 200;
    const auto jitter = static_cast<std::int64_t>(m_random % (2 * fifth + 1)) - fifth;
    return std::chrono::milliseconds(seconds * (thousandth + jitter));
}

// The line comes back after a while. A server that has enough of so many lines gets fewer and is no failure.
void FileJob::lost(net::Time now, unsigned index, Error error, bool close) {
    Line& line = m_lines[index];
    const bool hadNothing = line.received == 0;
    release(index, close);
    const unsigned others = openLines();
    const bool othersFlow =
        std::ranges::any_of(m_lines, [](const Line& each) { return each.is == Line::Is::Flowing && each.received > 0; });
    m_lastTrouble = std::move(error);
    if (hadNothing && othersFlow) {
        m_allowedLines = std::max(1u, others);
        m_sinceFewer = 0;
        return;
    }
    line.notBefore = now + backOff(line.failures++);
    if (!m_hasRanges) m_holdUntil = std::max(m_holdUntil, line.notBefore); // no other line may continue in its place
    m_sinceFailure = 0;
    if (++m_failuresInRow >= m_options.attempts) failed(m_lastTrouble);
}

// ---- what happened

void FileJob::head(net::Time now, unsigned index, const net::Head& head) {
    if (m_state != State::Running || index >= m_lines.size() || m_lines[index].is != Line::Is::Asked) return;
    m_lines[index].heard = now;
    if (head.status == 200 || head.status == 206) answered(now, index, head);
    else if (head.status >= 300 && head.status < 400) redirected(now, index, head);
    else if (head.status >= 200) refused(now, index, head); // 1xx: the answer itself follows
    openLines(now);
}

void FileJob::answered(net::Time now, unsigned index, const net::Head& head) {
    Line& line = m_lines[index];
    const Pieces::Run run = lineRun(line);
    const std::string* encoding = head.headers.find("Content-Encoding");
    if (encoding && !ascii::same(*encoding, "identity"))
        return lost(now, index, trouble(Reason("hub.encoded"), WB_TEXT("{} sent the file in an unexpected encoding."), line.url),
                    true);
    const std::string* tag = head.headers.find("ETag");
    if (tag && !m_entityTag.empty() && *tag != m_entityTag) return failed(sourceChanged(line.url));
    if (tag) m_entityTag = *tag;
    const std::string* text = head.headers.find("Content-Range");
    if (text) { // ModelScope says 200 where it means 206
        const auto range = net::parseContentRange(*text);
        if (range && range->total && *range->total != m_bytes) return failed(sourceChanged(line.url));
        if (!range || range->begin != run.at || range->end != line.askedEnd)
            return lost(now, index,
                        trouble(Reason("hub.wrong_range"), WB_TEXT("{} sent a different byte range than requested."), line.url),
                        true);
    } else if (head.status == 206) {
        return lost(now, index,
                    trouble(Reason("hub.wrong_range"), WB_TEXT("{} sent a different byte range than requested."), line.url), true);
    } else if (run.at != 0 || line.askedEnd != m_bytes) {
        return startWhole(now);
    } else if (const auto length = net::contentLength(head.headers); length && *length != m_bytes) {
        return failed(sourceChanged(line.url));
    }
    line.is = Line::Is::Flowing;
}

// The server knows no ranges: one line, from the beginning.
void FileJob::startWhole(net::Time now) {
    closeAll();
    resetWhole();
    openLines(now);
}

void FileJob::resetWhole() {
    m_hasRanges = false;
    m_allowedLines = 1;
    m_pieces.forgetAll();
}

void FileJob::redirected(net::Time now, unsigned index, const net::Head& head) {
    Line& line = m_lines[index];
    const std::string* location = head.headers.find("Location");
    const auto target = location ? net::resolveReference(line.url, *location) : std::nullopt;
    if (!target || line.hops >= maxHops || (m_options.isAllowed && !m_options.isAllowed(line.url, *target)))
        return failed(trouble(Reason("hub.bad_redirect"),
                              WB_TEXT("{} redirects to an address that is not allowed; use another endpoint, or try again later."),
                              line.url));
    const unsigned hops = line.hops + 1;
    m_actions.push_back(Close{index});
    line.url = *target;
    line.hops = hops;
    ask(now, index);
}

void FileJob::refused(net::Time now, unsigned index, const net::Head& head) {
    const net::Url url = m_lines[index].url;
    const int status = head.status;
    const bool isHub = m_address && m_address->isHub && url.isSameOrigin(m_address->url);
    if ((status == 401 || status == 403 || status == 404 || status == 410) && !isHub)
        return expired(now, trouble(Reason("hub.address_expired"),
                                    WB_TEXT("{} rejected the download address provided by the hub; try again later."), url));
    if (status == 416) {
        const std::string* text = head.headers.find("Content-Range");
        const auto range = text ? net::parseContentRange(*text) : std::nullopt;
        if (range && range->total && *range->total != m_bytes) return failed(sourceChanged(url));
        return lost(now, index, trouble(Reason("hub.wrong_range"), WB_TEXT("{} sent a different byte range than requested."), url),
                    true);
    }
    if (!statusPassesWithTime(status)) return failed(m_options.explain ? m_options.explain(head) : sourceChanged(url));
    Error error = m_options.explain ? m_options.explain(head) : sourceChanged(url);
    const auto seconds = net::secondsToWait(head.headers, m_options.clock ? m_options.clock->unixNow() : net::Clock().unixNow());
    if (!seconds) return lost(now, index, std::move(error), true);
    m_holdUntil = std::max(m_holdUntil, now + std::chrono::seconds(*seconds));
    m_lastTrouble = std::move(error);
    release(index, true);
    if (++m_failuresInRow >= m_options.attempts) failed(m_lastTrouble);
}

// A line that has ended finds out here whether another one shall start.
void FileJob::measure(net::Time now, std::size_t bytes) {
    if (!m_measuredAt) m_measuredAt = now;
    else m_sinceMeasured += bytes;
    if (m_sinceMeasured < m_options.measuredBytes) return;
    const double seconds = std::chrono::duration<double>(now - *m_measuredAt).count();
    m_isFast = static_cast<double>(m_sinceMeasured) > seconds * m_options.fastBytesPerSecond;
    m_measuredAt = now;
    m_sinceMeasured = 0;
    openLines(now);
}

FileJob::Place FileJob::body(net::Time now, unsigned index, std::size_t bytes) {
    if (m_state != State::Running || index >= m_lines.size() || m_lines[index].is != Line::Is::Flowing) return {};
    Line& line = m_lines[index];
    const Pieces::Run& run = lineRun(line);
    line.heard = now;
    const Place place{run.at, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, run.end - run.at))};
    m_pieces.advance(line.run, place.count);
    m_fetchedBytes += place.count;
    line.received += place.count;
    m_sinceFailure += place.count;
    m_fruitlessResolves = 0;
    if (m_sinceFailure >= m_options.splitBytes) m_failuresInRow = m_slowWindows = 0;
    m_floor.add(place.count);
    m_sinceFewer += place.count;
    if (m_sinceFewer >= wholeAgainBytes && m_hasRanges && m_allowedLines < m_lines.size()) ++m_allowedLines, m_sinceFewer = 0;
    if (line.received >= m_options.splitBytes) line.failures = 0;
    if (run.isDone() && (line.askedEnd > run.end || place.count < bytes)) { // the rest belongs to another connection or to none
        release(index, true);
        openLines(now);
    }
    measure(now, place.count);
    if (m_pieces.areAllDone()) m_state = State::Done;
    return place;
}

void FileJob::ended(net::Time now, unsigned index, const std::optional<net::Failure>& failure) {
    if (m_state != State::Running || index >= m_lines.size() || m_lines[index].is == Line::Is::Idle) return;
    const Line& line = m_lines[index];
    const bool isWhole = lineRun(line).isDone();
    if (isWhole) {
        release(index, false);
    } else {
        lost(now, index, net::failureError(failure.value_or(net::Failure{net::FailureKind::Reset, {}}), line.url.authority()),
             false);
        if (!m_hasRanges && m_state == State::Running) startWhole(now);
    }
    openLines(now);
}

void FileJob::tick(net::Time now) {
    if (m_state != State::Running) return;
    for (unsigned i = 0; i < m_lines.size() && m_state == State::Running; ++i) {
        const Line& line = m_lines[i];
        const net::Duration maxWait = line.is == Line::Is::Asked ? m_options.firstByte : m_options.stall;
        if (line.is == Line::Is::Idle || now < line.heard + maxWait) continue;
        if (lineRun(line).isDone()) { // all is here, only the end was not said
            release(i, true);
            continue;
        }
        lost(now, i, net::failureError({net::FailureKind::Timeout, {}}, line.url.authority()), true);
        if (!m_hasRanges && m_state == State::Running) startWhole(now);
    }
    checkSpeed(now);
    openLines(now);
}

// Connections below the minimum rate are reopened, perhaps to another server; servers that only pretend to answer are abandoned.
void FileJob::checkSpeed(net::Time now) {
    const auto flows = [](const Line& line) { return line.is == Line::Is::Flowing; };
    if (m_state != State::Running || std::ranges::none_of(m_lines, flows)) return m_floor.stop();
    m_floor.start(now);
    if (!m_floor.isBelow(now)) return;
    ++m_slowWindows;
    for (unsigned i = 0; i < m_lines.size() && m_state == State::Running; ++i) {
        if (!flows(m_lines[i])) continue;
        Error error = net::failureError({net::FailureKind::TooSlow, {}}, m_lines[i].url.authority());
        if (m_slowWindows >= m_options.slowWindows) failed(std::move(error));
        else lost(now, i, std::move(error), true);
    }
    if (!m_hasRanges && m_state == State::Running) startWhole(now);
}

void FileJob::extendDeadlines(net::Duration time) {
    for (Line& line : m_lines) line.heard += time;
    m_floor.extendDeadlines(time);
}

// ---- what to do

std::vector<FileJob::Action> FileJob::takeActions() { return std::exchange(m_actions, {}); }

std::optional<net::Time> FileJob::nextTime(net::Time now) const {
    if (m_state != State::Running) return std::nullopt;
    std::optional<net::Time> next;
    const auto consider = [&next, now](net::Time time) {
        if (time > now) next = next ? std::min(*next, time) : time;
    };
    for (const Line& line : m_lines) {
        if (line.is == Line::Is::Asked) consider(line.heard + m_options.firstByte);
        else if (line.is == Line::Is::Flowing) consider(line.heard + m_options.stall);
        else consider(std::max(line.notBefore, m_holdUntil));
    }
    if (m_floor.windowEnd()) consider(*m_floor.windowEnd());
    if (m_wantsResolve && m_resolvedAt) consider(std::max(*m_resolvedAt + m_options.betweenResolves, m_holdUntil));
    return next;
}

std::optional<FileJob::Waiting> FileJob::waiting(net::Time now) const {
    if (m_state != State::Running || openLines() > 0 || m_isResolving) return std::nullopt;
    net::Time until = m_holdUntil;
    if (m_wantsResolve) {
        if (m_resolvedAt) until = std::max(until, *m_resolvedAt + m_options.betweenResolves);
    } else {
        net::Time first = net::Time::max();
        for (const Line& line : m_lines) first = std::min(first, line.notBefore);
        until = std::max(until, first);
    }
    if (until <= now) return std::nullopt;
    return Waiting{m_lastTrouble, until};
}

} // namespace wb::hub
