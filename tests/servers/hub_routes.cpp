// SPDX-License-Identifier: MIT
#include "tests/servers/hub_routes.h"

#include "core/base/json_writer.h"
#include "core/net/url.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb::test {
namespace {

constexpr std::size_t pageRows = 3;

HttpResponse refusal(int status, const std::string& code, const std::string& message) {
    HttpResponse response = jsonAnswer("{\"error\":" + jsonText(message) + "}", status);
    if (!code.empty()) response.headers.add("X-Error-Code", code);
    response.headers.add("X-Error-Message", message);
    return response;
}

bool isAllowed(const HubContext& hub, const HttpRequest& request) {
    const std::string* sent = request.headers.find("Authorization");
    return sent && *sent == "Bearer " + hub.token;
}

// "/acme/tiny/resolve/main/x" → the repository and the rest "/resolve/main/x".
const ServedRepository* findRepository(const HubContext& hub, const std::string& path, std::string& rest) {
    for (const ServedRepository& repository : *hub.repositories) {
        const std::string prefix = "/" + net::percentEncode(repository.id, true);
        if (!path.starts_with(prefix) || (path.size() > prefix.size() && path[prefix.size()] != '/')) continue;
        rest = path.substr(prefix.size());
        return &repository;
    }
    return nullptr;
}

// Empty where the repository may be read.
std::optional<HttpResponse> accessRefusal(const HubContext& hub, const ServedRepository* repository, const HttpRequest& request,
                                          bool isFile) {
    const bool isKnown = isAllowed(hub, request);
    const std::string* sent = request.headers.find("Authorization");
    if (sent && !isKnown) return refusal(401, "", "Invalid credentials in Authorization header");
    if (!repository || (repository->isPrivate && !isKnown))
        return refusal(isKnown ? 404 : 401, "RepoNotFound", "Repository not found");
    if (repository->isDisabled) return refusal(403, "", "Access to this resource is disabled.");
    if (isFile && !repository->gated.empty() && !isKnown)
        return refusal(401, "GatedRepo", "Access to model " + repository->id + " is restricted. Visit its page.");
    return std::nullopt;
}

bool isRevision(const ServedRepository& repository, const std::string& revision) {
    return revision == "main" || revision == repository.commit;
}

std::string rowOf(const ServedRepository& repository) {
    std::string gated = repository.gated.empty() ? "false" : jsonText(repository.gated);
    std::string tags;
    for (const std::string& tag : repository.tags) tags += (tags.empty() ? "" : ",") + jsonText(tag);
    std::uint64_t bytes = 0;
    for (const ServedFile& file : repository.files) bytes += file.bytes;
    return fmt::format(
        "{{\"_id\":\"1\",\"id\":{},\"modelId\":{},\"sha\":\"{}\",\"private\":{},\"disabled\":{},\"gated\":{},\"downloads\":{},"
        "\"likes\":3,\"lastModified\":\"2026-08-01T10:00:00.000Z\",\"tags\":[{}],\"pipeline_tag\":\"text-generation\","
        "\"usedStorage\":{},{}\"siblings\":[",
        jsonText(repository.id), jsonText(repository.id), repository.commit, repository.isPrivate, repository.isDisabled, gated,
        repository.downloads, tags, bytes,
        repository.parameters == 0 ? "" : fmt::format("\"safetensors\":{{\"total\":{}}},", repository.parameters));
}

std::string repositoryInfo(const ServedRepository& repository) {
    std::string text = rowOf(repository);
    for (const ServedFile& file : repository.files)
        text += fmt::format("{}{{\"rfilename\":{}}}", text.ends_with('[') ? "" : ",", jsonText(file.path));
    return text + "]}";
}

std::string fileEntry(const ServedFile& file) {
    const std::string size = file.listedSize.value_or(std::to_string(file.bytes));
    std::string text = fmt::format("{{\"type\":\"file\",\"path\":{},\"size\":{},\"oid\":\"{}\"", jsonText(file.path), size,
                                   file.gitSha1.empty() ? std::string(40, '0') : file.gitSha1);
    if (file.isLarge) text += fmt::format(",\"lfs\":{{\"oid\":\"{}\",\"size\":{},\"pointerSize\":134}}", file.sha256, size);
    return text + "}";
}

// A page of a list of JSON values, with the link to the next one.
HttpResponse page(const HubContext& hub, const std::vector<std::string>& values, const HttpRequest& request) {
    const std::string cursor = queryValue(request.target, "cursor");
    const std::size_t begin = cursor.empty() ? 0 : std::stoul(cursor);
    const std::string limit = queryValue(request.target, "limit");
    const std::size_t rows = limit.empty() ? pageRows : std::min<std::size_t>(pageRows, std::stoul(limit));
    std::string body = "[";
    for (std::size_t i = begin; i < std::min(values.size(), begin + rows); ++i) body += (i > begin ? "," : "") + values[i];
    HttpResponse response = jsonAnswer(body + "]");
    if (begin + rows < values.size()) {
        std::string target = request.target;
        const std::size_t old = target.find("cursor=");
        if (old != std::string::npos) target.erase(old - 1);
        target += fmt::format("{}cursor={}", target.find('?') == std::string::npos ? '?' : '&', begin + rows);
        response.headers.add("Link", fmt::format("<{}{}>; rel=\"next\"", hub.self, target));
    }
    response.headers.add("RateLimit", "\"api\";r=499;t=280");
    response.headers.add("RateLimit-Policy", "\"fixed window\";\"api\";q=500;w=300");
    return response;
}

HttpResponse search(const HubContext& hub, const HttpRequest& request) {
    const std::string text = queryValue(request.target, "search"), author = queryValue(request.target, "author");
    const auto filters = queryValues(request.target, "filter"), expanded = queryValues(request.target, "expand");
    const bool listsFiles = std::ranges::find(expanded, "siblings") != expanded.end();
    std::vector<std::string> rows;
    for (const ServedRepository& repository : *hub.repositories) {
        bool isWanted =
            repository.id.find(text) != std::string::npos && (author.empty() || repository.id.starts_with(author + "/"));
        for (const std::string& filter : filters)
            isWanted = isWanted && std::ranges::find(repository.tags, filter) != repository.tags.end();
        if (!isWanted || repository.isPrivate || !repository.movedTo.empty()) continue;
        rows.push_back(listsFiles ? repositoryInfo(repository) : rowOf(repository) + "]}");
    }
    return page(hub, rows, request);
}

HttpResponse api(const HubContext& hub, const HttpRequest& request, const std::string& path) {
    std::string rest;
    const ServedRepository* repository = findRepository(hub, path, rest);
    if (auto refused = accessRefusal(hub, repository, request, false)) return *refused;
    if (!repository->movedTo.empty()) {
        HttpResponse response{307, {{"Location", "/api/models/" + repository->movedTo + rest}}, {}};
        return response;
    }
    const auto revisionIn = [&rest](std::string_view prefix) {
        const std::string after = rest.substr(prefix.size());
        return net::percentDecode(after.substr(0, after.find_first_of("/?")));
    };
    if (rest.starts_with("/revision/") && !isRevision(*repository, revisionIn("/revision/")))
        return refusal(404, "RevisionNotFound", "Invalid rev id");
    if (rest.starts_with("/tree/")) {
        if (!isRevision(*repository, revisionIn("/tree/"))) return refusal(404, "RevisionNotFound", "Invalid rev id");
        std::vector<std::string> entries;
        for (const ServedFile& file : repository->files) entries.push_back(fileEntry(file));
        return page(hub, entries, request);
    }
    return jsonAnswer(repositoryInfo(*repository));
}

HttpResponse resolve(const HubContext& hub, const HttpRequest& request, const std::string& path) {
    std::string rest;
    const ServedRepository* repository = findRepository(hub, path, rest);
    if (auto refused = accessRefusal(hub, repository, request, true)) return *refused;
    constexpr std::string_view prefix = "/resolve/";
    if (!rest.starts_with(prefix)) return refusal(404, "", "no such page");
    if (!repository->movedTo.empty()) return {301, {{"Location", "/" + repository->movedTo + rest}}, {}};
    rest.erase(0, prefix.size());
    const std::size_t slash = rest.find('/');
    const std::string name = slash == std::string::npos ? "" : net::percentDecode(rest.substr(slash + 1));
    if (!isRevision(*repository, net::percentDecode(rest.substr(0, slash))))
        return refusal(404, "RevisionNotFound", "Invalid rev id");
    const ServedFile* file = repository->find(name);
    if (!file) {
        HttpResponse response = refusal(404, "EntryNotFound", "Entry not found");
        response.headers.add("X-Repo-Commit", repository->commit);
        return response;
    }
    HttpResponse response;
    response.headers = {{"X-Repo-Commit", repository->commit}, {"ETag", "\"" + file->tag() + "\""}, {"Accept-Ranges", "bytes"}};
    if (!file->isLarge) {
        response.status = 307;
        response.headers.add("Location", "/api/resolve-cache/models/" + net::percentEncode(repository->id, true) + "/" +
                                             repository->commit + "/" + net::percentEncode(file->path, true));
        return response;
    }
    response.status = 302;
    response.headers.add("X-Linked-Size", std::to_string(file->bytes));
    response.headers.add("X-Linked-Etag", "\"" + file->sha256 + "\"");
    response.headers.add("Location", hub.sign(*file));
    response.text = "Found. Redirecting";
    return response;
}

HttpResponse smallFile(const HubContext& hub, const HttpRequest& request, const std::string& path) {
    std::string rest;
    const ServedRepository* repository = findRepository(hub, path, rest);
    if (auto refused = accessRefusal(hub, repository, request, true)) return *refused;
    const std::size_t slash = rest.find('/', 1);
    const ServedFile* file = slash == std::string::npos ? nullptr : repository->find(net::percentDecode(rest.substr(slash + 1)));
    if (!file) return refusal(404, "EntryNotFound", "Entry not found");
    HttpResponse response = fileAnswer(*file, request);
    response.headers.add("X-Repo-Commit", repository->commit);
    return response;
}

// A range that begins in the text of a large file.
std::string textAndFormula(const ServedFile& file, std::uint64_t begin, std::uint64_t end) {
    std::string bytes = file.text.substr(begin, end - begin);
    const std::size_t ofText = bytes.size();
    bytes.resize(end - begin);
    formulaBytes(file.seed, begin + ofText, bytes.data() + ofText, bytes.size() - ofText);
    return bytes;
}

} // namespace

