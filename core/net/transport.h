// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/net/headers.h"
#include "core/net/url.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

// What downloads, searches and remote chat know of the network. Who needs bytes opens a NetworkSession on the thread that works,
// starts requests and takes events one by one: no callback, no lock, and a test drives it without a network. The one that speaks to
// the world is app/net.
namespace wb::net {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

// Where the present comes from, so that hours of waiting take milliseconds in tests. Thread-safe.
class Clock {
public:
    virtual ~Clock() = default;
    virtual Time now() const { return std::chrono::steady_clock::now(); }
    virtual std::int64_t unixNow() const; // seconds since 1970
};

struct Request {
    std::string method = "GET";
    Url url;
    Headers headers; // all that are sent beyond Host, Connection and Content-Length
    std::string body;
};

struct Head {
    int status = 0;
    Headers headers;
};

enum class FailureKind { Resolve, Connect, Tls, Proxy, Timeout, TooSlow, Reset, Protocol, Canceled };

// Why an exchange ended before its answer was complete. `detail` is the system's English, for the log.
struct Failure {
    FailureKind kind = FailureKind::Reset;
    std::string detail;
};

using RequestId = std::uint64_t;

// Bytes that are not cleared before they are filled.
template <typename T>
struct RawAllocator : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = RawAllocator<U>;
    };
    void construct(T*) noexcept {}
    template <typename... Args>
    void construct(T* at, Args&&... args) {
        std::construct_at(at, std::forward<Args>(args)...);
    }
};
using Body = std::vector<std::byte, RawAllocator<std::byte>>;

// One step of one exchange: the head once, then the body in pieces, then the end once, with the failure that made it early. An
// answer that announced its length and is shorter or longer fails.
struct Event {
    struct End {
        std::optional<Failure> failure;
    };
    RequestId request = 0;
    std::variant<Head, Body, End> what;
};

// The exchanges of one thread. It never follows a redirect, decompresses a body, adds credentials or cookies, tries again, or reads
// a cache. An unread body pauses the transfer after about 16 MiB (back pressure). Destruction ends all exchanges.
class NetworkSession {
public:
    virtual ~NetworkSession() = default;

    virtual RequestId start(Request request) = 0;

    // Ends an exchange; no further events are delivered. Nothing where it has ended.
    virtual void abort(RequestId request) = 0;

    // The next event, waited for until `until`; empty where none came or `stop` was requested.
    virtual std::optional<Event> next(Time until, const std::stop_token& stop) = 0;
};

// Thread-safe; outlives its sessions.
class Transport {
public:
    virtual ~Transport() = default;
    virtual std::unique_ptr<NetworkSession> open() = 0;
};

// The sentence of a failure; `host` is whom the request went to (Url::authority).
Error failureError(const Failure& failure, const std::string& host);

} // namespace wb::net
