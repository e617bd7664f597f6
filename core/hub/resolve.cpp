// SPDX-License-Identifier: MIT
#include "core/hub/resolve.h"

#include "core/hub/answers.h"
#include "core/hub/file_name.h"
#include "core/hub/hugging_face.h"
#include "core/hub/model_scope.h"
#include "core/io/digests/hex.h"

#include <algorithm>

namespace wb::hub {
namespace {

constexpr std::size_t sha256Digits = 64, sha1Digits = 40;

// The content's name, which on both hubs is its hash.
void readHash(const net::Headers& headers, bool isFinal, Resolved& resolved) {
    const std::string* tag = headers.find("X-Linked-Etag");
    if (!tag && isFinal) tag = headers.find("ETag");
    const std::string name = tag ? net::entityTag(*tag) : std::string();
    if (io::isHex(name, sha256Digits)) resolved.sha256 = name;
    if (io::isHex(name, sha1Digits)) resolved.gitSha1 = name;
}

// The file's size: never that of a redirect's own text.
std::optional<std::uint64_t> answerSize(const net::Answer& answer) {
    const std::string* linked = answer.head.headers.find("X-Linked-Size");
    if (linked) return net::contentLength({{"Content-Length", *linked}});
    if (answer.isRedirect()) return std::nullopt;
    if (const std::string* text = answer.head.headers.find("Content-Range")) {
        const auto range = net::parseContentRange(*text);
        return range ? range->total : std::nullopt;
    }
    return net::contentLength(answer.head.headers);
}

std::unexpected<Error> declined(const Source& source) {
    return fail(ErrorCode::Unsupported, Reason("hub.mirror_declines"), About{source.endpoint.authority()},
                WB_TEXT("{} redirects to another hub; set the endpoint to that hub to continue."), source.endpoint.authority());
}

Result<net::Url> answerTarget(const net::Answer& answer, const Settings& settings, const Source& source) {
    const std::string* location = answer.head.headers.find("Location");
    const auto target = location ? net::resolveReference(answer.url, *location) : std::nullopt;
    const bool saysWhat = answer.head.headers.find("X-Repo-Commit") || answer.head.headers.find("X-Linked-Etag");
    if (source.hub == Hub::HuggingFace && !saysWhat) return declined(source);
    if (target && isAllowedTarget(settings, answer.url, *target)) return *target;
    return fail(ErrorCode::NotReadable, Reason("hub.bad_redirect"), About{source.endpoint.authority()},
                WB_TEXT("{} redirects to an address that is not allowed; use another endpoint, or try again later."),
                source.endpoint.authority());
}

} // namespace

bool isAllowedTarget(const Settings& settings, const net::Url& from, const net::Url& to) {
    const bool isHub = std::ranges::any_of(
        allHubs, [&](Hub hub) { return to.isSameOrigin(settings.source(hub).endpoint) && !from.isSameOrigin(to); });
    if (isHub) return false;
    return to.isSecure() || (!from.isSecure() && net::isLoopback(to.host));
}

Result<Resolved> resolveFile(Client& client, const Repository& repository, const std::string& path, const Progress& progress) {
    const Source& source = client.settings().source(repository.hub);
    net::Request request = repository.hub == Hub::ModelScope ? modelscope::fileRequest(source, repository, path)
                                                             : huggingface::fileRequest(source, repository, path);
    net::Request oneByte = request;
    request.method = "HEAD";
    constexpr int notAllowed = 405, notKnown = 501;
    WB_TRY_ASSIGN(net::Answer answer, client.ask(source, std::move(request), {}, progress));
    if (answer.head.status == notAllowed || answer.head.status == notKnown) {
        oneByte.headers.add("Range", "bytes=0-0");
        WB_TRY_ASSIGN(answer, client.ask(source, std::move(oneByte), {}, progress));
    }
    if (!answer.isSuccess() && !answer.isRedirect()) return std::unexpected(answerError(answer, source, &repository, path));
    Resolved resolved;
    resolved.url = answer.url;
    resolved.isHub = !answer.isRedirect();
    if (answer.isRedirect()) {
        WB_TRY_ASSIGN(resolved.url, answerTarget(answer, client.settings(), source));
    }
    resolved.bytes = answerSize(answer);
    readHash(answer.head.headers, resolved.isHub, resolved);
    if (const std::string* commit = answer.head.headers.find("X-Repo-Commit"); commit && io::isHex(*commit, sha1Digits))
        resolved.commit = *commit;
    return resolved;
}

} // namespace wb::hub
