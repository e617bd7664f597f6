// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/hub/download.h"

#include "core/base/glob.h"
#include "app/cli/hub/kept_list.h"
#include "app/cli/progress_line.h"
#include "app/cli/user_folders.h"
#include "core/base/size.h"
#include "core/base/text.h"
#include "core/hub/file_name.h"
#include "core/hub/variants.h"
#include "core/io/system/main_memory.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

bool matchesAny(const std::vector<std::string>& patterns, const std::string& path) {
    return std::ranges::any_of(patterns,
                               [&path](const std::string& pattern) { return pattern == path || globMatches(pattern, path); });
}

bool isWanted(const DownloadOptions& options, const std::string& path) {
    const bool isNamed = options.files.empty() || matchesAny(options.files, path);
    const bool isIncluded = options.include.empty() || matchesAny(options.include, path);
    return isNamed && isIncluded && !matchesAny(options.exclude, path);
}

// The words that matched no file.
std::optional<std::string> unmatched(const DownloadOptions& options, const hub::DownloadPlan& plan) {
    for (const std::string& word : options.files) {
        const auto matches = [&word](const hub::PlannedDownload& planned) { return matchesAny({word}, planned.file.path); };
        if (std::ranges::none_of(plan.files, matches)) return word;
    }
    return std::nullopt;
}

fs::path pathFromText(const std::string& text) { return fs::path(std::u8string(text.begin(), text.end())); }

Result<hub::DownloadPlace> optionsPlace(const DownloadOptions& options, const hub::Settings& settings,
                                        const hub::Repository& repository) {
    hub::DownloadPlace place;
    if (options.cache == hub::Hub::HuggingFace) place = {hub::PlaceKind::HuggingFaceCache, settings.huggingFaceCache};
    else if (options.cache == hub::Hub::ModelScope) place = {hub::PlaceKind::ModelScopeCache, settings.modelScopeCache};
    else if (!options.to.empty()) place.root = options.to;
    else if (const fs::path models = modelsFolder(); !models.empty()) place.root = models / pathFromText(repository.name);
    if (place.root.empty())
        return fail(
            ErrorCode::Invalid, Reason("cli.no_home"),
            WB_TEXT("The models folder cannot be determined because no home directory is set; specify a folder with --to DIR."));
    place.root = fs::absolute(place.root).lexically_normal();
    if (!place.root.has_filename()) place.root = place.root.parent_path();
    return place;
}

// "owner/name" is one of Hugging Face, as its own command takes it.
std::string withHub(const std::string& id) {
    const bool isBare = id.find(':') == std::string::npos && std::ranges::count(id.substr(0, id.find('@')), '/') == 1;
    return isBare ? "hf:" + id : id;
}

// Of a repository with several quantizations that was named without a file: few users want them all.
std::optional<Error> severalQuantizations(const DownloadOptions& options, const hub::DownloadPlan& plan) {
    if (!options.files.empty() || !options.include.empty() || withHub(options.id).find(':', 3) != std::string::npos)
        return std::nullopt;
    std::vector<hub::RemoteFile> files;
    for (const hub::PlannedDownload& planned : plan.files) files.push_back(planned.file);
    auto variants = hub::groupVariants(files);
    const auto count = std::ranges::count(variants, hub::VariantKind::Gguf, &hub::Variant::kind);
    if (count < 2) return std::nullopt;
    hub::recommend(variants, io::mainMemory().free);
    const auto chosen = std::ranges::find(variants, true, &hub::Variant::isRecommended);
    const std::string& example = files[(chosen == variants.end() ? variants.front() : *chosen).files.front()].path;
    return makeError(ErrorCode::Invalid, Reason("cli.several_quantizations"), About{plan.asked.text()},
                     WB_TEXT("{} has {} quantizations, {} in all; name the file to download, such as {}, or '*' for all."),
                     plan.asked.text(), count, humanBytes(plan.bytes), hub::shownName(example));
}

Result<hub::DownloadRequest> optionsRequest(const DownloadOptions& options, const hub::Settings& settings) {
    WB_TRY_ASSIGN(const hub::RemoteId id, hub::parseRemoteId(withHub(options.id)));
    hub::DownloadRequest request;
    request.repository = id.repository;
    if (!options.revision.empty()) {
        WB_TRY_ASSIGN(const hub::RemoteId revised, hub::parseRemoteId(fmt::format("{}:{}@{}", hub::shortName(id.repository.hub),
                                                                                  id.repository.name, options.revision)));
        request.repository = revised.repository;
    }
    for (const std::string& text : options.alternates) {
        WB_TRY_ASSIGN(const hub::RemoteId alternate, hub::parseRemoteId(text));
        request.alternates.push_back(alternate.repository);
    }
    if (!options.limitRate.empty()) {
        const auto rate = parseSize(options.limitRate);
        if (!rate)
            return fail(ErrorCode::Invalid, Reason("cli.bad_rate"), About{options.limitRate},
                        WB_TEXT("{} is not a valid speed; use the form 5MB (bytes per second)."), options.limitRate);
        request.options.limits = {std::make_shared<hub::SpeedLimit>(*rate)};
    }
    request.isWanted = [&options, file = id.file](const std::string& path) {
        return (file.empty() || file == path) && isWanted(options, path);
    };
    WB_TRY_ASSIGN(request.place, optionsPlace(options, settings, request.repository));
    request.options.lines = options.connections;
    request.options.stateFolder = stateFolder();
    return request;
}

