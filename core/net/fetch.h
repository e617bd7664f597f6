// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/net/speed_floor.h"
#include "core/net/transport.h"

#include <expected>

namespace wb::net {

// How long a small answer may take and how large it may be.
struct FetchLimits {
    Duration firstByte = std::chrono::seconds(10);
    Duration stall = std::chrono::seconds(20); // between two pieces of the body
    SpeedFloor::Rule speed = {};
    std::uint64_t bodyBytes = 32u << 20;
};

struct Answer {
    Url url; // that was asked
    Head head;
    std::string body;

    bool isSuccess() const { return head.status >= 200 && head.status < 300; }
    bool isRedirect() const { return head.status >= 300 && head.status < 400 && head.headers.find("Location"); }
};

// One exchange whose answer fits into memory. A Failure where it broke, took too long (Timeout, TooSlow), was too large (Protocol)
// or `stop` was requested (Canceled). Other exchanges of the session lose their events meanwhile: use one session for one thing.
std::expected<Answer, Failure> fetch(NetworkSession& session, const Clock& clock, Request request, const FetchLimits& limits,
                                     const std::stop_token& stop);

// Waits that long, or less where `stop` is requested.
void waitUntil(NetworkSession& session, const Clock& clock, Time until, const std::stop_token& stop);

} // namespace wb::net
