// SPDX-License-Identifier: MIT
#include "core/hub/client.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/hub/answers.h"
#include "core/hub/capability.h"
#include "core/hub/hugging_face.h"
#include "core/hub/model_scope.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace wb::hub {
namespace {

constexpr unsigned maxRedirects = 5;
constexpr unsigned maxPages = 20'000;
constexpr std::size_t maxFiles = 1'000'000;
constexpr std::size_t maxFolderRequests = 10'000;
constexpr std::int64_t longestBackOff = 8; // seconds

bool passesWithTime(int status) { return status == 408 || status == 429 || (status >= 500 && status != 501); }

bool passesWithTime(Reason reason) {
    return reason == Reason("net.reset") || reason == Reason("net.timeout") || reason == Reason("net.no_connection");
}

// How long to wait before the next attempt, the first being 0.
net::Duration backOff(unsigned attempt) {
    return std::chrono::seconds(std::min<std::int64_t>(std::int64_t{1} << std::min(attempt, 6u), longestBackOff));
}

std::unexpected<Error> tooManyPages(const Source& source, const Repository& repository) {
    return std::unexpected(endlessList(source, askedName(&repository)));
}

// A page link that the mirror copied from the hub is asked of the mirror (docs/reference/hub.md, "Mirrors").
std::optional<net::Url> nextUrl(const Source& source, const net::Url& from, const std::string& link) {
    auto url = net::resolveReference(from, link);
    if (!url || !url->path().starts_with("/api/")) return std::nullopt;
    url->scheme = source.endpoint.scheme;
    url->host = source.endpoint.host;
    url->port = source.endpoint.port;
    return url;
}

// Neither hub can filter by size, a day, a quantization or a capability; rows without a size are omitted if a size is requested.
// The files have served then.
void dropOthers(SearchPage& page, const SearchRequest& request) {
    const bool hasSize = request.minBytes > 0 || request.maxBytes > 0;
    std::erase_if(page.rows, [&](const ModelRow& row) {
        const bool isOtherSize =
            hasSize && (!row.bytes || *row.bytes < request.minBytes || (request.maxBytes > 0 && *row.bytes > request.maxBytes));
        return isOtherSize || row.updated < request.updatedSince || // ISO 8601 sorts as text
               !claims(row, request.capability) || !hasQuant(row, request.quant);
    });
    for (ModelRow& row : page.rows) row.files.clear();
}

} // namespace

Client::Client(const Network& network, Settings settings)
    : m_network(network), m_settings(std::move(settings)), m_session(network.transport->open()) {}

Client::~Client() = default;

Result<void> Client::wait(Error why, net::Duration duration, const Progress& progress) {
    const net::Time until = m_network.clock->now() + duration;
    if (m_network.report) m_network.report({std::move(why), until});
    net::waitUntil(*m_session, *m_network.clock, until, progress.stop);
    return progress.stop.stop_requested() ? std::unexpected(canceled()) : Result<void>();
}

// Follows the hub to itself: a renamed repository, a small file in its cache.
Result<net::Answer> Client::askOnce(const Source& source, net::Request request, const net::FetchLimits& limits,
                                    const Progress& progress) {
    for (unsigned hop = 0; hop <= maxRedirects; ++hop) {
        auto answer = net::fetch(*m_session, *m_network.clock, request, limits, progress.stop);
        if (!answer) {
            Error error = net::failureError(answer.error(), request.url.authority());
            return std::unexpected(std::move(error));
        }
        if (!answer->isRedirect()) return *std::move(answer);
        const auto target = net::resolveReference(request.url, *answer->head.headers.find("Location"));
        if (!target || !target->isSameOrigin(request.url)) return *std::move(answer);
        request.url = *target;
    }
    return fail(ErrorCode::NotReadable, Reason("hub.redirect_loop"), About{source.endpoint.authority()},
                WB_TEXT("{} redirects endlessly; try again later."), source.endpoint.authority());
}

