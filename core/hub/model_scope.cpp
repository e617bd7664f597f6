// SPDX-License-Identifier: MIT
#include "core/hub/model_scope.h"

#include "core/base/ascii.h"
#include "core/base/size.h"
#include "core/base/text.h"

#include <algorithm>
#include <chrono>

namespace wb::hub::modelscope {
namespace {

constexpr unsigned maxPageRows = 50;
constexpr unsigned maxRows = 3000; // page times rows a page
constexpr std::size_t sha256Digits = 64;
constexpr std::uint64_t codeGood = 200, codeNoModel = 10010205001, codeBadToken = 10010103009;

const char* sortName(SortBy sort) {
    switch (sort) {
    case SortBy::Downloads: return "downloads";
    case SortBy::Likes: return "likes";
    case SortBy::Updated: return "last_modified";
    case SortBy::Created: return "created_at";
    case SortBy::Trending: break;
    }
    return "default";
}

std::unexpected<Error> otherShape(const Source& source, const Repository* repository) {
    return std::unexpected(anotherShape(source, askedName(repository)));
}

std::string tagValue(const std::vector<std::string>& tags, std::string_view prefix) {
    const auto at = std::ranges::find_if(tags, [prefix](const std::string& tag) { return tag.starts_with(prefix); });
    return at == tags.end() ? std::string() : at->substr(prefix.size());
}

std::string firstText(const ValueObject& object, std::string_view key) {
    const auto texts = textsIn(object, key);
    return texts.empty() ? std::string() : texts.front();
}

ModelRow rowOf(const ValueObject& object) {
    ModelRow row;
    row.hub = Hub::ModelScope;
    row.id = textIn(object, "id");
    row.name = textIn(object, "display_name");
    if (row.name.empty()) row.name = row.id.substr(row.id.find('/') + 1);
    row.downloads = numberIn(object, "downloads").value_or(0);
    row.likes = numberIn(object, "likes").value_or(0);
    row.gate = flagIn(object, "gated") ? Gate::Automatic : Gate::Open;
    row.licence = ascii::lowered(firstText(object, "license"));
    row.parameters = positiveIn(object, "params"); // 0: it does not know
    row.bytes = positiveIn(object, "file_size");
    row.updated = textIn(object, "last_modified");
    row.task = firstText(object, "tasks");
    row.tags = textsIn(object, "tags");
    row.library = tagValue(row.tags, "library:");
    return row;
}

// Filters that the hub does not support are applied here.
bool isWanted(const ModelRow& row, const SearchRequest& request) {
    const auto isLanguage = [&request](const std::string& tag) {
        return tag == request.language || tag == "language:" + request.language;
    };
    if (!request.language.empty() && std::ranges::none_of(row.tags, isLanguage)) return false;
    if (request.isGated && *request.isGated != (row.gate != Gate::Open)) return false;
    const bool hasRange = request.minParameters > 0 || request.maxParameters > 0;
    if (!hasRange) return true;
    return row.parameters && *row.parameters >= request.minParameters &&
           (request.maxParameters == 0 || *row.parameters <= request.maxParameters);
}

std::string isoTime(std::uint64_t unixSeconds) {
    if (unixSeconds == 0 || unixSeconds > 253402300799) return {}; // beyond the year 9999
    using namespace std::chrono;
    const sys_seconds time{seconds(static_cast<std::int64_t>(unixSeconds))};
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(time - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

const ValueObject* jsonData(const Value& json) {
    if (!json.object()) return nullptr;
    if (const ValueObject* data = objectIn(*json.object(), "data")) return data;
    return objectIn(*json.object(), "Data");
}

} // namespace

std::optional<Error> envelopeError(const Value& json, const Source& source, const Repository* repository) {
    const ValueObject* object = json.object();
    if (!object) return anotherShape(source, askedName(repository));
    const auto code = numberIn(*object, "Code");
    const auto isFalse = [object](const char* key) { return object->find(key) && !flagIn(*object, key); };
    if ((!code || *code == codeGood) && !isFalse("Success") && !isFalse("success")) return std::nullopt;
    const std::string host = source.endpoint.authority(), id = repository ? repository->text() : host;
    const std::string word = textIn(*object, "code");
    if (code == codeNoModel || word == "ResourceNotFound")
        return makeError(ErrorCode::NotFound, noSuchRepository, About{id},
                         WB_TEXT("{} was not found on {}, or it requires a token; check the name, or sign in."), id, host);
    if (code == codeBadToken || word == "InvalidAuthentication") return refusedToken(source, askedName(repository));
    std::string message = textIn(*object, "Message");
    if (message.empty()) message = textIn(*object, "message");
    return refusedRequest(source, askedName(repository), message);
}

net::Request searchRequest(const Source& source, const SearchRequest& request, unsigned page) {
    net::Query query;
    if (!request.text.empty()) query.add("search", request.text);
    if (!request.author.empty()) query.add("owner", request.author);
    query.add("sort", sortName(request.sort));
    query.add("page_number", std::to_string(page));
    query.add("page_size", std::to_string(std::clamp(request.pageRows, 1u, maxPageRows)));
    if (!request.task.empty()) query.add("filter.task", request.task);
    if (!request.licence.empty()) query.add("filter.license", request.licence);
    for (const std::string& filter : request.filters) query.add("filter.library", filter);
    return get(source, "/openapi/v1/models" + query.text());
}

Result<SearchPage> searchPage(const Value& json, const Source& source, const SearchRequest& request, unsigned page) {
    const ValueObject* data = jsonData(json);
    const Value* models = data ? data->find("models") : nullptr;
    if (!models || !models->array()) return otherShape(source, nullptr);
    SearchPage result;
    for (const Value& element : models->array()->first) {
        if (!element.object()) return otherShape(source, nullptr);
        ModelRow row = rowOf(*element.object());
        if (!row.id.empty() && isWanted(row, request)) result.rows.push_back(std::move(row));
    }
    const std::uint64_t size = std::clamp(request.pageRows, 1u, maxPageRows), total = numberIn(*data, "total_count").value_or(0);
    const bool hasMore = !models->array()->first.empty() && std::uint64_t{page} * size < total && (page + 1) * size <= maxRows;
    if (hasMore) result.next = std::to_string(page + 1);
    return result;
}

net::Request infoRequest(const Source& source, const Repository& repository) {
    return get(source, "/api/v1/models/" + net::percentEncode(repository.name, true));
}

Result<ModelInfo> info(const Value& json, const Source& source, const Repository& repository) {
    const ValueObject* data = jsonData(json);
    if (!data) return otherShape(source, &repository);
    ModelInfo info;
    info.repository = repository;
    info.commit = repository.revisionOrMain();
    info.licence = ascii::lowered(firstText(*data, "License"));
    info.tags = textsIn(*data, "Tags");
    info.library = firstText(*data, "Libraries");
    info.downloads = numberIn(*data, "Downloads").value_or(0);
    info.updated = isoTime(numberIn(*data, "LastUpdatedTime").value_or(0));
    info.card = textIn(*data, "ReadMeContent");
    return info;
}

net::Request filesRequest(const Source& source, const Repository& repository, const std::string& folder, bool recursive) {
    net::Query query;
    query.add("Revision", repository.revisionOrMain());
    query.add("Recursive", recursive ? "True" : "False");
    if (!folder.empty()) query.add("Root", folder);
    return get(source, "/api/v1/models/" + net::percentEncode(repository.name, true) + "/repo/files" + query.text());
}

Result<Listed> files(const Value& json, const Source& source, const Repository& repository) {
    const ValueObject* data = jsonData(json);
    const Value* entries = data ? data->find("Files") : nullptr;
    Listed listed;
    if (data && entries && entries->type == ValueType::Null) return listed; // an empty repository
    if (!entries || !entries->array()) return otherShape(source, &repository);
    for (const Value& element : entries->array()->first) {
        const ValueObject* entry = element.object();
        if (!entry) return otherShape(source, &repository);
        ++listed.entries;
        std::string path = textIn(*entry, "Path");
        if (textIn(*entry, "Type") == "tree") {
            listed.folders.push_back(std::move(path));
            continue;
        }
        RemoteFile file = remoteFile(std::move(path), numberIn(*entry, "Size"));
        file.sha256 = hexIn(*entry, "Sha256", sha256Digits);
        listed.files.push_back(std::move(file));
    }
    if (listed.entries == 0 && listed.folders.empty() && !repository.revision.empty())
        return fail(ErrorCode::NotFound, noSuchRevision, About{repository.text()},
                    WB_TEXT("{} has no such branch, tag or commit; omit @revision to use the main branch."), repository.text());
    return listed;
}

net::Request fileRequest(const Source& source, const Repository& repository, const std::string& path) {
    net::Query query;
    query.add("Revision", repository.revisionOrMain());
    query.add("FilePath", path);
    return get(source, "/api/v1/models/" + net::percentEncode(repository.name, true) + "/repo" + query.text());
}

} // namespace wb::hub::modelscope
