// SPDX-License-Identifier: MIT
#include "app/cli/unfinished.h"

#include "app/cli/table.h"
#include "app/cli/user_folders.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/convert/run/unfinished.h"

#include <fmt/chrono.h>

#include <cstdio>
#include <ctime>

namespace wb::cli {
namespace {

using State = run::UnfinishedRun::State;

std::string timeText(std::int64_t seconds) { return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(seconds))); }

void writeRun(JsonWriter& json, const run::UnfinishedRun& run) {
    const auto text = [&json](const char* key, const std::string& value) {
        json.key(key);
        if (value.empty()) json.null();
        else json.string(value);
    };
    json.newline();
    json.beginObject();
    text("kind", run.record.kind);
    json.key("target"), json.string(io::pathText(run.record.target));
    text("source", io::pathText(run.record.source));
    json.key("percent");
    if (run.percent) json.integer(*run.percent);
    else json.null();
    json.key("bytes"), json.integer(run.bytes);
    text("changed", run.changed ? timeText(*run.changed) : std::string());
    json.key("held"), json.boolean(run.state == State::Held);
    json.endObject();
}

void printJson(const std::vector<run::UnfinishedRun>& runs) {
    JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    json.beginObject();
    json.key("runs"), json.beginArray();
    for (const run::UnfinishedRun& run : runs) writeRun(json, run);
    json.endArray();
    json.endObject();
    json.finish();
    fmt::print("\n");
}

std::string stateText(State state) {
    switch (state) {
    case State::Held: return "running";
    case State::Away: return "its folder is not there";
    case State::Waiting: break;
    }
    return "waiting";
}

void printTable(const std::vector<run::UnfinishedRun>& runs) {
    if (runs.empty()) {
        fmt::print("No run is unfinished.\n");
        return;
    }
    Table table({{"Target"}, {"Kind"}, {"Done", true}, {"On disk", true}, {"Last write"}, {"State"}, {"Source"}});
    for (const run::UnfinishedRun& run : runs)
        table.add({escapeControls(io::pathText(run.record.target)), escapeControls(run.record.kind),
                   run.percent ? fmt::format("{} %", *run.percent) : "–", humanBytes(run.bytes),
                   run.changed ? timeText(*run.changed) : "–", stateText(run.state),
                   escapeControls(io::pathText(run.record.source))});
    table.print();
    fmt::print("\nThe command that began a run resumes it; --discard TARGET removes what it has written.\n");
}

} // namespace

int unfinished(const Context& context, const UnfinishedOptions& options) {
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const std::filesystem::path state = stateFolder();
    if (!options.discard.empty()) {
        const auto discarded = run::discard(state, std::filesystem::path(options.discard));
        if (!discarded) return refuse(context, discarded.error(), options.discard);
    }
    const auto runs = run::listUnfinished(state);
    if (context.json) printJson(runs);
    else if (options.discard.empty()) printTable(runs);
    return done;
}

} // namespace wb::cli