std::string jsonText(const std::string& text) {
    std::string json;
    JsonWriter out([&json](std::string_view part) { json += part; });
    out.string(text);
    out.finish();
    return json;
}

HttpResponse jsonAnswer(std::string body, int status) {
    return {status, {{"Content-Type", "application/json; charset=utf-8"}}, std::move(body)};
}

std::vector<std::string> queryValues(const std::string& target, const std::string& name) {
    std::vector<std::string> values;
    const std::size_t question = target.find('?');
    std::string query = question == std::string::npos ? "" : target.substr(question + 1);
    for (std::size_t at = 0; at < query.size();) {
        const std::size_t end = std::min(query.find('&', at), query.size());
        std::string part = query.substr(at, end - at);
        std::ranges::replace(part, '+', ' ');
        const std::size_t equals = part.find('=');
        if (equals != std::string::npos && net::percentDecode(part.substr(0, equals)) == name)
            values.push_back(net::percentDecode(part.substr(equals + 1)));
        at = end + 1;
    }
    return values;
}

std::string queryValue(const std::string& target, const std::string& name) {
    const auto values = queryValues(target, name);
    return values.empty() ? std::string() : values.front();
}

HttpResponse fileAnswer(const ServedFile& file, const HttpRequest& request, int rangedStatus) {
    HttpResponse response;
    response.headers = {{"ETag", "\"" + file.tag() + "\""}, {"Accept-Ranges", "bytes"}};
    std::uint64_t begin = 0, end = file.bytes;
    if (const std::string* range = request.headers.find("Range")) {
        const std::size_t dash = range->find('-');
        begin = std::stoull(range->substr(6));
        if (dash + 1 < range->size()) end = std::min(file.bytes, std::uint64_t{std::stoull(range->substr(dash + 1))} + 1);
        if (begin >= end) return {416, {{"Content-Range", fmt::format("bytes */{}", file.bytes)}}, {}};
        response.status = rangedStatus;
        response.headers.add("Content-Range", fmt::format("bytes {}-{}/{}", begin, end - 1, file.bytes));
    }
    if (!file.isLarge) response.text = file.text.substr(begin, end - begin);
    else if (begin < file.text.size()) response.text = textAndFormula(file, begin, end);
    else response.formula = HttpResponse::Formula{file.seed, begin, end};
    return response;
}

HttpResponse huggingFaceAnswer(const HubContext& hub, const HttpRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    constexpr std::string_view models = "/api/models", cache = "/api/resolve-cache/models";
    if (path == models) return search(hub, request);
    if (path.starts_with(cache)) return smallFile(hub, request, path.substr(cache.size()));
    if (path.starts_with(models)) return api(hub, request, path.substr(models.size()));
    if (path == "/api/whoami-v2")
        return isAllowed(hub, request) ? jsonAnswer("{\"name\":\"tester\"}") : refusal(401, "", "Invalid username or password.");
    return resolve(hub, request, path);
}

} // namespace wb::test
