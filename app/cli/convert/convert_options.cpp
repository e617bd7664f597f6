// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/commands.h"

namespace wb::cli {
namespace {

void addRunOptions(CLI::App& command, ConvertOptions& options) {
    command.add_flag("--dry-run", options.dryRun, "Show the plan without writing anything");
    command.add_option("--report", options.reportFile, "Also write the JSON report to this file")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    command.add_flag("--force", options.force, "Replace OUT and other output files that exist");
    command.add_flag("--restart", options.restart, "Start over instead of resuming an unfinished job");
}

// What `convert` and `merge` take for safetensors, and for sources of any type.
void addWeightOptions(CLI::App& command, ConvertOptions& options) {
    command.add_option("--to", options.to, "Output format: gguf, safetensors, huggingface or onnx (default: from the name of OUT)")
        ->type_name("FORMAT")
        ->check(checkNotEmpty);
    addSplitOptions(command, options.split);
    addRepeated(command, "--tensor", options.tensors, "Only tensors whose names match (repeatable)")->type_name("GLOB");
    addRepeated(command, "--rename", options.renames, "Replace matches in tensor names with TEXT (repeatable)")
        ->type_name("REGEX=TEXT");
    command.add_flag("--with-optimizer", options.withOptimizer,
                     "Of a training checkpoint also write what the optimizer keeps for each parameter");
    command.add_option("--metadata", options.metadataFile, "Add metadata entries from a JSON object")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addTrustOptions(command, options.verify, options.yes);
}

} // namespace

Command addConvert(CLI::App& program) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = program.add_subcommand(
        "convert", "Convert a Hugging Face folder to GGUF, any model to safetensors, or split and join GGUF files");
    command->add_option("IN", options->in, "Input model: a file or folder, or an ID or name in wb library")
        ->required()
        ->check(checkNotEmpty);
    command->add_option("OUT", options->out, "Output: a .gguf, .safetensors or .onnx file, or a folder")
        ->required()
        ->check(checkNotEmpty);
    addWeightOptions(*command, *options);
    command
        ->add_option("--type", options->type,
                     "auto (F16 or BF16, like the first matrix; default), F32, F16, BF16, or a type of wb quantize: Q4_K_M …")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    command
        ->add_option("--outtype", options->outType, "Same as in convert_hf_to_gguf.py: auto, f32, f16, bf16, q8_0, tq1_0 or tq2_0")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    command->add_option("--model-name", options->modelName, "Value of general.name (default: the folder name)")
        ->type_name("NAME")
        ->check(checkNotEmpty);
    command
        ->add_option("--pre", options->preTokenizer,
                     "Pre-tokenizer (tokenizer.ggml.pre), if that of tokenizer.json is not recognized")
        ->type_name("NAME")
        ->check(checkNotEmpty);
    command->add_option("--template", options->templateFile, "Read the chat template from this file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    addMixOptions(*command, options->mix);
    command->add_option("--plan", options->planFile, "Use a plan saved for this folder")->type_name("FILE")->check(checkNotEmpty);
    command->add_option("--save-plan", options->savePlanFile, "Save the plan to this file, for use with --plan")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_flag("--keep-quantized", options->keepQuantized,
                      "Keep MXFP4 and NVFP4 weights of a quantized folder; =no: dequantize them (default: yes)");
    command->add_flag("--vocab-only", options->vocabOnly, "Write only metadata and vocabulary, without tensors");
    command->add_flag("--modelfile", options->modelfile, "Also write an Ollama Modelfile next to OUT");
    command->add_flag("--run", options->runTool,
                      "With --to tensorrt, openvino, coreml, tflite or onnx-graph: run the tool instead of printing its command");
    command->add_option("--graph", options->graph, "Write the weights into this ONNX graph; OUT ends with .onnx")
        ->type_name("FILE.onnx")
        ->check(checkNotEmpty);
    command->add_option("--base", options->base, "Convert IN, an adapter of this base model, to a GGUF adapter")
        ->type_name("DIR")
        ->check(checkNotEmpty);
    addRepeated(*command, "--adapter", options->adapters, "Merge this adapter during conversion, as in wb merge (repeatable)")
        ->type_name("DIR[=SCALE]");
    addRunOptions(*command, *options);
    return {
        command,
        [options](const Context& context) { return convert(context, *options); },
        {.reads = {"IN", "--adapter", "--base", "--plan", "--metadata", "--template", "--imatrix", "--tensor-type-file", "--graph"},
         .writes = {"--save-plan", "--report"},
         .works = {"OUT"}},
        false,
        {{&options->in}}};
}

Command addMerge(CLI::App& program) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = program.add_subcommand("merge", "Merge LoRA adapters, or other models, into a base model");
    command->add_option("BASE", options->in, "Base model: a file or folder, or an ID or name in wb library")
        ->required()
        ->check(checkNotEmpty);
    command->add_option("OUT", options->out, "Output: a .gguf or .safetensors file, or a folder")->required()->check(checkNotEmpty);
    addRepeated(*command, "--adapter", options->adapters, "Adapter folder and scale (default: 1); repeatable, applied in order")
        ->type_name("DIR[=SCALE]");
    addMergeOptions(*command, options->merge);
    command->add_option("--plan", options->planFile, "Use a plan saved for this base model")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--save-plan", options->savePlanFile, "Save the plan to this file, for use with --plan")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--type", options->type, "Same as in wb convert: auto (default), F32, F16, BF16; for GGUF also Q4_K_M …")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    addWeightOptions(*command, *options);
    addRunOptions(*command, *options);
    return {command,
            [options](const Context& context) { return merge(context, *options); },
            {.reads = {"BASE", "--adapter", "--with", "--recipe", "--plan", "--metadata"},
             .writes = {"--save-plan", "--save-recipe", "--report"},
             .works = {"OUT"}},
            false,
            {{&options->in}}};
}

} // namespace wb::cli
