// SPDX-License-Identifier: MIT
#include "core/net/transport.h"

#include "core/base/progress.h"

namespace wb::net {

std::int64_t Clock::unixNow() const {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Error failureError(const Failure& failure, const std::string& host) {
    const auto make = [&](Reason reason, const char* sentence) {
        Error error = makeError(ErrorCode::NotReadable, reason, About{host}, sentence, host);
        error.detail = redacted(failure.detail);
        return error;
    };
    switch (failure.kind) {
    case FailureKind::Resolve:
        return make(Reason("net.no_such_host"), WB_TEXT("Cannot find {}; check the internet connection and the address."));
    case FailureKind::Connect:
        return make(Reason("net.no_connection"),
                    WB_TEXT("{} does not accept connections; check the network, the proxy and the address, and try again."));
    case FailureKind::Tls:
        return make(
            Reason("net.not_trusted"),
            WB_TEXT(
                "The certificate of {} is not trusted; if your network replaces certificates, specify its authority with --ca."));
    case FailureKind::Proxy:
        return make(Reason("net.proxy"), WB_TEXT("The proxy for {} refused the connection; check its address and password."));
    case FailureKind::Timeout: return make(Reason("net.timeout"), WB_TEXT("{} did not respond in time; try again later."));
    case FailureKind::TooSlow:
        return make(Reason("net.too_slow"), WB_TEXT("{} sends less than 100 bytes per second; try again later."));
    case FailureKind::Reset:
        return make(Reason("net.reset"), WB_TEXT("{} closed the connection before the response was complete; try again."));
    case FailureKind::Protocol:
        return make(Reason("net.protocol"), WB_TEXT("{} returned an invalid HTTP response; try again, or use another address."));
    case FailureKind::Canceled: break;
    }
    return canceled();
}

} // namespace wb::net
