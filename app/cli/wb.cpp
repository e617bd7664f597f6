// SPDX-License-Identifier: MIT
#include "app/cli/wb.h"

#include "app/cli/convert/convert.h"
#include "app/cli/infer/devices.h"
#include "app/cli/hub/download.h"
#include "app/cli/infer/generate.h"
#include "app/cli/inspect/inspect.h"
#include "app/cli/interrupt.h"
#include "app/cli/library/library.h"
#include "app/cli/infer/logits.h"
#include "app/cli/infer/measure.h"
#include "app/cli/infer/memory.h"
#include "app/cli/convert/quantize.h"
#include "app/cli/inspect/scan.h"
#include "app/cli/hub/search.h"
#include "app/cli/infer/text_commands.h"
#include "app/cli/convert/unfinished.h"
#include "app/cli/user_folders.h"

#include "core/quant/mix/file_type.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/device/device_info.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <utility>

namespace wb::cli {
namespace {

struct Program {
    CLI::App app{"Weighbridge on the command line: opens any model file and weighs it.", "wb"};
    Context context;
    InspectOptions inspectOptions;
    ScanOptions scanOptions;
    QuantizeOptions quantizeOptions;
    ConvertOptions convertOptions;
    ConvertOptions mergeOptions;
    LogitsOptions logitsOptions;
    MemoryOptions memoryOptions;
    GenerateOptions generateOptions;
    ChatOptions chatOptions;
    BenchOptions benchOptions;
    PerplexityOptions perplexityOptions;
    TokenizeOptions tokenizeOptions;
    TemplateOptions templateOptions;
    UnfinishedOptions unfinishedOptions;
    LibraryOptions libraryOptions;
    SearchOptions searchOptions;
    DownloadOptions downloadOptions;
    std::function<int()> command;
};

// An empty word is mostly a variable of a script that is not set; taken for "not given" it would change the result silently.
std::string checkNotEmpty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

void addCommonOptions(CLI::App& app, Context& context) {
    app.add_flag("--json", context.json, "Print one JSON document on stdout and nothing else");
    app.add_flag("--quiet", context.quiet, "Show no progress");
    app.add_option("--log", context.log->path, "Append problems and failures to this file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
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
    command
        ->add_option("PATH", options.path,
                     "A model file, an index.json, a model's folder, or hf:owner/name[@rev][:file], ms:… on a hub")
        ->required();
    command->add_option("--tensor", options.tensorGlobs, "Only tensors with this name or pattern (repeatable)")
        ->type_name("NAME")
        ->expected(1)
        ->allow_extra_args(false) // what follows is another word of the command
        ->take_all();
    command->add_option("--filter", options.filter, "Only tensors that match, as in the window: 'dtype:bf16 size:>10M name:attn'")
        ->type_name("QUERY");
    command->add_flag("--stats", options.statistics, "Statistics over every element");
    command->add_flag("--sha256", options.hashes, "The sha256 of each tensor's values in their own type");
    command->add_option("--bins", options.bins, "Bins of the histogram, 1 to 65536; 256 by default")
        ->type_name("N")
        ->check(CLI::Range(1u, 65536u));
    const std::map<std::string, stats::Axis> axes = {{"row", stats::Axis::Row}, {"column", stats::Axis::Column}};
    command->add_option("--channels", options.channels, "Absmax and rms of every row or column")
        ->type_name("row|column")
        ->transform(CLI::Transformer(axes));
    command->add_option("--export", options.exportFile, "Write the one chosen tensor as an f32 .npy file")->type_name("FILE.npy");
    command->add_flag("--exit-code", options.tellsDamage,
                      "End with 4 where the file is damaged: cut short, or parts of it missing");
    command->callback([&program] { program.command = [&program] { return inspect(program.context, program.inspectOptions); }; });
}

void addScan(Program& program) {
    ScanOptions& options = program.scanOptions;
    CLI::App* command =
        program.app.add_subcommand("scan", "Show what loading a file elsewhere would run; exit 3 suspicious, 4 dangerous");
    addCommonOptions(*command, program.context);
    command->add_option("PATH", options.path, "A file or a folder")->required();
    command->add_option("--sarif", options.sarifFile, "Also write the findings as SARIF")->type_name("FILE")->check(checkNotEmpty);
    command->add_flag("--disassemble", options.disassembles, "List the opcodes of every pickle");
    command->callback([&program] { program.command = [&program] { return scan(program.context, program.scanOptions); }; });
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

// How tensors get their types, and what else of the new file is decided with them.
void addMixOptions(CLI::App& command, QuantizeOptions& options) {
    command.add_option("--imatrix", options.imatrix, "Importance matrix, GGUF or .dat")->type_name("FILE");
    command.add_flag("--pure", options.pure, "One type for all tensors instead of a mix");
    command.add_option("--tensor-type", options.tensorTypes, "Type for tensors whose name matches (repeatable, first match wins)")
        ->type_name("REGEX=TYPE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command.add_option("--tensor-type-file", options.tensorTypeFile, "More of these from a file, separated by white space")
        ->type_name("FILE");
    command.add_option("--output-type,--output-tensor-type", options.outputType, "Type of output.weight")->type_name("TYPE");
    command.add_flag("--leave-output-tensor", options.leaveOutput, "Copy output.weight as it is");
    command.add_option("--token-embedding-type", options.tokenEmbeddingType, "Type of token_embd.weight")->type_name("TYPE");
    command.add_flag("--allow-requantize", options.allowRequantize, "Accept tensors that are quantized already");
    command
        .add_option("--include-weights", options.includeWeights, "Use only importance data whose name contains this (repeatable)")
        ->type_name("TEXT")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command.add_option("--exclude-weights", options.excludeWeights, "Ignore importance data whose name contains this (repeatable)")
        ->type_name("TEXT")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command.add_option("--override-kv", options.overrides, "Set a pair of the new file; int, float, bool or str (repeatable)")
        ->type_name("KEY=KIND:VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
}

void addQuantize(Program& program) {
    QuantizeOptions& options = program.quantizeOptions;
    CLI::App* command = program.app.add_subcommand("quantize", "Make a smaller GGUF model: any type, the reference's bytes");
    addCommonOptions(*command, program.context);
    command->add_option("IN", options.in, "The GGUF model to read")->required();
    command->add_option("OUT", options.out, "The GGUF file to write");
    command->add_option("TYPE", options.type, "Q4_K_M, Q8_0, IQ4_XS … or COPY");
    command->add_option("--plan", options.planFile, "Instead of TYPE: a plan that was saved for this model")->type_name("FILE");
    command->add_option("--budget", options.budget, "Instead of TYPE: the best types for a file of this size, like 4.2GB")
        ->type_name("SIZE");
    command->add_option("--save-plan", options.savePlanFile, "Write the plan to this file, for --plan")->type_name("FILE");
    command->add_flag("--budget-exact", options.budgetExact, "With --budget: measure every row of every tensor, not samples");
    command->add_flag("--keep-split", options.keepSplit, "Write as many files as the model has, OUT-00001-of-0000N.gguf …");
    addMixOptions(*command, options);
    command->add_option("--prune-layers", options.pruneLayers, "Leave these layers out and renumber the others")
        ->type_name("N,N,…");
    command->add_flag("--dry-run", options.dryRun, "Show the plan and write nothing");
    command->add_option("--report", options.reportFile, "Also write the JSON document to this file")->type_name("FILE.json");
    command->add_flag("--force", options.force, "Replace OUT if it exists");
    command->add_flag("--restart", options.restart, "Begin anew instead of continuing an earlier run");
    command->add_flag("--compare", options.compare, "Instead of OUT and TYPE: what every mix takes and loses, measured on samples");
    command->add_option("--context", options.context, "With --compare: tokens; 8192 by default, at most the model's")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
    command->add_option("--memory", options.memory, "With --compare: what it must fit into, instead of this machine")
        ->type_name("SIZE");
    command->add_flag("--exact", options.exact, "With --compare: measure every row, not samples");
    command->footer(typesText());
    for (CLI::Option* option : command->get_options())
        if (option->get_type_size() > 0 && option->get_name() != "TYPE") option->check(checkNotEmpty);
    command->callback([&program] { program.command = [&program] { return quantize(program.context, program.quantizeOptions); }; });
}

void addRunOptions(CLI::App& command, ConvertOptions& options) {
    command.add_flag("--dry-run", options.dryRun, "Show the plan and write nothing");
    command.add_option("--report", options.reportFile, "Also write the JSON document to this file")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    command.add_flag("--force", options.force, "Replace OUT if it exists");
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
    command.add_option("--tensor", options.tensors, "Only tensors whose names match; repeatable")
        ->type_name("GLOB")
        ->check(checkNotEmpty);
    command.add_option("--rename", options.renames, "What matches in the names of tensors becomes the text; repeatable")
        ->type_name("REGEX=TEXT")
        ->check(checkNotEmpty);
    command.add_option("--metadata", options.metadataFile, "More entries of the metadata, a JSON object")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    command.add_option("--verify", options.verify, "What is computed again and compared: sample (default) or all")
        ->type_name("WHAT")
        ->check(checkNotEmpty);
    command.add_flag("--yes", options.yes, "Read the tensors of a file that would run unknown code elsewhere, without a question");
}

void addMerge(Program& program) {
    ConvertOptions& options = program.mergeOptions;
    CLI::App* command = program.app.add_subcommand("merge", "Add LoRA adapters to the weights of their base");
    addCommonOptions(*command, program.context);
    command->add_option("BASE", options.in, "The model that the adapters were made for")->required()->check(checkNotEmpty);
    command->add_option("OUT", options.out, "What to write: a .gguf or .safetensors file, or a folder")
        ->required()
        ->check(checkNotEmpty);
    command
        ->add_option("--adapter", options.adapters,
                     "An adapter's folder and how much of it is added (1); repeatable, in this order")
        ->type_name("DIR[=SCALE]")
        ->check(checkNotEmpty);
    command->add_option("--with", options.models)->group(""); // known, so that it is refused by its name
    command->add_option("--method", options.method)->group("");
    command->add_option("--plan", options.planFile, "A plan that was saved for this base")->type_name("FILE")->check(checkNotEmpty);
    command->add_option("--save-plan", options.savePlanFile, "Write the plan to this file, for --plan")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--type", options.type, "As convert has it: auto (default), F32, F16, BF16; of GGUF Q4_K_M … too")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    addWeightOptions(*command, options);
    addRunOptions(*command, options);
    command->callback([&program] { program.command = [&program] { return merge(program.context, program.mergeOptions); }; });
}

void addConvert(Program& program) {
    ConvertOptions& options = program.convertOptions;
    CLI::App* command =
        program.app.add_subcommand("convert", "Make a GGUF file of a Hugging Face folder, or safetensors of any tensors");
    addCommonOptions(*command, program.context);
    command->add_option("IN", options.in, "The model to read")->required()->check(checkNotEmpty);
    command->add_option("OUT", options.out, "What to write: a .gguf or .safetensors file, or a folder")
        ->required()
        ->check(checkNotEmpty);
    addWeightOptions(*command, options);
    command
        ->add_option("--type", options.type,
                     "auto (default: F16 or BF16 as the first matrix is), F32, F16, BF16, or what quantize takes: Q4_K_M …")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    command
        ->add_option("--outtype", options.outType, "As the reference converter has it: auto, f32, f16, bf16, q8_0, tq1_0 or tq2_0")
        ->type_name("TYPE")
        ->check(checkNotEmpty);
    command->add_option("--model-name", options.modelName, "general.name; from the folder's name by default")
        ->type_name("NAME")
        ->check(checkNotEmpty);
    command->add_option("--pre", options.preTokenizer, "tokenizer.ggml.pre, where the rule of tokenizer.json is not known")
        ->type_name("NAME")
        ->check(checkNotEmpty);
    command->add_option("--template", options.templateFile, "tokenizer.chat_template from this file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    addMixOptions(*command, options.mix);
    command->add_option("--plan", options.planFile, "A plan that was saved for this folder")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--save-plan", options.savePlanFile, "Write the plan to this file, for --plan")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_flag("--vocab-only", options.vocabOnly, "Only the pairs and the vocabulary, no tensors");
    command->add_flag("--modelfile", options.modelfile, "Also write an Ollama Modelfile beside OUT");
    command->add_option("--base", options.base, "IN is an adapter of this folder, and becomes a GGUF adapter")
        ->type_name("DIR")
        ->check(checkNotEmpty);
    command->add_option("--adapter", options.adapters, "An adapter that is merged on the way, as merge does; repeatable")
        ->type_name("DIR[=SCALE]")
        ->check(checkNotEmpty);
    addRunOptions(*command, options);
    command->callback([&program] { program.command = [&program] { return convert(program.context, program.convertOptions); }; });
}

void addGpuLayers(CLI::App& command, std::string& layers) {
    command.add_option("--gpu-layers", layers, "Layers on the graphics device, counted from the last; the output is one; or all")
        ->type_name("N|all")
        ->check(checkNotEmpty);
}

void addLogits(Program& program) {
    LogitsOptions& options = program.logitsOptions;
    CLI::App* command = program.app.add_subcommand("logits", "Write what a model expects after given tokens, as f32");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL", options.model, "A GGUF model")->required();
    command->add_option("--tokens", options.tokens, "The ids, separated by commas; none is added")
        ->type_name("N,N,…")
        ->delimiter(',')
        ->required()
        ->check(checkNotEmpty);
    command->add_flag("--all", options.all, "All positions instead of the last");
    command
        ->add_option("--prefill", options.prefill, "Evaluate so many tokens at once, the rest one by one; all at once by default")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command->add_option("--out", options.out, "The file to write: [positions, vocabulary] f32, little endian")
        ->type_name("FILE.f32")
        ->required()
        ->check(checkNotEmpty);
    command->add_option("--hidden", options.hidden, "Also write the hidden states: [layers + 1, positions, width] f32")
        ->type_name("FILE.f32")
        ->check(checkNotEmpty);
    addGpuLayers(*command, options.gpuLayers);
    command->callback([&program] { program.command = [&program] { return logits(program.context, program.logitsOptions); }; });
}

void addSampling(CLI::App& command, AnswerOptions& options) {
    command.add_option("--temperature", options.temperature, "0: always the best token")->type_name("T");
    command.add_option("--top-k", options.topK, "Choose among so many; 0: all")->type_name("N");
    command.add_option("--top-p", options.topP, "Choose among the first tokens with this share")->type_name("P");
    command.add_option("--min-p", options.minP, "Leave out tokens below this part of the best one's share")->type_name("P");
    command.add_option("--typical", options.typicalP, "Choose among tokens of typical surprise with this share")->type_name("P");
    command.add_option("--repeat-penalty", options.repeatPenalty, "1: none")->type_name("X");
    command.add_option("--repeat-last-n", options.repeatLast, "Tokens the penalties look at; -1: all")
        ->type_name("N")
        ->check(CLI::Range(-1, 1 << 30));
    command.add_option("--presence-penalty", options.presencePenalty, "0: none")->type_name("X");
    command.add_option("--frequency-penalty", options.frequencyPenalty, "0: none")->type_name("X");
    command.add_option("--dry-multiplier", options.dryMultiplier, "How much repeating a stretch of text costs; 0: nothing")
        ->type_name("X");
    command.add_option("--dry-base", options.dryBase, "… to the power of the length beyond --dry-allowed")->type_name("X");
    command.add_option("--dry-allowed", options.dryAllowed, "Tokens that may be repeated freely")->type_name("N");
    command.add_option("--dry-last-n", options.dryLast, "Tokens that DRY looks at; -1: all")
        ->type_name("N")
        ->check(CLI::Range(-1, 1 << 30));
    command.add_option("--xtc-probability", options.xtcProbability, "How often the best tokens are left out")->type_name("P");
    command.add_option("--xtc-threshold", options.xtcThreshold, "… those with at least this share, but one")->type_name("P");
    command.add_option("--mirostat", options.mirostat, "Hold the surprise of the text, with version 1 or 2")
        ->type_name("1|2")
        ->check(CLI::Range(1, 2));
    command.add_option("--mirostat-tau", options.mirostatTau, "… at so many bits")->type_name("X");
    command.add_option("--mirostat-eta", options.mirostatEta, "… correcting it by this part")->type_name("X");
    command.add_option("--adaptive-target", options.adaptiveTarget, "Draw tokens with about this probability; negative: off")
        ->type_name("P");
    command.add_option("--adaptive-decay", options.adaptiveDecay, "… of which so much of the past counts")->type_name("P");
    command.add_option("--logit-bias", options.logitBias, "Add V to the logit of a token (repeatable)")
        ->type_name("ID=V")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command.add_option("--seed", options.seed, "The same seed draws the same text; another each run by default")->type_name("N");
}

void addCacheTypes(CLI::App& command, std::string& types) {
    command.add_option("--kv", types, "Types of cached keys and values: f16 (by default), f32 or q8_0")
        ->type_name("K[,V]")
        ->check(checkNotEmpty);
}

void addAnswer(CLI::App& command, AnswerOptions& options) {
    command.add_option("--max-tokens", options.maxTokens, "End an answer after so many; to the end of the context by default")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command.add_option("--context", options.context, "Tokens of prompt and answer together; the model's by default, 8192 at most")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command.add_option("--reasoning-budget", options.reasoningBudget, "End the reasoning after so many tokens, and answer")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{0}, std::size_t{0xffff'ffff}));
    command.add_option("--stop", options.stopStrings, "End before this text (repeatable)")
        ->type_name("TEXT")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    CLI::Option* const grammar = command.add_option("--grammar", options.grammar, "Allow only texts of this grammar, in GBNF")
                                     ->type_name("FILE.gbnf")
                                     ->check(checkNotEmpty);
    command.add_option("--json-schema", options.jsonSchema, "Allow only JSON values of this schema")
        ->type_name("FILE.json")
        ->check(checkNotEmpty)
        ->excludes(grammar);
    addCacheTypes(command, options.cacheTypes);
    addGpuLayers(command, options.gpuLayers);
    command.add_flag("--ignore-eos", options.ignoreEnd, "Go on where the model would end");
    command.add_flag("--no-remember", options.forgetsLoad, "Do not remember for wb memory what the load took of the memory");
    addSampling(command, options);
}

void addGenerate(Program& program) {
    GenerateOptions& options = program.generateOptions;
    CLI::App* command = program.app.add_subcommand("generate", "Continue a text or a conversation with a GGUF model");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL", options.model, "A GGUF model")->required();
    command->add_option("--prompt", options.prompt, "The text to continue")->type_name("TEXT");
    command->add_option("--messages", options.messages, "The conversation to answer, as template takes it")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addAnswer(*command, options.answer);
    command->callback([&program] { program.command = [&program] { return generate(program.context, program.generateOptions); }; });
}

void addChat(Program& program) {
    ChatOptions& options = program.chatOptions;
    CLI::App* command = program.app.add_subcommand("chat", "Talk with a GGUF model; /help there tells the commands");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL", options.model, "A GGUF model")->required();
    command->add_option("--system", options.system, "What the model is told before the conversation")->type_name("TEXT");
    command->add_option("--load", options.load, "Go on with a saved conversation")->type_name("FILE.json")->check(checkNotEmpty);
    command->add_option("--save", options.save, "Write the conversation when it ends")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addAnswer(*command, options.answer);
    command->callback([&program] { program.command = [&program] { return chat(program.context, program.chatOptions); }; });
}

void addPerplexity(Program& program) {
    PerplexityOptions& options = program.perplexityOptions;
    CLI::App* command = program.app.add_subcommand("perplexity", "Measure how well a GGUF model expects a text");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL", options.model, "A GGUF model")->required();
    command->add_option("--file", options.text, "The text")->type_name("TEXT")->required()->check(checkNotEmpty);
    command->add_option("--context", options.context, "Tokens of a window; 512 by default, or those of --base-logits")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{4}, std::size_t{1} << 24));
    command->add_option("--save-logits", options.save, "Write what the model expects, as llama-perplexity does")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--base-logits", options.base, "Tell how far the model is from such a file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    addCacheTypes(*command, options.cacheTypes);
    addGpuLayers(*command, options.gpuLayers);
    command->callback(
        [&program] { program.command = [&program] { return perplexity(program.context, program.perplexityOptions); }; });
}

void addBench(Program& program) {
    infer::BenchmarkOptions& options = program.benchOptions.benchmark;
    const auto tokens = CLI::Range(std::size_t{0}, std::size_t{1} << 24);
    CLI::App* command = program.app.add_subcommand("bench", "Measure how fast a GGUF model reads and writes");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL", program.benchOptions.model, "A GGUF model")->required();
    command->add_option("--prompt", options.prompt, "Tokens to read at once; 512 by default")->type_name("N")->check(tokens);
    command->add_option("--generate", options.generate, "Tokens to write; 128 by default")->type_name("N")->check(tokens);
    command->add_option("--repeat", options.repeat, "Times that count, after one that does not; 5 by default")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100'000}));
    command->add_option("--depth", options.depth, "Tokens in the cache before; none by default")->type_name("N")->check(tokens);
    addCacheTypes(*command, program.benchOptions.cacheTypes);
    addGpuLayers(*command, program.benchOptions.gpuLayers);
    command->callback([&program] { program.command = [&program] { return bench(program.context, program.benchOptions); }; });
}

void addTokenize(Program& program) {
    TokenizeOptions& options = program.tokenizeOptions;
    CLI::App* command = program.app.add_subcommand("tokenize", "Show the tokens of a text, or the text of tokens");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL", options.model, "A GGUF model, with or without tensors")->required();
    command->add_option("--text", options.text, "The text")->type_name("TEXT");
    command->add_option("--file", options.file, "A file that is the text")->type_name("FILE")->check(checkNotEmpty);
    command->add_flag("--stdin-json", options.fromStdin,
                      "Read a JSON array of texts; print the ids of each, without and with special tokens");
    command->add_option("--detokenize", options.detokenize, "Ids, separated by commas, to turn into text")
        ->type_name("N,N,…")
        ->delimiter(',');
    command->add_option("--pre", options.pre, "Cut the text as this pre-tokenizer does, whatever the file says")->type_name("NAME");
    command->add_flag("--no-special", options.noSpecial, "Add no BOS or EOS and recognise no control tokens in the text");
    command->add_flag("--special", options.showSpecial, "With --detokenize: show control tokens");
    command->callback([&program] { program.command = [&program] { return tokenize(program.context, program.tokenizeOptions); }; });
}

void addTemplate(Program& program) {
    TemplateOptions& options = program.templateOptions;
    CLI::App* command = program.app.add_subcommand("template", "Render a chat template with a conversation");
    addCommonOptions(*command, program.context);
    command->add_option("MODEL_OR_FILE", options.source, "A GGUF model with a template, or a file that is the template")
        ->required();
    command->add_option("--messages", options.messages, "The conversation, or an array of them, in JSON")
        ->type_name("FILE.json")
        ->required()
        ->check(checkNotEmpty);
    command->callback(
        [&program] { program.command = [&program] { return renderTemplate(program.context, program.templateOptions); }; });
}

void addMemory(Program& program) {
    CLI::App* command = program.app.add_subcommand("memory", "Show what a model needs in memory, part by part, and what holds it");
    addCommonOptions(*command, program.context);
    addMemoryOptions(*command, program.memoryOptions);
    command->callback([&program] { program.command = [&program] { return memoryNeed(program.context, program.memoryOptions); }; });
}

void addDevices(Program& program) {
    CLI::App* command = program.app.add_subcommand("devices", "List what can compute here: the CPU and every Vulkan device");
    addCommonOptions(*command, program.context);
    command->callback([&program] { program.command = [&program] { return devices(program.context); }; });
}

void addLibrary(Program& program) {
    LibraryOptions& options = program.libraryOptions;
    CLI::App* command = program.app.add_subcommand("library", "List, verify or remove the models in the stores of this computer");
    addCommonOptions(*command, program.context);
    command->add_option("ACTION", options.action, "list (default), verify or remove")
        ->check(CLI::IsMember({"list", "verify", "remove"}));
    command->add_option("ID", options.ids, "Models as list names them; verify takes all by default");
    command->add_option("--filter", options.filter, "Only models that have all these words in name, type, architecture or store")
        ->type_name("WORDS");
    command->add_flag("--duplicates", options.findDuplicates, "Hash files of equal size, and name the models that are equal");
    command->add_option("--store", options.stores, "One more folder: hf=/cache, ollama=/models, folder=/mnt/disk (repeatable)")
        ->type_name("KIND=PATH")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_flag("--yes", options.confirmed, "With remove: do it; without, only what would go is shown");
    command->callback([&program] { program.command = [&program] { return library(program.context, program.libraryOptions); }; });
}

void addUnfinished(Program& program) {
    UnfinishedOptions& options = program.unfinishedOptions;
    CLI::App* command =
        program.app.add_subcommand("unfinished", "List the runs that were begun and have not ended, or discard one");
    addCommonOptions(*command, program.context);
    command->add_option("--discard", options.discard, "Remove what the run to this file has written so far")
        ->type_name("TARGET")
        ->check(checkNotEmpty);
    command->callback(
        [&program] { program.command = [&program] { return unfinished(program.context, program.unfinishedOptions); }; });
}

// A word of the user that may be given several times.
CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& words, const std::string& help) {
    return command.add_option(name, words, help)->expected(1)->allow_extra_args(false)->take_all()->check(checkNotEmpty);
}

void addNetworkOptions(CLI::App& command, NetworkChoice& choice) {
    command.add_flag("--offline", choice.isOffline, "Make no connection at all");
    command.add_option("--proxy", choice.proxy, "http://host:port or socks5://host:port instead of the system's proxy")
        ->type_name("URL")
        ->check(checkNotEmpty);
    command.add_option("--ca", choice.certificates, "Trust the authorities in this file too, PEM")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command.add_flag("--send-token", choice.sendToken, "Send the token also to an endpoint that is not the hub itself");
    command.add_option("--retries", choice.retries, "Attempts after a failure; 5 by default")
        ->type_name("N")
        ->check(CLI::Range(0u, 100u));
}

void addSearch(Program& program) {
    SearchOptions& options = program.searchOptions;
    CLI::App* command = program.app.add_subcommand("search", "Find models on Hugging Face and ModelScope");
    addCommonOptions(*command, program.context);
    command->add_option("TEXT", options.text, "Words of the model's name")->required();
    command->add_option("--hub", options.hub, "Where: hf, ms or all")->type_name("HUB")->check(CLI::IsMember({"hf", "ms", "all"}));
    command->add_option("--author", options.author, "Only of this user or organization")->type_name("A");
    addRepeated(*command, "--filter", options.filters, "Only with this tag: gguf, safetensors, a language (repeatable)")
        ->type_name("TAG");
    command->add_option("--task", options.task, "Only for this task, as text-generation")->type_name("T");
    command->add_option("--license", options.licence, "Only under this licence, as apache-2.0")->type_name("L");
    command->add_option("--gated", options.gated, "Only with terms to accept, or only without")
        ->type_name("yes|no")
        ->check(CLI::IsMember({"yes", "no"}));
    command->add_option("--params", options.params, "Only with so many parameters, as 6B-14B")->type_name("RANGE");
    command->add_option("--quant", options.quant, "Only with a file of this type, as Q4_K_M; ModelScope's list names no files")
        ->type_name("TYPE");
    command->add_option("--capability", options.capability, "Only what its publisher calls so")
        ->type_name("C")
        ->check(CLI::IsMember({"vision", "tools", "reasoning", "code", "embedding"}));
    command->add_option("--sort", options.sort, "downloads, likes, updated, created or trending")
        ->type_name("S")
        ->check(CLI::IsMember({"downloads", "likes", "updated", "created", "trending"}));
    command->add_option("--limit", options.limit, "Results of each hub; 20 by default")
        ->type_name("N")
        ->check(CLI::Range(1u, 3000u));
    addNetworkOptions(*command, options.network);
    command->callback([&program] { program.command = [&program] { return search(program.context, program.searchOptions); }; });
}

void addDownload(Program& program) {
    DownloadOptions& options = program.downloadOptions;
    CLI::App* command = program.app.add_subcommand("download", "Fetch models from Hugging Face and ModelScope, and lose nothing");
    addCommonOptions(*command, program.context);
    command->add_option("ID", options.id, "hf:owner/name or ms:owner/name, with @revision behind it where one is meant")
        ->required();
    command->add_option("FILES", options.files, "Only these files: paths or patterns; all by default");
    addRepeated(*command, "--include", options.include, "Only files that match (repeatable)")->type_name("GLOB");
    addRepeated(*command, "--exclude", options.exclude, "No files that match (repeatable)")->type_name("GLOB");
    command->add_option("--revision", options.revision, "Branch, tag or commit")->type_name("R")->check(checkNotEmpty);
    command->add_option("--to", options.to, "Into this folder instead of the user's folder of models")
        ->type_name("DIR")
        ->check(checkNotEmpty);
    command->add_option("--cache", options.cache, "Into the cache of huggingface_hub (hf) or modelscope (ms)")
        ->type_name("hf|ms")
        ->check(CLI::IsMember({"hf", "ms"}));
    addRepeated(*command, "--alternate", options.alternates, "Where files of the same SHA-256 are, too (repeatable)")
        ->type_name("ID");
    command->add_option("--connections", options.connections, "Connections for one file; 8 by default")
        ->type_name("N")
        ->check(CLI::Range(1u, 16u));
    command->add_option("--limit-rate", options.limitRate, "Bytes a second, as 5MB")->type_name("RATE")->check(checkNotEmpty);
    command->add_flag("--dry-run", options.isDryRun, "Show what would be fetched, and whether the disk holds it");
    addNetworkOptions(*command, options.network);
    command->callback([&program] { program.command = [&program] { return download(program.context, program.downloadOptions); }; });
}

// CLI11 prints several lines for a wrong command line; the contract is one sentence and status 2.
int parseFailure(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    const auto commands = app.get_subcommands();
    const std::string command = commands.empty() ? "wb" : "wb " + commands.front()->get_name();
    return refuseUsage(fmt::format("{}. Run {} --help to see how it is used.", error.what(), command));
}

bool isUnknownCommand(const CLI::App& app, std::string_view word) {
    return !word.starts_with('-') &&
           app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; }).empty();
}

// Letters to add, remove or change until `from` is `to`.
std::size_t editsBetween(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t changed = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

int refuseCommand(const CLI::App& app, std::string_view word) {
    std::string nearest;
    std::size_t fewest = 3; // more than two slips of the hand are another word
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (const std::size_t edits = editsBetween(word.substr(0, 64), command->get_name()); edits < fewest) {
            fewest = edits;
            nearest = command->get_name();
        }
    return refuseUsage(fmt::format("{} is no command of this program{} Run wb --help to see those it has.", word,
                                   nearest.empty() ? "." : fmt::format("; did you mean wb {}?", nearest)));
}

// `wb help` is `wb --help`, and `wb help inspect` is `wb inspect --help`.
std::vector<std::string> wordsOf(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
    if (words.empty() || words[0] != "help") return words;
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.emplace_back("--help");
    return words;
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
        return refuse(context, outOfMemory());
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
    addScan(program);
    addQuantize(program);
    addConvert(program);
    addMerge(program);
    addLogits(program);
    addGenerate(program);
    addChat(program);
    addPerplexity(program);
    addBench(program);
    addTokenize(program);
    addTemplate(program);
    addMemory(program);
    addLibrary(program);
    addSearch(program);
    addDownload(program);
    addUnfinished(program);
    addDevices(program);
    std::vector<std::string> words = wordsOf(argc, argv);
    if (!words.empty() && isUnknownCommand(program.app, words[0])) return refuseCommand(program.app, words[0]);
    std::ranges::reverse(words); // as CLI11 takes them
    try {
        program.app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return parseFailure(program.app, error);
    }
    if (const char* level = std::getenv("WEIGHBRIDGE_SIMD"); level != nullptr && !quant::chooseSimd(level))
        return refuseUsage("WEIGHBRIDGE_SIMD must be scalar or an instruction set that wb devices names.");
    return runCommand(program);
}

} // namespace wb::cli
