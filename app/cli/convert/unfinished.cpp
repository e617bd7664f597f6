// SPDX-License-Identifier: MIT

#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/table.h"
#include "app/cli/user_folders.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/hub/download.h"

#include <fmt/chrono.h>

#include <cstdio>
#include <ctime>

namespace wb::cli {
namespace {

// What `wb unfinished` was asked for, as typed.
struct UnfinishedOptions {
    std::string discard; // the target of a run; empty: list them all
};

using State = run::UnfinishedRun::State;

std::string runTimeText(std::int64_t seconds) { return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(seconds))); }

std::string quoted(const std::string& text) { return escapeControls(shellWord(text)); }

// The source of a download has no path but an id.
std::optional<hub::DownloadRequest> runDownload(const run::UnfinishedRun& run) {
    return run.record.kind == hub::downloadKind ? hub::requestOfPlan(run.record.plan) : std::nullopt;
}

std::string sourceText(const run::UnfinishedRun& run) {
    const auto download = runDownload(run);
    return download ? download->repository.text() : io::pathText(run.record.source);
}

// The command that continues with it.
std::string requestCommand(const hub::DownloadRequest& request) {
    std::string command = "wb download " + quoted(request.repository.text()) + " " + quoted(request.files.front());
    switch (request.place.kind) {
    case hub::PlaceKind::Folder: return command + " --to " + quoted(io::pathText(request.place.root));
    case hub::PlaceKind::HuggingFaceCache: return command + " --cache hf";
    case hub::PlaceKind::ModelScopeCache: break;
    }
    return command + " --cache ms";
}

void writeUnfinishedRun(JsonWriter& json, const run::UnfinishedRun& run) {
    const auto text = [&json](const char* key, const std::string& value) {
        json.key(key);
        if (value.empty()) json.null();
        else json.string(value);
    };
    json.newline();
    json.beginObject();
    text("kind", run.record.kind);
    json.key("target"), json.string(io::pathText(run.record.target));
    text("source", sourceText(run));
    json.key("percent");
    if (run.percent) json.integer(*run.percent);
    else json.null();
    json.key("bytes"), json.integer(run.bytes);
    text("changed", run.changed ? runTimeText(*run.changed) : std::string());
    json.key("held"), json.boolean(run.state == State::Held);
    json.endObject();
}

void printRunsJson(const std::vector<run::UnfinishedRun>& runs) {
    JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    json.beginObject();
    json.key("runs"), json.beginArray();
    for (const run::UnfinishedRun& run : runs) writeUnfinishedRun(json, run);
    json.endArray();
    json.endObject();
    json.finish();
    fmt::print("\n");
}

std::string runStateText(State state) {
    switch (state) {
    case State::Held: return "running";
    case State::Away: return "folder not found";
    case State::Waiting: break;
    }
    return "waiting";
}

void printRunsTable(const std::vector<run::UnfinishedRun>& runs) {
    if (runs.empty()) {
        fmt::print("No unfinished jobs.\n");
        return;
    }
    Table table({{"Target"}, {"Kind"}, {"Done", true}, {"On disk", true}, {"Last write"}, {"Status"}, {"Source"}});
    for (const run::UnfinishedRun& run : runs)
        table.add({escapeControls(io::pathText(run.record.target)), escapeControls(run.record.kind),
                   run.percent ? fmt::format("{}%", *run.percent) : "–", humanBytes(run.bytes),
                   run.changed ? runTimeText(*run.changed) : "–", runStateText(run.state), escapeControls(sourceText(run))});
    table.print();
    for (const run::UnfinishedRun& run : runs)
        if (const auto download = runDownload(run)) fmt::print("\nTo resume: {}", requestCommand(*download));
    fmt::print("\nRun the original command again to resume a job, or discard it with --discard TARGET.\n");
}

int unfinished(const Context& context, const UnfinishedOptions& options) {
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const std::filesystem::path state = stateFolder();
    if (!options.discard.empty()) {
        const auto discarded = run::discard(state, std::filesystem::path(options.discard));
        if (!discarded) return refuse(context, discarded.error(), options.discard);
    }
    const auto runs = run::listUnfinished(state);
    if (context.json) printRunsJson(runs);
    else if (options.discard.empty()) printRunsTable(runs);
    return done;
}

} // namespace

Command addUnfinished(CLI::App& program) {
    auto options = std::make_shared<UnfinishedOptions>();
    CLI::App* command = program.add_subcommand("unfinished", "List unfinished jobs, or discard one");
    command->add_option("--discard", options->discard, "Discard the unfinished job for this output file")
        ->type_name("TARGET")
        ->check(checkNotEmpty);
    return {command, [options](const Context& context) { return unfinished(context, *options); }};
}

} // namespace wb::cli
