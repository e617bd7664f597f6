// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "core/memory/exports.h"
#include "core/memory/optimizers.h"

namespace wb::cli {
namespace {

void addInference(CLI::App& command, MemoryOptions& options) {
    memory::Settings& settings = options.settings;
    command.add_option("--context", options.context, "Tokens of all conversations; 8192 by default, or the model's where less")
        ->type_name("N");
    command
        .add_option("--kv", options.cacheTypes,
                    "Type of the cache, or of keys and values: f32 f16 bf16 q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl")
        ->type_name("K[,V]");
    command.add_option("--ubatch", settings.microBatch, "Tokens computed at once; 512 by default")->type_name("N");
    command.add_option("--parallel", settings.conversations, "Conversations at the same time; 1 by default")->type_name("N");
    command.add_flag("--kv-unified", settings.unified, "All conversations share one cache");
    command.add_option("--outputs", settings.outputs, "Rows of logits; 0: all of the batch; one a conversation by default")
        ->type_name("N");
    command.add_flag("--no-flash", options.noFlash, "Without flash attention");
    command.add_flag("--swa-full", settings.fullWindows, "Layers with a window keep every token");
    command.add_option("--gpu-layers", options.gpuLayers, "Layers on a graphics device: N or all; none by default")
        ->type_name("N|all");
    command
        .add_option("--type", options.type, "Weights as FP32 FP16 BF16 INT8 INT4 or any type of wb quantize; as stored by default")
        ->type_name("TYPE");
    command.add_flag("--mtp", settings.loadsPrediction, "Load the layers that predict further tokens");
    command
        .add_option("--cpu-experts", settings.cpuExperts, "The experts of so many first layers stay in main memory; 0 by default")
        ->type_name("N");
    command.add_option("--mmproj", options.projector, "What encodes pictures and sound: a file, or one of a hub")
        ->type_name("FILE");
    command.add_option("--lora", options.lora, "An adapter that is loaded beside the model: a file, or one of a hub")
        ->type_name("FILE");
    command
        .add_option("--draft", options.draft,
                    "What guesses ahead: a small model as a file, a size or a name; mtp: the model's own layers for it")
        ->type_name("WHAT");
    command.add_option("--draft-tokens", settings.draftTokens, "Tokens guessed at once; 2 by default")->type_name("N");
}

void addDevices(CLI::App& command, MemoryOptions& options) {
    command.add_flag("--columns", options.columns, "Every type and mix of this model");
    addRepeated(command, "--gpu", options.cards, "Whether this card holds it, instead of this machine (repeatable)")
        ->type_name("NAME");
    addRepeated(command, "--gpu-memory", options.cardMemories, "The same for a card with so much memory (repeatable)")
        ->type_name("SIZE");
    command
        .add_option(
            "--split", options.split,
            "With several --gpu and --gpu-layers: layers of each, the output counted as the last; by their memory by default")
        ->type_name("N,N");
    command.add_option("--reserve", options.reserve, "Memory that stays free for others; 512MiB by default, 1GiB with a display")
        ->type_name("SIZE");
}

void addRuntime(CLI::App& command, MemoryOptions& options) {
    command
        .add_option("--runtime", options.runtime,
                    "The program that runs it: weighbridge llama.cpp vllm transformers; llama.cpp by default")
        ->type_name("PROGRAM");
    command
        .add_option("--backend", options.backend,
                    "What computes: cpu vulkan cuda metal; all layers lie there unless --gpu-layers says less")
        ->type_name("BACKEND");
    command.add_option("--build", options.build, "Month of the build of llama.cpp, whose laws have changed; the newest by default")
        ->type_name("YYYY-MM");
    command.add_option("--utilization", options.settings.utilization, "Share of a device that vLLM takes; 0.9 by default")
        ->type_name("SHARE");
    command
        .add_option(
            "--measured", options.measured,
            "The log of a load by llama.cpp: its parts beside the estimate with its settings; later estimates for the device "
            "learn from it")
        ->type_name("FILE");
    command
        .add_option("--measured-csv", options.measuredCsv, "Write all measured loads to a file; - is stdout; no model is needed")
        ->type_name("FILE");
    command.add_flag("--clear-measured", options.clearMeasured, "Forget all measured loads; no model is needed");
}

void addTraining(CLI::App& command, MemoryOptions& options) {
    memory::TrainingSettings& training = options.training;
    command.add_option("--train", options.method, "Training instead of running: full lora qlora prompt prefix dpo")
        ->type_name("METHOD");
    command.add_option("--rank", training.rank, "Rank of the adapters; 16 by default")->type_name("R");
    command.add_option("--targets", options.targets, "Where adapters lie: attention or all; all by default")->type_name("WHERE");
    command.add_option("--base", options.base, "Type of the base: bf16 fp16 fp32 nf4 int8")->type_name("TYPE");
    command.add_flag("--double-quant", training.doubleQuantized, "The scales of nf4 are quantized again");
    command.add_flag("--dora", training.dora, "DoRA");
    command.add_flag("--rslora", training.rslora, "rsLoRA");
    command.add_option("--virtual-tokens", training.virtualTokens, "Of prompt and prefix tuning; 20 by default")->type_name("N");
    command.add_option("--dpo-reference", options.reference, "Reference of DPO: copy shared precomputed; shared by default")
        ->type_name("HOW");
    command.add_option("--sequence", training.sequence, "Tokens of a sequence; 2048 by default")->type_name("N");
    std::string names;
    for (const memory::Optimizer& optimizer : memory::optimizers()) names += std::string(" ") + optimizer.name;
    command.add_option("--optimizer", options.optimizer, "adamw by default; one of" + names)->type_name("NAME");
    command.add_flag("--grad-fp32", training.gradientsInFp32, "Gradients of full training are summed in 32 bits");
    CLI::Option* checkpointing =
        command.add_flag("--checkpointing", options.checkpointing, "Every layer is computed again on the way back; so by default");
    command.add_flag("--no-checkpointing", options.noCheckpointing, "Every layer keeps its activations")->excludes(checkpointing);
    CLI::Option* flash = command.add_flag("--flash", options.flash, "Flash attention; so by default");
    command.add_flag("--eager", options.eager, "Scores of attention are stored")->excludes(flash);
    command.add_flag("--ema", training.averages, "A running average of what is trained is kept");
    command.add_flag("--chunked-loss", training.chunkedLoss, "The loss is computed in chunks");
    command.add_option("--offload", options.offload, "What lies in main memory: none optimizer all; none by default")
        ->type_name("WHAT");
    command.add_option("--zero", training.zeroStage, "Stage of ZeRO: 0 to 3; 0 by default")->type_name("STAGE");
    command.add_option("--gpus", training.gpus, "GPUs; 1 by default")->type_name("N");
}

void addMemoryOptions(CLI::App& command, MemoryOptions& options) {
    command.add_option("WHAT", options.what, "A model file, folder or config.json, a size (7B, 8x7B, 235B-A22B) or a name");
    command
        .add_option("--shape", options.shape,
                    "Instead of WHAT: layers=32,hidden=4096,heads=32,kv-heads=8,head=128,ffn=14336,vocab=128256,experts=0,used=0,"
                    "tied=no")
        ->type_name("NUMBERS");
    command.add_option("--batch", options.batch, "Tokens submitted at once, 2048 by default; in training sequences, 1 by default")
        ->type_name("N");
    addInference(command, options);
    addDevices(command, options);
    addRuntime(command, options);
    addTraining(command, options);
    command
        .add_option("--export", options.exported,
                    "Write the settings for vllm, llama-server, ollama, llama-factory or axolotl to a file; - is stdout")
        ->type_name("PROGRAM FILE")
        ->expected(2);
}

} // namespace

Command addMemory(CLI::App& program) {
    auto options = std::make_shared<MemoryOptions>();
    CLI::App* command = program.add_subcommand("memory", "Show what a model needs in memory, part by part, and what holds it");
    addMemoryOptions(*command, *options);
    return {command,
            [options](const Context& context) { return memoryNeed(context, *options); },
            {.reads = {"WHAT", "--mmproj", "--lora", "--draft", "--measured"}, .writes = {"--measured-csv", "--export"}}};
}

} // namespace wb::cli