// Offline that of the last time: completeness can be determined without the hub.
Result<hub::FileList> sessionList(HubSession& session, const hub::Repository& repository, const Progress& progress) {
    if (session.settings().isOffline) {
        if (auto kept = findKeptList(repository)) return *std::move(kept);
        return fail(ErrorCode::NotFound, Reason("cli.list_not_kept"), About{repository.text()},
                    WB_TEXT("The files of {} are unknown offline; download it once without --offline."), repository.text());
    }
    WB_TRY_ASSIGN(hub::FileList list, hub::listFiles(session.client(), repository, progress));
    keepList(repository, list);
    return list;
}

Result<hub::DownloadPlan> sessionPlan(const DownloadOptions& options, HubSession& session, const hub::DownloadRequest& request,
                                      const Progress& progress) {
    WB_TRY_ASSIGN(hub::FileList list, sessionList(session, request.repository, progress));
    WB_TRY_ASSIGN(hub::DownloadPlan plan, hub::planListed(request, std::move(list)));
    const auto missing = unmatched(options, plan);
    if (!missing) return plan;
    return fail(ErrorCode::NotFound, Reason("cli.no_such_file"), About{request.repository.text()},
                WB_TEXT("{} has no file {} at this revision; check its file list."), request.repository.text(),
                hub::shownName(*missing));
}

// What cannot go together.
std::string usageError(const DownloadOptions& options) {
    if (!options.to.empty() && options.cache) return "--to and --cache exclude each other.";
    if (!options.revision.empty() && options.id.find('@') != std::string::npos)
        return "--revision and @revision exclude each other.";
    return "";
}

// The value of an option may be an invalid speed or address.
int refuseOption(const Context& context, const Error& error) {
    const bool isWrongUsage = error.reason == Reason("cli.bad_rate") || error.reason == Reason("net.bad_proxy");
    return isWrongUsage ? refuseUsage(error.message()) : refuse(context, error);
}

// The names of the files that were refused or failed go to the log; one line says the first.
int finish(const Context& context, const hub::DownloadOutcome& outcome) {
    for (const hub::DownloadedFile& file : outcome.files)
        if (file.error) log(context, file.error->message());
    const auto error = outcome.error();
    return error ? refuse(context, named(outcome.plan.asked.text(), *error)) : static_cast<int>(done);
}

int download(const Context& context, const DownloadOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    if (const std::string wrong = usageError(options); !wrong.empty()) return refuseUsage(wrong);
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    auto session = HubSession::open(context, options.network);
    if (!session) return refuseOption(context, session.error());
    auto request = optionsRequest(options, (*session)->settings());
    if (!request) return refuseOption(context, request.error());
    Result<hub::DownloadOutcome> outcome;
    {
        ProgressLine line("download", !context.quiet && !context.json);
        const Progress progress{context.stop, [&line](std::uint64_t now, std::uint64_t total) { line.set(now, total); }};
        auto plan = sessionPlan(options, **session, *request, Progress{context.stop, {}});
        if (!plan) return refuse(context, plan.error());
        if (plan->warning) log(context, plan->warning->message());
        if (plan->warning && !context.quiet) fmt::print(stderr, "wb: {}\n", escapeControls(plan->warning->message()));
        if (options.isDryRun) {
            printPlan(context, *plan);
            return done;
        }
        if (ProgressLine::isTerminal() && !context.json && !context.quiet)
            if (const auto several = severalQuantizations(options, *plan)) return refuse(context, *several);
        outcome = hub::download((*session)->client(), (*session)->network(), *request, *std::move(plan), progress);
    }
    if (!outcome) return refuse(context, outcome.error());
    printOutcome(context, *outcome, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return finish(context, *outcome);
}

} // namespace

Command addDownload(CLI::App& program) {
    auto options = std::make_shared<DownloadOptions>();
    CLI::App* command =
        program.add_subcommand("download", "Download models from Hugging Face and ModelScope (resumable, verified)");
    command->add_option("ID", options->id, "hf:owner/name or ms:owner/name, optionally followed by @revision")->required();
    command->add_option("FILES", options->files, "Files to download: paths or patterns (default: all)");
    addRepeated(*command, "--include", options->include, "Include only files that match (repeatable)")->type_name("GLOB");
    addRepeated(*command, "--exclude", options->exclude, "Exclude files that match (repeatable)")->type_name("GLOB");
    command->add_option("--revision", options->revision, "Revision: branch, tag or commit")->type_name("R")->check(checkNotEmpty);
    command->add_option("--to", options->to, "Download to this folder (default: the models folder)")
        ->type_name("DIR")
        ->check(checkNotEmpty);
    addChoice<hub::Hub>(*command, "--cache", options->cache, {{"hf", hub::Hub::HuggingFace}, {"ms", hub::Hub::ModelScope}},
                        "Download to the cache of huggingface_hub (hf) or modelscope (ms)")
        ->type_name("hf|ms");
    addRepeated(*command, "--alternate", options->alternates, "Alternative repository for files with the same SHA-256 (repeatable)")
        ->type_name("ID");
    command->add_option("--connections", options->connections, "Connections per file (default: 8)")
        ->type_name("N")
        ->check(CLI::Range(1u, 16u));
    command->add_option("--limit-rate", options->limitRate, "Speed limit in bytes per second, for example 5MB")
        ->type_name("RATE")
        ->check(checkNotEmpty);
    command->add_flag("--dry-run", options->isDryRun, "Show what would be downloaded and whether it fits on disk");
    addNetworkOptions(*command, options->network);
    return {
        command, [options](const Context& context) { return download(context, *options); }, {.reads = {"--ca"}, .works = {"--to"}}};
}

} // namespace wb::cli
