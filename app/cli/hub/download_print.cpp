// SPDX-License-Identifier: MIT
#include "app/cli/hub/download.h"
#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/hub/content_hash.h"
#include "core/hub/file_name.h"

#include <cstdio>

namespace wb::cli {
namespace {

using Planned = hub::PlannedDownload;
using Downloaded = hub::DownloadedFile;

const char* stateText(Planned::State state) {
    switch (state) {
    case Planned::State::Present: return "present";
    case Planned::State::Refused: return "refused";
    case Planned::State::Wanted: break;
    }
    return "wanted";
}

const char* stateText(Downloaded::State state) {
    switch (state) {
    case Downloaded::State::Downloaded: return "downloaded";
    case Downloaded::State::Present: return "present";
    case Downloaded::State::Refused: return "refused";
    case Downloaded::State::Failed: break;
    }
    return "failed";
}

void textOrNull(JsonWriter& json, const char* key, const std::string& text) {
    json.key(key);
    if (text.empty()) json.null();
    else json.string(text);
}

void writeFile(JsonWriter& json, const std::string& path, std::uint64_t bytes, const std::string& sha256, const char* state,
               const std::optional<Error>& error, const std::vector<std::string>& sources = {}) {
    json.newline();
    json.beginObject();
    json.key("path"), json.string(path);
    json.key("bytes"), json.integer(bytes);
    textOrNull(json, "sha256", sha256);
    json.key("status"), json.string(state);
    textOrNull(json, "error", error ? error->message() : std::string());
    if (!sources.empty()) {
        json.key("sources"), json.beginArray();
        for (const std::string& source : sources) json.string(source);
        json.endArray();
    }
    json.endObject();
}

void writeHead(JsonWriter& json, const hub::DownloadPlan& plan) {
    json.key("id"), json.string(plan.asked.name);
    json.key("hub"), json.string(hub::shortName(plan.asked.hub));
    json.key("commit"), json.string(plan.commit);
    json.key("target"), json.string(io::pathText(plan.folder));
}

// Writes one document with what `fill` puts into it.
void printJson(const auto& fill) {
    JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    json.beginObject();
    fill(json);
    json.endObject();
    json.finish();
    fmt::print("\n");
}

} // namespace

void printPlan(const Context& context, const hub::DownloadPlan& plan) {
    if (context.json) {
        printJson([&plan](JsonWriter& json) {
            writeHead(json, plan);
            json.key("bytes"), json.integer(plan.bytes);
            json.key("bytes_to_fetch"), json.integer(plan.toFetch);
            json.key("bytes_free");
            if (plan.freeBytes) json.integer(*plan.freeBytes);
            else json.null();
            textOrNull(json, "warning", plan.warning ? plan.warning->message() : std::string());
            json.key("files"), json.beginArray();
            for (const Planned& planned : plan.files)
                writeFile(json, planned.file.path, planned.file.bytes, planned.file.sha256, stateText(planned.state),
                          planned.refusal);
            json.endArray();
        });
        return;
    }
    Table table({{"File"}, {"Size", true}, {"Status"}, {"SHA-256"}});
    for (const Planned& planned : plan.files)
        table.add({hub::shownName(planned.file.path), humanBytes(planned.file.bytes), stateText(planned.state),
                   planned.file.sha256.empty() ? "–" : planned.file.sha256});
    table.print();
    fmt::print("\n{} to download to {}, {} free.\n", humanBytes(plan.toFetch), escapeControls(io::pathText(plan.folder)),
               plan.freeBytes ? humanBytes(*plan.freeBytes) : "unknown");
}

void printOutcome(const Context& context, const hub::DownloadOutcome& outcome, double seconds) {
    if (context.json) {
        printJson([&](JsonWriter& json) {
            writeHead(json, outcome.plan);
            json.key("bytes_fetched"), json.integer(outcome.fetchedBytes);
            json.key("seconds"), json.number(seconds);
            json.key("files"), json.beginArray();
            for (const Downloaded& file : outcome.files)
                writeFile(json, file.path, file.bytes, file.sha256, stateText(file.state), file.error, file.sources);
            json.endArray();
        });
        return;
    }
    Table table({{"File"}, {"Size", true}, {"Status"}});
    for (const Downloaded& file : outcome.files)
        table.add({hub::shownName(file.path), humanBytes(file.bytes), stateText(file.state)});
    table.print();
    fmt::print("\n{} downloaded to {} in {:.1f} s.\n", humanBytes(outcome.fetchedBytes),
               escapeControls(io::pathText(outcome.plan.folder)), seconds);
}

} // namespace wb::cli
