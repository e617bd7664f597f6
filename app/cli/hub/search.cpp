// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/hub/search.h"

#include "app/cli/hub/search_cache.h"
#include "app/cli/table.h"
#include "app/cli/user_folders.h"
#include "core/base/ascii.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/hub/capability.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace wb::cli {
namespace {

// "6B", "500M", "1.5b": a number of parameters.
std::optional<std::uint64_t> parameterCount(std::string_view text) {
    static const std::map<char, double> factors = {{'k', 1e3}, {'m', 1e6}, {'b', 1e9}, {'t', 1e12}};
    if (text.empty()) return std::nullopt;
    const auto factor = factors.find(ascii::lower(text.back()));
    if (factor != factors.end()) text.remove_suffix(1);
    const auto number = parseDouble(text);
    constexpr double most = 1e18;
    const double count = number.value_or(-1) * (factor == factors.end() ? 1 : factor->second);
    if (!(count >= 0) || count > most) return std::nullopt;
    return static_cast<std::uint64_t>(count);
}

// "6B-14B"; one side may be omitted, and one number means about that many.
bool readRange(const std::string& text, hub::SearchRequest& request) {
    if (text.empty()) return true;
    const std::size_t dash = text.find('-');
    const auto first = parameterCount(text.substr(0, dash));
    if (dash == std::string::npos) {
        request.minParameters = first.value_or(0) / 10 * 9;
        request.maxParameters = first.value_or(0) / 10 * 11;
        return first.has_value() && *first > 0;
    }
    const auto last = parameterCount(text.substr(dash + 1));
    if ((dash > 0 && !first) || (dash + 1 < text.size() && !last) || (!first && !last)) return false;
    request.minParameters = first.value_or(0);
    request.maxParameters = last.value_or(0);
    return !last || *last >= request.minParameters;
}

Result<std::vector<hub::ModelRow>> clientRows(hub::Client& client, hub::Hub hub, hub::SearchRequest request, unsigned limit,
                                              const Progress& progress) {
    std::vector<hub::ModelRow> rows;
    request.pageRows = std::min(limit, 100u);
    std::string next;
    constexpr unsigned maxEmptyPages = 20; // in a row, of a search for what the hub cannot be asked for
    for (unsigned empty = 0; rows.size() < limit && empty < maxEmptyPages;) {
        WB_TRY_ASSIGN(hub::SearchPage page, client.search(hub, request, next, progress));
        for (hub::ModelRow& row : page.rows)
            if (rows.size() < limit) rows.push_back(std::move(row));
        empty = page.rows.empty() ? empty + 1 : 0;
        next = page.next;
        if (next.empty()) break;
    }
    return rows;
}

// The rows of all hubs that answered, and why another one did not.
struct Found {
    std::vector<hub::ModelRow> rows;
    std::optional<Error> error;
};

std::unexpected<Error> notKept(const SearchOptions& options) {
    return fail(ErrorCode::NotFound, Reason("cli.search_not_kept"), About{options.text},
                WB_TEXT("No cached results for the search {}; run it once without --offline."), options.text);
}

// The lists of the last time that the same was asked.
Result<Found> findKept(const SearchOptions& options, const hub::SearchRequest& request, const SearchCache& cache) {
    Found found;
    bool isKept = false;
    for (const hub::Hub hub : hub::allHubs) {
        if (options.hub && *options.hub != hub) continue;
        auto rows = cache.find(hub, request);
        isKept = isKept || rows.has_value();
        if (rows) rows->resize(std::min<std::size_t>(rows->size(), options.limit));
        if (rows) std::ranges::move(*rows, std::back_inserter(found.rows));
    }
    if (!isKept) return notKept(options);
    return found;
}

// A hub that does not answer does not block the other one's models.
Result<Found> askHubs(const Context& context, const SearchOptions& options, const hub::SearchRequest& request,
                      HubSession& session) {
    const std::filesystem::path folder = cacheFolder();
    const SearchCache cache(folder.empty() ? folder : folder / "searches");
    if (session.settings().isOffline) return findKept(options, request, cache);
    Found found;
    for (const hub::Hub hub : hub::allHubs) {
        if (options.hub && *options.hub != hub) continue;
        auto rows = clientRows(session.client(), hub, request, options.limit, Progress{context.stop, {}});
        if (!rows && rows.error().code == ErrorCode::Canceled) return std::unexpected(rows.error());
        if (rows) cache.keep(hub, request, *rows);
        if (rows) std::ranges::move(*rows, std::back_inserter(found.rows));
        else if (!found.error) found.error = rows.error();
    }
    return found;
}

void numberOrNull(JsonWriter& json, const char* key, const std::optional<std::uint64_t>& value) {
    json.key(key);
    if (value) json.integer(*value);
    else json.null();
}

void stringOrNull(JsonWriter& json, const char* key, const std::string& text) {
    json.key(key);
    if (text.empty()) json.null();
    else json.string(text);
}

void writeRow(JsonWriter& json, const hub::ModelRow& row) {
    json.newline();
    json.beginObject();
    json.key("id"), json.string(row.id);
    json.key("hub"), json.string(hub::shortName(row.hub));
    json.key("name"), json.string(row.name);
    json.key("downloads"), json.integer(row.downloads);
    json.key("likes"), json.integer(row.likes);
    json.key("gated"), json.boolean(row.gate != hub::Gate::Open);
    stringOrNull(json, "licence", row.licence);
    numberOrNull(json, "parameters", row.parameters);
    numberOrNull(json, "bytes", row.bytes);
    stringOrNull(json, "updated", row.updated);
    json.key("tags"), json.beginArray();
    for (const std::string& tag : row.tags) json.string(tag);
    json.endArray();
    json.endObject();
}

void print(const Context& context, const std::vector<hub::ModelRow>& rows) {
    if (context.json) {
        JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
        json.beginObject();
        json.key("results"), json.beginArray();
        for (const hub::ModelRow& row : rows) writeRow(json, row);
        json.endArray();
        json.endObject();
        json.finish();
        fmt::print("\n");
        return;
    }
    Table table(
        {{"Id"}, {"Name"}, {"Downloads", true}, {"Likes", true}, {"Parameters", true}, {"Size", true}, {"License"}, {"Updated"}});
    constexpr std::size_t dayLength = 10; // of an ISO time
    for (const hub::ModelRow& row : rows)
        table.add({std::string(hub::shortName(row.hub)) + ":" + escapeControls(row.id), escapeControls(row.name),
                   humanCount(row.downloads), humanCount(row.likes), row.parameters ? humanCount(*row.parameters) : "–",
                   row.bytes ? humanBytes(*row.bytes) : "–", row.licence.empty() ? "–" : escapeControls(row.licence),
                   row.updated.substr(0, dayLength)});
    table.print();
}

std::vector<std::pair<std::string, hub::Capability>> capabilityWords() {
    using enum hub::Capability;
    std::vector<std::pair<std::string, hub::Capability>> words;
    for (const auto capability : {Vision, Tools, Reasoning, Code, Embedding})
        words.emplace_back(hub::capabilityName(capability), capability);
    return words;
}

int search(const Context& context, const SearchOptions& options) {
    hub::SearchRequest request{options.text, options.author, options.filters, options.task, options.licence, {}, 0, 0,
                               options.sort};
    request.quant = options.quant;
    request.capability = options.capability;
    request.isGated = options.gated;
    if (!readRange(options.params, request)) return refuseUsage("--params must be a range like 6B-14B.");
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    auto session = HubSession::open(context, options.network);
    if (!session) return refuse(context, session.error());
    const auto found = askHubs(context, options, request, **session);
    if (!found) return refuse(context, found.error());
    if (!found->rows.empty() || !found->error) print(context, found->rows);
    return found->error ? refuse(context, *found->error) : static_cast<int>(done);
}

} // namespace