Result<net::Answer> Client::ask(const Source& source, net::Request request, const net::FetchLimits& limits,
                                const Progress& progress) {
    if (m_settings.isOffline)
        return fail(ErrorCode::NotReadable, Reason("hub.offline"), About{source.endpoint.authority()},
                    WB_TEXT("{} was not contacted because Weighbridge is offline (--offline)."), source.endpoint.authority());
    for (unsigned attempt = 0;; ++attempt) {
        const bool isLast = attempt >= m_network.retries;
        auto answer = askOnce(source, request, limits, progress);
        if (!answer) {
            if (!passesWithTime(answer.error().reason) || isLast) return answer;
            WB_TRY(wait(answer.error(), backOff(attempt), progress));
            continue;
        }
        if (!passesWithTime(answer->head.status) || isLast) return answer;
        const auto seconds = net::secondsToWait(answer->head.headers, m_network.clock->unixNow());
        const net::Duration duration = seconds ? net::Duration(std::chrono::seconds(*seconds)) : backOff(attempt);
        WB_TRY(wait(answerError(*answer, source, nullptr, {}), duration, progress));
    }
}

// A successful answer with JSON in it, and the link to the next page.
Result<Client::Page> Client::page(const Source& source, net::Request request, const Repository* about, const Progress& progress) {
    request.headers.add("Accept", "application/json");
    const net::Url url = request.url;
    WB_TRY_ASSIGN(const net::Answer answer, ask(source, std::move(request), {}, progress));
    if (answer.isRedirect())
        return fail(ErrorCode::Unsupported, Reason("hub.mirror_declines"), About{source.endpoint.authority()},
                    WB_TEXT("{} redirects to another hub; set the endpoint to that hub to continue."), source.endpoint.authority());
    auto json = parseAnswer(answer, source, askedName(about));
    if (source.hub == Hub::ModelScope && json)
        if (auto error = modelscope::envelopeError(*json, source, about)) return std::unexpected(*std::move(error));
    if (!answer.isSuccess()) return std::unexpected(answerError(answer, source, about, {}));
    if (!json) return std::unexpected(std::move(json).error());
    const auto next = net::linkWithRelation(answer.head.headers, "next");
    const auto nextPage = next ? nextUrl(source, url, *next) : std::nullopt;
    return Page{*std::move(json), nextPage ? nextPage->target : std::string()};
}

Result<SearchPage> Client::search(Hub hub, const SearchRequest& request, const std::string& next, const Progress& progress) {
    const Source& source = m_settings.source(hub);
    if (hub == Hub::ModelScope) {
        unsigned number = 1;
        std::from_chars(next.data(), next.data() + next.size(), number);
        WB_TRY_ASSIGN(const Page answer, page(source, modelscope::searchRequest(source, request, number), nullptr, progress));
        WB_TRY_ASSIGN(SearchPage result, modelscope::searchPage(answer.json, source, request, number));
        dropOthers(result, request);
        return result;
    }
    net::Request question = huggingface::searchRequest(source, request);
    if (!next.empty()) question.url.target = next;
    WB_TRY_ASSIGN(const Page answer, page(source, std::move(question), nullptr, progress));
    WB_TRY_ASSIGN(SearchPage result, huggingface::searchPage(answer.json, source));
    if (answer.next != next) result.next = answer.next; // a page that names itself would never end
    dropOthers(result, request);
    return result;
}

Result<ModelInfo> Client::info(const Repository& repository, const Progress& progress) {
    const Source& source = m_settings.source(repository.hub);
    const bool isModelScope = repository.hub == Hub::ModelScope;
    net::Request request =
        isModelScope ? modelscope::infoRequest(source, repository) : huggingface::infoRequest(source, repository);
    WB_TRY_ASSIGN(const Page answer, page(source, std::move(request), &repository, progress));
    WB_TRY_ASSIGN(ModelInfo info, isModelScope ? modelscope::info(answer.json, source, repository)
                                               : huggingface::info(answer.json, source, repository));
    info.pageUrl = pageUrl(repository);
    return info;
}

