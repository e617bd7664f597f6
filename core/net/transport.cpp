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
        return make(Reason("net.no_such_host"), WB_TEXT("{} was not found; check the connection to the internet and the address."));
    case FailureKind::Connect:
        return make(Reason("net.no_connection"),
                    WB_TEXT("{} does not accept connections; check the network, the proxy and the address, and try again."));
    case FailureKind::Tls:
        return make(Reason("net.not_trusted"),
                    WB_TEXT("{} has no certificate that this machine trusts; a network that replaces certificates needs its own "
                            "authority named (--ca)."));
    case FailureKind::Proxy:
        return make(Reason("net.proxy"),
                    WB_TEXT("The proxy on the way to {} refuses the connection; check its address and password."));
    case FailureKind::Timeout: return make(Reason("net.timeout"), WB_TEXT("{} did not answer in time; try again later."));
    case FailureKind::TooSlow:
        return make(Reason("net.too_slow"), WB_TEXT("{} sends less than 100 bytes per second; try again later."));
    case FailureKind::Reset:
        return make(Reason("net.reset"), WB_TEXT("{} closed the connection before its answer was whole; try again."));
    case FailureKind::Protocol:
        return make(Reason("net.protocol"),
                    WB_TEXT("{} gave an answer that is not valid HTTP; try again, or use another address."));
    case FailureKind::Cancelled: break;
    }
    return cancelled();
}

} // namespace wb::net