Command addSearch(CLI::App& program) {
    auto options = std::make_shared<SearchOptions>();
    CLI::App* command = program.add_subcommand("search", "Find models on Hugging Face and ModelScope");
    command->add_option("TEXT", options->text, "Search text")->required();
    addChoice<std::optional<hub::Hub>>(*command, "--hub", options->hub,
                                       {{"hf", hub::Hub::HuggingFace}, {"ms", hub::Hub::ModelScope}, {"all", std::nullopt}},
                                       "Hub to search: hf, ms or all")
        ->type_name("HUB");
    command->add_option("--author", options->author, "Only models of this user or organization")->type_name("A");
    addRepeated(*command, "--filter", options->filters, "Only models with this tag: gguf, safetensors, a language … (repeatable)")
        ->type_name("TAG");
    command->add_option("--task", options->task, "Only models for this task, for example text-generation")->type_name("T");
    command->add_option("--license", options->licence, "Only models with this license, for example apache-2.0")->type_name("L");
    addChoice<bool>(*command, "--gated", options->gated, {{"yes", true}, {"no", false}},
                    "Only gated models (yes) or only open ones (no)")
        ->type_name("yes|no");
    command->add_option("--params", options->params, "Only models with this number of parameters, for example 6B-14B")
        ->type_name("RANGE");
    command
        ->add_option("--quant", options->quant,
                     "Only models with a file of this quantization type, for example Q4_K_M (ModelScope: by name and tags only)")
        ->type_name("TYPE");
    addChoice(*command, "--capability", options->capability, capabilityWords(),
              "Only models with this capability, as stated by the author")
        ->type_name("C");
    addChoice<hub::SortBy>(*command, "--sort", options->sort,
                           {{"downloads", hub::SortBy::Downloads},
                            {"likes", hub::SortBy::Likes},
                            {"updated", hub::SortBy::Updated},
                            {"created", hub::SortBy::Created},
                            {"trending", hub::SortBy::Trending}},
                           "Sort by downloads, likes, updated, created or trending")
        ->type_name("S");
    command->add_option("--limit", options->limit, "Maximum number of results per hub (default: 20)")
        ->type_name("N")
        ->check(CLI::Range(1u, 3000u));
    addNetworkOptions(*command, options->network);
    return {command, [options](const Context& context) { return search(context, *options); }, {.reads = {"--ca"}}};
}

} // namespace wb::cli
