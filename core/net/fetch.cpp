// SPDX-License-Identifier: MIT
#include "core/net/fetch.h"

namespace wb::net {
namespace {

// What one event adds to the answer; true where it was the last.
std::expected<bool, Failure> add(Event& event, const FetchLimits& limits, Answer& answer) {
    if (auto* head = std::get_if<Head>(&event.what)) {
        answer.head = std::move(*head);
        return false;
    }
    if (const auto* bytes = std::get_if<Body>(&event.what)) {
        if (answer.body.size() + bytes->size() > limits.bodyBytes)
            return std::unexpected(Failure{FailureKind::Protocol, "the body is too large"});
        answer.body.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        return false;
    }
    if (auto& end = std::get<Event::End>(event.what); end.failure) return std::unexpected(*std::move(end.failure));
    return true;
}

std::uint64_t eventBytes(const Event& event) {
    const auto* bytes = std::get_if<Body>(&event.what);
    return bytes ? bytes->size() : 0;
}

} // namespace

std::expected<Answer, Failure> fetch(NetworkSession& session, const Clock& clock, Request request, const FetchLimits& limits,
                                     const std::stop_token& stop) {
    Answer answer;
    answer.url = request.url;
    const RequestId id = session.start(std::move(request));
    Time deadline = clock.now() + limits.firstByte;
    SpeedFloor floor(limits.speed);
    while (true) {
        auto event = session.next(deadline, stop);
        if (event && event->request != id) continue;
        std::expected<bool, Failure> isLast = false;
        if (stop.stop_requested()) isLast = std::unexpected(Failure{FailureKind::Canceled, {}});
        else if (floor.isBelow(clock.now())) isLast = std::unexpected(Failure{FailureKind::TooSlow, {}});
        else if (event) isLast = add(*event, limits, answer);
        else if (clock.now() >= deadline) isLast = std::unexpected(Failure{FailureKind::Timeout, {}});
        else continue;
        if (!isLast) session.abort(id);
        if (!isLast) return std::unexpected(std::move(isLast).error());
        if (*isLast) return answer;
        floor.start(clock.now());
        floor.add(event ? eventBytes(*event) : 0);
        deadline = clock.now() + limits.stall;
    }
}

void waitUntil(NetworkSession& session, const Clock& clock, Time until, const std::stop_token& stop) {
    while (!stop.stop_requested() && clock.now() < until) (void)session.next(until, stop);
}

} // namespace wb::net
