// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/commands.h"

namespace wb::cli {
namespace {

void addRunOptions(CLI::App& command, ConvertOptions& options) {
    command.add_flag("--dry-run", options.dryRun, "Show the plan and write nothing");
    command.add_option("--report", options.reportFile, "Also write the JSON document to this file")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    command.add_flag("--force", options.force, "Replace OUT and other output files that exist");
    command.add_flag("--restart", options.restart, "Begin anew instead of continuing an earlier run");
}

// What `convert` and `merge` take for safetensors, and for sources of every kind.
void addWeightOptions(CLI::App& command, ConvertOptions& options) {
    command.add_option("--to", options.to, "gguf, safetensors or huggingface; by the name of OUT by default")
        ->type_name("FORMAT")
        ->check(checkNotEmpty);
    command.add_option("--shard-size", options.shardSize, "How large a file may be: 5GB (default of folders), 300M, none")
        ->type_name("SIZE")
        ->check(checkNotEmpty);
    command.add_option("--max-tensors", options.maxTensors, "How many tensors a file may have")->type_name("N");
    addRepeated(command, "--tensor", options.tensors, "Only tensors whose names match; repeatable")->type_name("GLOB");
    addRepeated(command, "--rename", options.renames, "What matches in the names of tensors becomes the text; repeatable")
        ->type_name("REGEX=TEXT");
    command.add_option("--metadata", options.metadataFile, "More entries of the metadata, a JSON object")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addTrustOptions(command, options.verify, options.yes);
}

} // namespace

Command addConvert(CLI::App& program) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command =
        program.add_subcommand("convert", "Make a GGUF file of a Hugging Face folder, or safetensors of any tensors");
    command->add_option("IN", options->in, "The model to read")->required()->check(checkNotEmpty);
    command->add_option("OUT", options->out, "What to write: a .gguf or .safetensors file, or a folder")
        ->required()
        ->check(checkNotEmpty);
    addWeightOptions(*command, *options);
    command
        ->add_option("--type", options->type,
                     "auto (default: F16 or BF16 as the first matrix is), F32, F16, BF16, or what quantize takes: Q4_K_M …")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    command
        ->add_option("--outtype", options->outType, "As the reference converter has it: auto, f32, f16, bf16, q8_0, tq1_0 or tq2_0")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    command->add_option("--model-name", options->modelName, "general.name; from the folder's name by default")
        ->type_name("NAME")
        ->check(checkNotEmpty);
    command->add_option("--pre", options->preTokenizer, "tokenizer.ggml.pre, where the rule of tokenizer.json is not known")
        ->type_name("NAME")
        ->check(checkNotEmpty);
    command->add_option("--template", options->templateFile, "tokenizer.chat_template from this file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    addMixOptions(*command, options->mix);
    command->add_option("--plan", options->planFile, "A plan that was saved for this folder")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--save-plan", options->savePlanFile, "Write the plan to this file, for --plan")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_flag("--vocab-only", options->vocabOnly, "Only the pairs and the vocabulary, no tensors");
    command->add_flag("--modelfile", options->modelfile, "Also write an Ollama Modelfile beside OUT");
    command->add_option("--base", options->base, "IN is an adapter of this folder, and becomes a GGUF adapter")
        ->type_name("DIR")
        ->check(checkNotEmpty);
    addRepeated(*command, "--adapter", options->adapters, "An adapter that is merged on the way, as merge does; repeatable")
        ->type_name("DIR[=SCALE]");
    addRunOptions(*command, *options);
    return {command,
            [options](const Context& context) { return convert(context, *options); },
            {.reads = {"IN", "--adapter", "--base", "--plan", "--metadata", "--template", "--imatrix", "--tensor-type-file"},
             .writes = {"--save-plan", "--report"},
             .works = {"OUT"}}};
}

Command addMerge(CLI::App& program) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = program.add_subcommand("merge", "Add LoRA adapters to the weights of their base");
    command->add_option("BASE", options->in, "The model that the adapters were made for")->required()->check(checkNotEmpty);
    command->add_option("OUT", options->out, "What to write: a .gguf or .safetensors file, or a folder")
        ->required()
        ->check(checkNotEmpty);
    addRepeated(*command, "--adapter", options->adapters,
                "An adapter's folder and how much of it is added (1); repeatable, in this order")
        ->type_name("DIR[=SCALE]");
    command->add_option("--with", options->models)->group(""); // known, so that it is refused by its name
    command->add_option("--method", options->method)->group("");
    command->add_option("--plan", options->planFile, "A plan that was saved for this base")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--save-plan", options->savePlanFile, "Write the plan to this file, for --plan")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--type", options->type, "As convert has it: auto (default), F32, F16, BF16; of GGUF Q4_K_M … too")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    addWeightOptions(*command, *options);
    addRunOptions(*command, *options);
    return {command,
            [options](const Context& context) { return merge(context, *options); },
            {.reads = {"BASE", "--adapter", "--with", "--plan", "--metadata"},
             .writes = {"--save-plan", "--report"},
             .works = {"OUT"}}};
}

} // namespace wb::cli
