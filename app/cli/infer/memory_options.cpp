// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "core/hub/repository.h"
#include "core/memory/exports.h"
#include "core/memory/training/optimizers.h"

namespace wb::cli {
namespace {

void addInference(CLI::App& command, MemoryOptions& options) {
    memory::Settings& settings = options.settings;
    command
        .add_option("--context", options.context, "Context length, total of all sequences (default: 8192 or the model's maximum)")
        ->type_name("N");
    command.add_option("--kv", options.cacheTypes, "KV cache type, or K and V types: f32 f16 bf16 q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl")
        ->type_name("K[,V]");
    command.add_option("--ubatch", settings.microBatch, "Micro-batch size (ubatch) in tokens (default: 512)")->type_name("N");
    command.add_option("--parallel", settings.conversations, "Number of parallel sequences (default: 1)")->type_name("N");
    command.add_flag("--kv-unified", settings.unified, "Use one unified KV cache for all sequences");
    command.add_option("--outputs", settings.outputs, "Number of logits rows (0: whole batch; default: one per sequence)")
        ->type_name("N");
    command.add_flag("--no-flash", options.noFlash, "Disable flash attention");
    command.add_flag("--swa-full", settings.fullWindows, "Use a full-size KV cache for sliding-window layers");
    command.add_option("--gpu-layers", options.gpuLayers, "Number of layers to offload to GPUs: N or all (default: 0)")
        ->type_name("N|all");
    command
        .add_option("--type", options.type, "Weight type: FP32 FP16 BF16 INT8 INT4 or any type of wb quantize (default: as stored)")
        ->type_name("TYPE");
    command.add_flag("--mtp", settings.loadsPrediction, "Load the multi-token prediction (MTP) layers");
    command.add_option("--cpu-experts", settings.cpuExperts, "Keep the experts of the first N layers in RAM (default: 0)")
        ->type_name("N");
    command.add_option("--mmproj", options.projector, "Multimodal projector (mmproj): a file or hub ID")->type_name("FILE");
    command.add_option("--lora", options.lora, "LoRA adapter to load with the model: a file or hub ID")->type_name("FILE");
    command
        .add_option("--draft", options.draft,
                    "Draft model for speculative decoding: a file, size or name; mtp uses the model's own MTP layers")
        ->type_name("WHAT");
    command.add_option("--draft-tokens", settings.draftTokens, "Number of draft tokens (default: 2)")->type_name("N");
}

void addDevices(CLI::App& command, MemoryOptions& options) {
    command.add_flag("--columns", options.columns, "List all quantization types of this model");
    addRepeated(command, "--gpu", options.cards, "Check whether the model fits on this GPU, instead of this machine (repeatable)")
        ->type_name("NAME");
    addRepeated(command, "--gpu-memory", options.cardMemories, "The same for a GPU with this much memory (repeatable)")
        ->type_name("SIZE");
    command
        .add_option("--split", options.split,
                    "With several --gpu and --gpu-layers: number of layers per GPU, including the output layer (default: "
                    "proportional to memory)")
        ->type_name("N,N");
    command.add_option("--reserve", options.reserve, "Memory to keep free (default: 512MiB, 1GiB with a display attached)")
        ->type_name("SIZE");
}

void addRuntime(CLI::App& command, MemoryOptions& options) {
    command.add_option("--runtime", options.runtime, "Runtime: weighbridge llama.cpp vllm transformers (default: llama.cpp)")
        ->type_name("PROGRAM");
    command
        .add_option("--backend", options.backend, "Backend: cpu vulkan cuda metal; runs all layers unless --gpu-layers is smaller")
        ->type_name("BACKEND");
    command.add_option("--build", options.build, "Build month of llama.cpp, whose memory use differs by version (default: latest)")
        ->type_name("YYYY-MM");
    command.add_option("--utilization", options.settings.utilization, "Fraction of GPU memory that vLLM uses (default: 0.9)")
        ->type_name("SHARE");
    command
        .add_option("--measured", options.measured,
                    "Load log of llama.cpp: compare it with the estimate, and calibrate later estimates for the device")
        ->type_name("FILE");
    command.add_option("--measured-csv", options.measuredCsv, "Export all measurements to a CSV file (-: stdout); needs no model")
        ->type_name("FILE");
    command.add_flag("--clear-measured", options.clearMeasured, "Delete all measurements; needs no model");
}

void addTraining(CLI::App& command, MemoryOptions& options) {
    memory::TrainingSettings& training = options.training;
    command.add_option("--train", options.method, "Estimate training instead of inference: full lora qlora prompt prefix dpo")
        ->type_name("METHOD");
    command.add_option("--rank", training.rank, "LoRA rank (default: 16)")->type_name("R");
    command.add_option("--targets", options.targets, "Target modules: attention or all linear layers (default: all)")
        ->type_name("WHERE");
    command.add_option("--base", options.base, "Base model type: bf16 fp16 fp32 nf4 int8")->type_name("TYPE");
    command.add_flag("--double-quant", training.doubleQuantized, "Use double quantization (nf4 only)");
    command.add_flag("--dora", training.dora, "Use DoRA");
    command.add_flag("--rslora", training.rslora, "Use rsLoRA");
    command.add_option("--virtual-tokens", training.virtualTokens, "Virtual tokens for prompt and prefix tuning (default: 20)")
        ->type_name("N");
    command.add_option("--dpo-reference", options.reference, "DPO reference model: copy shared precomputed (default: shared)")
        ->type_name("HOW");
    command.add_option("--sequence", training.sequence, "Sequence length in tokens (default: 2048)")->type_name("N");
    std::string names;
    for (const memory::Optimizer& optimizer : memory::optimizers()) names += std::string(" ") + optimizer.name;
    command.add_option("--optimizer", options.optimizer, "adamw by default; one of" + names)->type_name("NAME");
    command.add_flag("--grad-fp32", training.gradientsInFp32, "Accumulate gradients in FP32 (full fine-tuning)");
    CLI::Option* checkpointing = command.add_flag("--checkpointing", options.checkpointing, "Use gradient checkpointing (default)");
    command.add_flag("--no-checkpointing", options.noCheckpointing, "Disable gradient checkpointing")->excludes(checkpointing);
    CLI::Option* flash = command.add_flag("--flash", options.flash, "Use flash attention (default)");
    command.add_flag("--eager", options.eager, "Use eager attention")->excludes(flash);
    command.add_flag("--ema", training.averages, "Keep an exponential moving average (EMA) of the trained weights");
    command.add_flag("--chunked-loss", training.chunkedLoss, "Compute the loss in chunks");
    command.add_option("--offload", options.offload, "CPU offload: none optimizer all (default: none)")->type_name("WHAT");
    command.add_option("--zero", training.zeroStage, "ZeRO stage, 0 to 3 (default: 0)")->type_name("STAGE");
    command.add_option("--gpus", training.gpus, "Number of GPUs (default: 1)")->type_name("N");
}

void addMemoryOptions(CLI::App& command, MemoryOptions& options) {
    command.add_option(
        "WHAT", options.what,
        "Model file, folder or config.json, an ID or name in wb library, a size (7B, 8x7B, 235B-A22B) or a well-known model");
    command
        .add_option("--shape", options.shape,
                    "Model shape instead of WHAT: "
                    "layers=32,hidden=4096,heads=32,kv-heads=8,head=128,ffn=14336,vocab=128256,experts=0,used=0,tied=no")
        ->type_name("NUMBERS");
    command
        .add_option("--batch", options.batch, "Batch size: tokens (default: 2048); for training, sequences per GPU (default: 1)")
        ->type_name("N");
    addInference(command, options);
    addDevices(command, options);
    addRuntime(command, options);
    addTraining(command, options);
    command
        .add_option("--export", options.exported,
                    "Export settings for vllm, llama-server, ollama, llama-factory or axolotl to a file (-: stdout)")
        ->type_name("PROGRAM FILE")
        ->expected(2);
}

bool isRemote(const std::string& word) { return hub::isRemoteId(word); }

bool isSizeOrRemote(const std::string& word) { return isRemote(word) || memory::subjectOfSize(word).has_value(); }

bool isOtherDraft(const std::string& word) { return word == ownDraft || isSizeOrRemote(word); }

} // namespace

Command addMemory(CLI::App& program) {
    auto options = std::make_shared<MemoryOptions>();
    CLI::App* command = program.add_subcommand("memory", "Estimate the memory a model needs, and the devices it fits on");
    addMemoryOptions(*command, *options);
    return {command,
            [options](const Context& context) { return memoryNeed(context, *options); },
            {.reads = {"WHAT", "--mmproj", "--lora", "--draft", "--measured"}, .writes = {"--measured-csv", "--export"}},
            false,
            {{&options->what, isSizeOrRemote, true},
             {&options->draft, isOtherDraft, true},
             {&options->projector, isRemote, true},
             {&options->lora, isRemote, true}}};
}

} // namespace wb::cli
