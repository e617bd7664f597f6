// SPDX-License-Identifier: MIT
#include "app/cli/hub/search_cache.h"

#include "app/cli/hub/kept_file.h"
#include "core/hub/answers.h"
#include "core/hub/capability.h"

#include <fmt/format.h>

namespace wb::cli {
namespace {

void addCount(JsonWriter& json, const char* key, const std::optional<std::uint64_t>& count) {
    json.key(key);
    if (count) json.integer(*count);
    else json.null();
}

void addRow(JsonWriter& json, const hub::ModelRow& row) {
    json.newline();
    json.beginObject();
    json.key("id"), json.string(row.id);
    json.key("name"), json.string(row.name);
    json.key("downloads"), json.integer(row.downloads);
    json.key("likes"), json.integer(row.likes);
    json.key("gate"), json.integer(static_cast<std::uint64_t>(row.gate));
    json.key("licence"), json.string(row.licence);
    addCount(json, "parameters", row.parameters);
    addCount(json, "bytes", row.bytes);
    json.key("updated"), json.string(row.updated);
    json.key("tags"), json.beginArray();
    for (const std::string& tag : row.tags) json.string(tag);
    json.endArray();
    json.endObject();
}

hub::ModelRow readRow(const ValueObject& object, hub::Hub hub) {
    hub::ModelRow row;
    row.hub = hub;
    row.id = hub::textIn(object, "id");
    row.name = hub::textIn(object, "name");
    row.downloads = hub::numberIn(object, "downloads").value_or(0);
    row.likes = hub::numberIn(object, "likes").value_or(0);
    const std::uint64_t gate = hub::numberIn(object, "gate").value_or(0);
    row.gate = gate == 1 ? hub::Gate::Automatic : gate == 2 ? hub::Gate::Manual : hub::Gate::Open;
    row.licence = hub::textIn(object, "licence");
    row.parameters = hub::numberIn(object, "parameters");
    row.bytes = hub::numberIn(object, "bytes");
    row.updated = hub::textIn(object, "updated");
    row.tags = hub::textsIn(object, "tags");
    return row;
}

// Everything that changes the answer.
std::string hubKey(hub::Hub hub, const hub::SearchRequest& request) {
    std::string key =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", hub::shortName(hub), request.text, request.author, request.task,
                    request.licence, request.isGated ? (*request.isGated ? 1 : 0) : 2, request.minParameters, request.maxParameters,
                    static_cast<int>(request.sort), request.quant, hub::capabilityName(request.capability));
    for (const std::string& filter : request.filters) key += '\n' + filter;
    return key;
}

} // namespace

std::filesystem::path SearchCache::cacheFile(hub::Hub hub, const hub::SearchRequest& request) const {
    return keptFile(m_folder, hubKey(hub, request));
}

void SearchCache::keep(hub::Hub hub, const hub::SearchRequest& request, const std::vector<hub::ModelRow>& rows) const {
    keepObject(cacheFile(hub, request), [&rows](JsonWriter& json) {
        json.key("rows"), json.beginArray();
        for (const hub::ModelRow& row : rows) addRow(json, row);
        json.endArray();
    });
}

std::optional<std::vector<hub::ModelRow>> SearchCache::find(hub::Hub hub, const hub::SearchRequest& request) const {
    const auto kept = readKept(cacheFile(hub, request));
    const Value* list = kept ? kept->find("rows") : nullptr;
    if (!list || !list->array()) return std::nullopt;
    std::vector<hub::ModelRow> rows;
    for (const Value& row : list->array()->first)
        if (row.object() && !hub::textIn(*row.object(), "id").empty()) rows.push_back(readRow(*row.object(), hub));
    return rows;
}

} // namespace wb::cli
