// SPDX-License-Identifier: MIT
#include "app/cli/wb.h"

#include "app/cli/cache_folder.h"
#include "app/cli/devices.h"
#include "app/cli/inspect.h"
#include "app/cli/interrupt.h"
#include "app/cli/quantize.h"

#include "core/quant/mix/file_type.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/device/device_info.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>

namespace wb::cli {
namespace {

struct Program {
    CLI::App app{"Weighbridge on the command line: opens any model file and weighs it.", "wb"};
    Context context;
    InspectOptions inspectOptions;
    QuantizeOptions quantizeOptions;
    std::function<int()> command;
};

// An empty word is mostly a variable of a script that is not set; taken for "not given" it would change the result silently.
std::string checkNotEmpty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

void addCommonOptions(CLI::App& app, Context& context) {
    app.add_flag("--json", context.json, "Print one JSON document on stdout and nothing else");
    app.add_flag("--quiet", context.quiet, "Show no progress");
    app.add_option("--log", context.log->path, "Append problems and failures to this file")->type_name("FILE")->check(checkNotEmpty);
    app.add_option("--threads", context.threads, "Threads to use; all of the machine's by default")
        ->type_name("N")
        ->check(CLI::Range(1u, 1024u));
    app.add_option("--device", context.device, "Where to compute: auto, cpu, gpu or gpu:N")
        ->type_name("DEVICE")
        ->check([](const auto& text) {
            const bool numbered = text.size() > 4 && text.size() < 8 && text.starts_with("gpu:") &&
                                  text.find_first_not_of("0123456789", 4) == std::string::npos;
            return text == "auto" || text == "cpu" || text == "gpu" || numbered ? "" : "must be auto, cpu, gpu or gpu:N";
        });
}

void addInspect(Program& program) {
    InspectOptions& options = program.inspectOptions;
    CLI::App* command = program.app.add_subcommand("inspect", "Show what is in a model file or folder");
    addCommonOptions(*command, program.context);
    command->add_option("PATH", options.path, "A model file, an index.json or a model's folder")->required();
    command->add_option("--tensor", options.tensorGlobs, "Only tensors with this name or pattern (repeatable)")
        ->type_name("NAME")
        ->expected(1)
        ->allow_extra_args(false) // what follows is another word of the command
        ->take_all();
    command->add_option("--filter", options.filter, "Only tensors that match, as in the window: 'dtype:bf16 size:>10M name:attn'")
        ->type_name("QUERY");
    command->add_flag("--stats", options.statistics, "Statistics over every element");
    command->add_option("--bins", options.bins, "Bins of the histogram, 1 to 65536; 256 by default")
        ->type_name("N")
        ->check(CLI::Range(1u, 65536u));
    const std::map<std::string, stats::Axis> axes = {{"row", stats::Axis::Row}, {"column", stats::Axis::Column}};
    command->add_option("--channels", options.channels, "Absmax and rms of every row or column")
        ->type_name("row|column")
        ->transform(CLI::Transformer(axes));
    command->add_option("--export", options.exportFile, "Write the one chosen tensor as an f32 .npy file")->type_name("FILE.npy");
    command->callback([&program] { program.command = [&program] { return inspect(program.context, program.inspectOptions); }; });
}

// What TYPE can be, in lines of the width of the help.
std::string typesText() {
    constexpr std::size_t width = 100;
    std::string text = "Types:";
    std::size_t column = text.size();
    for (const quant::FileTypeInfo& type : quant::allFileTypes()) {
        const std::string name = type.name;
        if (column + 1 + name.size() > width) {
            text += "\n      ";
            column = 6;
        }
        text += ' ' + name;
        column += 1 + name.size();
    }
    return text + " COPY";
}

void addQuantize(Program& program) {
    QuantizeOptions& options = program.quantizeOptions;
    CLI::App* command = program.app.add_subcommand("quantize", "Make a smaller GGUF model: any type, the reference's bytes");
    addCommonOptions(*command, program.context);
    command->add_option("IN", options.in, "The GGUF model to read")->required();
    command->add_option("OUT", options.out, "The GGUF file to write")->required();
    command->add_option("TYPE", options.type, "Q4_K_M, Q8_0, IQ4_XS … or COPY");
    command->add_option("--plan", options.planFile, "Instead of TYPE: a plan that was saved for this model")->type_name("FILE");
    command->add_option("--budget", options.budget, "Instead of TYPE: the best types for a file of this size, like 4.2GB")
        ->type_name("SIZE");
    command->add_option("--save-plan", options.savePlanFile, "Write the plan to this file, for --plan")->type_name("FILE");
    command->add_flag("--budget-exact", options.budgetExact, "With --budget: measure every row of every tensor, not samples");
    command->add_flag("--keep-split", options.keepSplit, "Write as many files as the model has, OUT-00001-of-0000N.gguf …");
    command->add_option("--imatrix", options.imatrix, "Importance matrix, GGUF or .dat")->type_name("FILE");
    command->add_flag("--pure", options.pure, "One type for all tensors instead of a mix");
    command->add_option("--tensor-type", options.tensorTypes, "Type for tensors whose name matches (repeatable, first match wins)")
        ->type_name("REGEX=TYPE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--tensor-type-file", options.tensorTypeFile, "More of these from a file, separated by white space")
        ->type_name("FILE");
    command->add_option("--output-type,--output-tensor-type", options.outputType, "Type of output.weight")->type_name("TYPE");
    command->add_flag("--leave-output-tensor", options.leaveOutput, "Copy output.weight as it is");
    command->add_option("--token-embedding-type", options.tokenEmbeddingType, "Type of token_embd.weight")->type_name("TYPE");
    command->add_flag("--allow-requantize", options.allowRequantize, "Accept tensors that are quantized already");
    command->add_option("--include-weights", options.includeWeights, "Use only importance data whose name contains this (repeatable)")
        ->type_name("TEXT")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--exclude-weights", options.excludeWeights, "Ignore importance data whose name contains this (repeatable)")
        ->type_name("TEXT")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--override-kv", options.overrides, "Set a pair of the new file; int, float, bool or str (repeatable)")
        ->type_name("KEY=KIND:VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--prune-layers", options.pruneLayers, "Leave these layers out and renumber the others")->type_name("N,N,…");
    command->add_flag("--dry-run", options.dryRun, "Show the plan and write nothing");
    command->add_option("--report", options.reportFile, "Also write the JSON document to this file")->type_name("FILE.json");
    command->add_flag("--force", options.force, "Replace OUT if it exists");
    command->add_flag("--restart", options.restart, "Begin anew instead of continuing an earlier run");
    command->footer(typesText());
    for (CLI::Option* option : command->get_options())
        if (option->get_type_size() > 0 && option->get_name() != "TYPE") option->check(checkNotEmpty);
    command->callback([&program] { program.command = [&program] { return quantize(program.context, program.quantizeOptions); }; });
}

void addDevices(Program& program) {
    CLI::App* command = program.app.add_subcommand("devices", "List what can compute here: the CPU and every Vulkan device");
    addCommonOptions(*command, program.context);
    command->callback([&program] { program.command = [&program] { return devices(program.context); }; });
}

// CLI11 prints several lines for a wrong command line; the contract is one sentence and status 2.
int parseFailure(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    const auto commands = app.get_subcommands();
    const std::string command = commands.empty() ? "wb" : "wb " + commands.front()->get_name();
    return refuseUsage(fmt::format("{}. Run {} --help to see how it is used.", error.what(), command));
}

bool isUnknownCommand(const CLI::App& app, std::string_view word) {
    return !word.starts_with('-') && app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; }).empty();
}

