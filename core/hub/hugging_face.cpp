// SPDX-License-Identifier: MIT
#include "core/hub/hugging_face.h"

#include "core/hub/capability.h"

#include <algorithm>
#include <array>

namespace wb::hub::huggingface {
namespace {

constexpr unsigned maxPageRows = 500;
constexpr std::size_t sha256Digits = 64, sha1Digits = 40;

const char* sortName(SortBy sort) {
    switch (sort) {
    case SortBy::Downloads: return "downloads";
    case SortBy::Likes: return "likes";
    case SortBy::Updated: return "lastModified";
    case SortBy::Created: return "createdAt";
    case SortBy::Trending: break;
    }
    return "trendingScore";
}

Gate gateIn(const ValueObject& object) {
    const std::string gate = textIn(object, "gated");
    if (gate == "manual") return Gate::Manual;
    return gate == "auto" || flagIn(object, "gated") ? Gate::Automatic : Gate::Open;
}

// The rest of the first tag with the prefix.
std::string tagValue(const std::vector<std::string>& tags, std::string_view prefix) {
    const auto at = std::ranges::find_if(tags, [prefix](const std::string& tag) { return tag.starts_with(prefix); });
    return at == tags.end() ? std::string() : at->substr(prefix.size());
}

std::optional<std::uint64_t> parametersIn(const ValueObject& object) {
    const ValueObject* safetensors = objectIn(object, "safetensors");
    const auto total = safetensors ? positiveIn(*safetensors, "total") : std::nullopt;
    if (total) return total;
    const ValueObject* gguf = objectIn(object, "gguf");
    return gguf ? positiveIn(*gguf, "total") : std::nullopt;
}

ModelRow rowOf(const ValueObject& object) {
    ModelRow row;
    row.id = textIn(object, "id");
    if (row.id.empty()) row.id = textIn(object, "modelId");
    row.name = row.id.substr(row.id.find('/') + 1);
    row.downloads = numberIn(object, "downloads").value_or(0);
    row.likes = numberIn(object, "likes").value_or(0);
    row.gate = gateIn(object);
    row.tags = textsIn(object, "tags");
    row.licence = tagValue(row.tags, "license:");
    row.parameters = parametersIn(object);
    row.bytes = positiveIn(object, "usedStorage");
    row.updated = textIn(object, "lastModified");
    row.task = textIn(object, "pipeline_tag");
    row.library = textIn(object, "library_name");
    if (const Value* siblings = object.find("siblings"); siblings && siblings->array())
        for (const Value& file : siblings->array()->first)
            if (file.object()) row.files.push_back(textIn(*file.object(), "rfilename"));
    return row;
}

std::unexpected<Error> otherShape(const Source& source, const Repository* repository) {
    return std::unexpected(anotherShape(source, askedName(repository)));
}

void addCard(const ValueObject& card, ModelInfo& info) {
    info.licence = textIn(card, "license");
    if (info.licence == "other" && !textIn(card, "license_name").empty()) info.licence = textIn(card, "license_name");
    info.licenceLink = textIn(card, "license_link");
    info.baseModels = textsIn(card, "base_model");
    info.languages = textsIn(card, "language");
}

} // namespace

net::Request searchRequest(const Source& source, const SearchRequest& request) {
    net::Query query;
    if (!request.text.empty()) query.add("search", request.text);
    if (!request.author.empty()) query.add("author", request.author);
    for (const std::string& filter : request.filters) query.add("filter", filter);
    if (!request.licence.empty()) query.add("filter", "license:" + request.licence);
    if (!request.language.empty()) query.add("filter", request.language);
    if (const char* tag = capabilityTag(request.capability)) query.add("filter", tag);
    if (const char* tag = quantTag(request.quant); tag && std::ranges::find(request.filters, tag) == request.filters.end())
        query.add("filter", tag);
    if (!request.task.empty()) query.add("pipeline_tag", request.task);
    if (request.isGated) query.add("gated", *request.isGated ? "true" : "false");
    std::string range;
    if (request.minParameters > 0) range = fmt::format("min:{}", request.minParameters);
    if (request.maxParameters > 0) range += fmt::format("{}max:{}", range.empty() ? "" : ",", request.maxParameters);
    if (!range.empty()) query.add("num_parameters", range);
    query.add("sort", sortName(request.sort));
    query.add("limit", std::to_string(std::clamp(request.pageRows, 1u, maxPageRows)));
    // gguf has the parameters of GGUF repositories, at the cost of a chat template a row. No cardData: it would carry all the
    // terms.
    static constexpr std::array expanded = {"downloads",    "likes",        "gated",       "lastModified", "tags",
                                            "pipeline_tag", "library_name", "safetensors", "usedStorage",  "gguf"};
    for (const char* field : expanded) query.add("expand", field);
    if (!request.quant.empty()) query.add("expand", "siblings"); // the names of all files: only they contain it
    return get(source, "/api/models" + query.text());
}

Result<SearchPage> searchPage(const Value& json, const Source& source) {
    if (!json.array()) return otherShape(source, nullptr);
    SearchPage page;
    for (const Value& element : json.array()->first) {
        if (!element.object()) return otherShape(source, nullptr);
        page.rows.push_back(rowOf(*element.object()));
        if (page.rows.back().id.empty()) page.rows.pop_back();
    }
    return page;
}

net::Request infoRequest(const Source& source, const Repository& repository) {
    std::string target = "/api/models/" + net::percentEncode(repository.name, true);
    if (!repository.revision.empty()) target += "/revision/" + net::percentEncode(repository.revision);
    return get(source, target);
}

Result<ModelInfo> info(const Value& json, const Source& source, const Repository& repository) {
    const ValueObject* object = json.object();
    if (!object) return otherShape(source, &repository);
    ModelInfo info;
    info.repository = repository;
    info.commit = hexIn(*object, "sha", sha1Digits);
    if (info.commit.empty()) return otherShape(source, &repository);
    info.isPrivate = flagIn(*object, "private");
    info.isDisabled = flagIn(*object, "disabled");
    info.gate = gateIn(*object);
    info.tags = textsIn(*object, "tags");
    info.task = textIn(*object, "pipeline_tag");
    info.library = textIn(*object, "library_name");
    info.updated = textIn(*object, "lastModified");
    info.downloads = numberIn(*object, "downloads").value_or(0);
    info.likes = numberIn(*object, "likes").value_or(0);
    info.parameters = parametersIn(*object);
    info.bytes = numberIn(*object, "usedStorage");
    if (const ValueObject* card = objectIn(*object, "cardData")) addCard(*card, info);
    if (info.licence.empty()) info.licence = tagValue(info.tags, "license:");
    return info;
}

net::Request filesRequest(const Source& source, const Repository& repository) {
    return get(source, "/api/models/" + net::percentEncode(repository.name, true) + "/tree/" +
                           net::percentEncode(repository.revisionOrMain()) + "?recursive=true&expand=false");
}

Result<void> addFiles(const Value& json, const Source& source, const Repository& repository, FileList& list) {
    if (!json.array()) return otherShape(source, &repository);
    for (const Value& element : json.array()->first) {
        const ValueObject* entry = element.object();
        if (!entry) return otherShape(source, &repository);
        if (textIn(*entry, "type") != "file") continue;
        RemoteFile file = remoteFile(textIn(*entry, "path"), numberIn(*entry, "size"));
        if (const ValueObject* lfs = objectIn(*entry, "lfs")) {
            file.sha256 = hexIn(*lfs, "oid", sha256Digits);
            if (numberIn(*lfs, "size").value_or(file.bytes) != file.bytes) file = remoteFile(file.path, std::nullopt);
        } else {
            file.gitSha1 = hexIn(*entry, "oid", sha1Digits);
        }
        list.files.push_back(std::move(file));
    }
    return {};
}

net::Request fileRequest(const Source& source, const Repository& repository, const std::string& path) {
    return get(source, "/" + net::percentEncode(repository.name, true) + "/resolve/" +
                           net::percentEncode(repository.revisionOrMain()) + "/" + net::percentEncode(path, true));
}

} // namespace wb::hub::huggingface
