// SPDX-License-Identifier: MIT
#include "app/cli/convert/quantize.h"

#include "app/cli/commands.h"
#include "app/cli/trust.h"
#include "core/quant/mix/file_type.h"

namespace wb::cli {
namespace {

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

} // namespace

void addMixOptions(CLI::App& command, QuantizeOptions& options) {
    command.add_option("--imatrix", options.imatrix, "Importance matrix, GGUF or .dat")->type_name("FILE");
    command.add_flag("--pure", options.pure, "One type for all tensors instead of a mix");
    addRepeated(command, "--tensor-type", options.tensorTypes, "Type for tensors whose name matches (repeatable, first match wins)")
        ->type_name("REGEX=TYPE");
    command.add_option("--tensor-type-file", options.tensorTypeFile, "More of these from a file, separated by white space")
        ->type_name("FILE");
    command.add_option("--output-type,--output-tensor-type", options.outputType, "Type of output.weight")->type_name("TYPE");
    command.add_flag("--leave-output-tensor", options.leaveOutput, "Copy output.weight as it is");
    command.add_option("--token-embedding-type", options.tokenEmbeddingType, "Type of token_embd.weight")->type_name("TYPE");
    command.add_flag("--allow-requantize", options.allowRequantize, "Accept tensors that are quantized already");
    addRepeated(command, "--include-weights", options.includeWeights,
                "Use only importance data whose name contains this (repeatable)")
        ->type_name("TEXT");
    addRepeated(command, "--exclude-weights", options.excludeWeights,
                "Ignore importance data whose name contains this (repeatable)")
        ->type_name("TEXT");
    addRepeated(command, "--override-kv", options.overrides, "Set a pair of the new file; int, float, bool or str (repeatable)")
        ->type_name("KEY=KIND:VALUE");
}

void addTrustOptions(CLI::App& command, std::string& verify, bool& yes) {
    command.add_option("--verify", verify, "Compare the result with its source: sample (default), all or none")
        ->type_name("WHAT")
        ->check(checkNotEmpty);
    addTrust(command, yes);
}

Command addQuantize(CLI::App& program) {
    auto options = std::make_shared<QuantizeOptions>();
    CLI::App* command = program.add_subcommand("quantize", "Make a smaller GGUF model: any type, the reference's bytes");
    command->add_option("IN", options->in, "The GGUF model to read")->required();
    command->add_option("OUT", options->out, "The GGUF file to write");
    command->add_option("TYPE", options->type, "Q4_K_M, Q8_0, IQ4_XS … or COPY");
    command->add_option("--plan", options->planFile, "Instead of TYPE: a plan that was saved for this model")->type_name("FILE");
    command->add_option("--budget", options->budget, "Instead of TYPE: the best types for a file of this size, like 4.2GB")
        ->type_name("SIZE");
    command->add_option("--save-plan", options->savePlanFile, "Write the plan to this file, for --plan")->type_name("FILE");
    command->add_flag("--budget-exact", options->budgetExact, "With --budget: measure every row of every tensor, not samples");
    command->add_flag("--keep-split", options->keepSplit, "Write as many files as the model has, OUT-00001-of-0000N.gguf …");
    addMixOptions(*command, *options);
    command->add_option("--prune-layers", options->pruneLayers, "Leave these layers out and renumber the others")
        ->type_name("N,N,…");
    command->add_flag("--dry-run", options->dryRun, "Show the plan and write nothing");
    command->add_option("--report", options->reportFile, "Also write the JSON document to this file")->type_name("FILE.json");
    command->add_flag("--force", options->force, "Replace OUT and other output files that exist");
    command->add_flag("--restart", options->restart, "Begin anew instead of continuing an earlier run");
    addTrustOptions(*command, options->verify, options->yes);
    command->add_flag("--compare", options->compare,
                      "Instead of OUT and TYPE: what every mix takes and loses, measured on samples");
    command->add_option("--context", options->context, "With --compare: tokens; 8192 by default, at most the model's")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
    command->add_option("--memory", options->memory, "With --compare: what it must fit into, instead of this machine")
        ->type_name("SIZE");
    command->add_flag("--exact", options->exact, "With --compare: measure every row, not samples");
    command->footer(typesText());
    for (CLI::Option* option : command->get_options())
        if (option->get_type_size() > 0 && option->get_name() != "TYPE") option->check(checkNotEmpty);
    return {command,
            [options](const Context& context) { return quantize(context, *options); },
            {.reads = {"IN", "--plan", "--imatrix", "--tensor-type-file"}, .writes = {"--save-plan", "--report"}, .works = {"OUT"}}};
}

} // namespace wb::cli