// What could not be written is lost, which a script must learn.
int withOutput(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    fmt::print(stderr, "wb: The output cannot be written ({}); make room or send it elsewhere.\n", std::strerror(errno));
    return failed;
}

int runCommand(Program& program) {
    Context& context = program.context;
    context.stop = stopOnInterrupt();
    try {
        const int status = program.command();
        return status == done ? withOutput(status) : status;
    } catch (const std::bad_alloc&) { // by now most of what was taken is free again
        return refuse(context, outOfMemory(), {});
    }
}

} // namespace

int run(int argc, char** argv) {
    if (const auto folder = cacheFolder(); !folder.empty()) gpu::setUp({folder / "pipelines"});
    Program program;
    program.app.set_version_flag("--version", "wb " WEIGHBRIDGE_VERSION);
    program.app.require_subcommand(1);
    program.app.failure_message(CLI::FailureMessage::simple);
    addInspect(program);
    addQuantize(program);
    addDevices(program);
    if (argc > 1 && isUnknownCommand(program.app, argv[1]))
        return refuseUsage(fmt::format("{} is no command of this program. Run wb --help to see those it has.", argv[1]));
    try {
        program.app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return parseFailure(program.app, error);
    }
    if (const char* level = std::getenv("WEIGHBRIDGE_SIMD"); level != nullptr && !quant::chooseSimd(level))
        return refuseUsage("WEIGHBRIDGE_SIMD must be scalar or an instruction set that wb devices names.");
    return runCommand(program);
}

} // namespace wb::cli