Result<FileList> Client::files(const Repository& repository, const Progress& progress) {
    WB_TRY_ASSIGN(FileList list, repository.hub == Hub::ModelScope ? modelScopeFiles(repository, progress)
                                                                   : huggingFaceFiles(repository, progress));
    refuseTwins(list);
    return list;
}

Result<FileList> Client::huggingFaceFiles(const Repository& repository, const Progress& progress) {
    const Source& source = m_settings.source(repository.hub);
    FileList list;
    list.commit = repository.revisionOrMain();
    std::set<std::string> seen; // pages that point at each other would never end
    net::Request request = huggingface::filesRequest(source, repository);
    for (unsigned number = 0; number < maxPages; ++number) {
        if (!seen.insert(request.url.target).second) return tooManyPages(source, repository);
        WB_TRY_ASSIGN(const Page answer, page(source, request, &repository, progress));
        WB_TRY(huggingface::addFiles(answer.json, source, repository, list));
        if (list.files.size() > maxFiles) return tooManyPages(source, repository);
        if (answer.next.empty()) return list;
        request.url.target = answer.next;
    }
    return tooManyPages(source, repository);
}

// One answer holds the whole list unless that was cut; then it is requested folder by folder.
Result<FileList> Client::modelScopeFiles(const Repository& repository, const Progress& progress) {
    const Source& source = m_settings.source(repository.hub);
    FileList list;
    list.commit = repository.revisionOrMain();
    const auto ask = [&](const std::string& folder, bool isWhole) -> Result<modelscope::Listed> {
        net::Request request = modelscope::filesRequest(source, repository, folder, isWhole);
        WB_TRY_ASSIGN(const Page answer, page(source, std::move(request), &repository, progress));
        return modelscope::files(answer.json, source, repository);
    };
    WB_TRY_ASSIGN(modelscope::Listed whole, ask({}, true));
    if (whole.entries < modelscope::filesPerAnswer) {
        list.files = std::move(whole.files);
        return list;
    }
    std::vector<std::string> folders{""};
    std::set<std::string> known{""};
    for (std::size_t i = 0; i < folders.size(); ++i) {
        if (i == maxFolderRequests || list.files.size() > maxFiles) return tooManyPages(source, repository);
        WB_TRY_ASSIGN(modelscope::Listed listed, ask(folders[i], false));
        std::ranges::move(listed.files, std::back_inserter(list.files));
        for (std::string& folder : listed.folders)
            if (known.insert(folder).second) folders.push_back(std::move(folder));
    }
    return list;
}

Result<std::string> Client::text(const Repository& repository, const std::string& path, std::uint64_t maxBytes,
                                 const Progress& progress) {
    const Source& source = m_settings.source(repository.hub);
    net::Request request = repository.hub == Hub::ModelScope ? modelscope::fileRequest(source, repository, path)
                                                             : huggingface::fileRequest(source, repository, path);
    net::FetchLimits limits;
    limits.bodyBytes = maxBytes;
    WB_TRY_ASSIGN(net::Answer answer, ask(source, std::move(request), limits, progress));
    for (unsigned hop = 0; answer.isRedirect() && hop < maxRedirects; ++hop) { // a large text is on another host
        const auto target = net::resolveReference(source.endpoint, *answer.head.headers.find("Location"));
        if (!target || (source.endpoint.isSecure() && !target->isSecure())) break;
        net::Request next;
        next.url = *target;
        next.headers = headersFor(source, false);
        WB_TRY_ASSIGN(answer, ask(source, std::move(next), limits, progress));
    }
    if (!answer.isSuccess()) return std::unexpected(answerError(answer, source, &repository, path));
    return std::move(answer.body);
}

std::string Client::pageUrl(const Repository& repository) const {
    const Source& source = m_settings.source(repository.hub);
    const std::string folder = repository.hub == Hub::ModelScope ? "/models/" : "/";
    return source.endpoint.origin() + folder + net::percentEncode(repository.name, true);
}

} // namespace wb::hub
