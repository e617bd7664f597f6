// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"

#include "app/cli/trust.h"

namespace wb::cli {
namespace {

void addCommonOptions(CLI::App& app, Context& context) {
    app.add_flag("--json", context.json, "Print a single JSON document to stdout");
    app.add_flag("--quiet", context.quiet, "Do not show progress");
    app.add_option("--log", context.log->path, "Append problems and errors to this file")->type_name("FILE")->check(checkNotEmpty);
    context.files->declare(app, {.appends = {"--log"}});
    app.add_option("--threads", context.threads, "Number of threads (default: all)")->type_name("N")->check(CLI::Range(1u, 1024u));
    app.add_option_function<std::string>(
           "--device", [&context](const std::string& text) { context.device = deviceFromText(text); },
           "Compute device: auto, cpu, gpu or gpu:N (default: auto)")
        ->type_name("DEVICE")
        ->check([](const std::string& text) {
            const bool isId = text.empty() || deviceFromText(text).kind == DeviceRef::Kind::Id;
            return isId ? "must be auto, cpu, gpu or gpu:N" : "";
        });
}

// --force replaces files that an option writes; jobs have a separate one.
void addFileOptions(const Command& command, Context& context) {
    const bool hasForce = command.app->get_option_no_throw("--force") != nullptr;
    if (!command.files.writes.empty() && !hasForce) command.app->add_flag("--force")->description("Replace existing output files");
    context.files->declare(*command.app, command.files);
}

// CLI11 refuses an option that is given twice, unless it is reported which value counts.
void takeLast(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
        if (!option->get_positional() && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw &&
            option->get_items_expected_max() < CLI::detail::expected_max_vector_size)
            option->take_last();
}

} // namespace

std::vector<Command> addCommands(CLI::App& program, Context& context) {
    std::vector<Command> commands;
    for (const auto add : {addInspect, addScan,     addVerify, addDiff,       addQuantize,   addConvert,  addMerge,
                           addLogits,  addGenerate, addChat,   addPerplexity, addBench,      addTokenize, addTemplate,
                           addMemory,  addLibrary,  addSearch, addDownload,   addUnfinished, addDevices}) {
        Command& command = commands.emplace_back(add(program));
        addCommonOptions(*command.app, context);
        addFileOptions(command, context);
        if (command.opensModels) addTrust(*command.app, context.trustsModels);
        takeLast(*command.app);
    }
    return commands;
}

} // namespace wb::cli
