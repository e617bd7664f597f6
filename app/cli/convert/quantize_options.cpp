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
    command.add_option("--imatrix", options.imatrix, "Importance matrix (imatrix), GGUF or .dat")->type_name("FILE");
    command.add_flag("--pure", options.pure, "Use a single type for all tensors");
    addRepeated(command, "--tensor-type", options.tensorTypes, "Type of tensors whose name matches (repeatable; first match wins)")
        ->type_name("REGEX=TYPE");
    command
        .add_option("--tensor-type-file", options.tensorTypeFile,
                    "Read more --tensor-type rules from a file, separated by whitespace")
        ->type_name("FILE");
    command.add_option("--output-type,--output-tensor-type", options.outputType, "Type of output.weight")->type_name("TYPE");
    command.add_flag("--leave-output-tensor", options.leaveOutput, "Do not quantize output.weight");
    command.add_option("--token-embedding-type", options.tokenEmbeddingType, "Type of token_embd.weight")->type_name("TYPE");
    command.add_flag("--allow-requantize", options.allowRequantize, "Accept tensors that are quantized already");
    addRepeated(command, "--include-weights", options.includeWeights,
                "Use only imatrix entries whose name contains this text (repeatable)")
        ->type_name("TEXT");
    addRepeated(command, "--exclude-weights", options.excludeWeights,
                "Ignore imatrix entries whose name contains this text (repeatable)")
        ->type_name("TEXT");
    addRepeated(command, "--override-kv", options.overrides, "Set a metadata key; KIND is int, float, bool or str (repeatable)")
        ->type_name("KEY=KIND:VALUE");
}

void addSplitOptions(CLI::App& command, SplitOptions& options) {
    command.add_option("--shard-size", options.shardSize, "Maximum size of a file: 5GB, 300M …, or none for a single file")
        ->type_name("SIZE")
        ->check(checkNotEmpty);
    command.add_option("--max-tensors", options.maxTensors, "Maximum number of tensors per file")->type_name("N");
    command.add_flag("--no-tensor-first-split", options.noTensorFirst, "GGUF: write the metadata to a first file without tensors");
}

void addTrustOptions(CLI::App& command, std::string& verify, bool& yes) {
    command.add_option("--verify", verify, "Compare the result with its source: sample (default), all or none")
        ->type_name("WHAT")
        ->check(checkNotEmpty);
    addTrust(command, yes);
}

Command addQuantize(CLI::App& program) {
    auto options = std::make_shared<QuantizeOptions>();
    CLI::App* command =
        program.add_subcommand("quantize", "Quantize a GGUF model to any type (output is byte-identical to llama-quantize)");
    command->add_option("IN", options->in, "Input GGUF model: a file, or an ID or name in wb library")->required();
    command->add_option("OUT", options->out, "Output GGUF file");
    command->add_option("TYPE", options->type, "Quantization type: Q4_K_M, Q8_0, IQ4_XS …, or COPY");
    command->add_option("--plan", options->planFile, "Use a saved plan instead of TYPE")->type_name("FILE");
    command
        ->add_option("--budget", options->budget,
                     "Choose the best tensor types for this file size, for example 4.2GB, instead of TYPE")
        ->type_name("SIZE");
    command->add_option("--save-plan", options->savePlanFile, "Save the plan to this file, for use with --plan")->type_name("FILE");
    command->add_flag("--budget-exact", options->budgetExact, "With --budget: measure all rows of every tensor instead of samples");
    command->add_flag("--keep-split", options->keepSplit, "Keep the split of the input: OUT-00001-of-0000N.gguf …");
    addSplitOptions(*command, options->split);
    addMixOptions(*command, *options);
    command->add_option("--prune-layers", options->pruneLayers, "Remove these layers and renumber the rest")->type_name("N,N,…");
    command->add_flag("--dry-run", options->dryRun, "Show the plan without writing anything");
    command->add_option("--report", options->reportFile, "Also write the JSON report to this file")->type_name("FILE.json");
    command->add_flag("--force", options->force, "Replace OUT and other output files that exist");
    command->add_flag("--restart", options->restart, "Start over instead of resuming an unfinished job");
    addTrustOptions(*command, options->verify, options->yes);
    command->add_flag("--compare", options->compare,
                      "Compare size and error of all quantization types (measured on samples) instead of writing OUT");
    command->add_option("--context", options->context, "With --compare: context length (default: 8192 or the model's maximum)")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
    command->add_option("--memory", options->memory, "With --compare: memory limit (default: this machine's memory)")
        ->type_name("SIZE");
    command->add_flag("--exact", options->exact, "With --compare: measure all rows instead of samples");
    command->footer(typesText());
    for (CLI::Option* option : command->get_options())
        if (option->get_type_size() > 0 && option->get_name() != "TYPE") option->check(checkNotEmpty);
    return {command,
            [options](const Context& context) { return quantize(context, *options); },
            {.reads = {"IN", "--plan", "--imatrix", "--tensor-type-file"}, .writes = {"--save-plan", "--report"}, .works = {"OUT"}},
            false,
            {{&options->in}}};
}

} // namespace wb::cli
