// SPDX-License-Identifier: MIT
#include "core/memory/cards/advice.h"
#include "core/memory/exports.h"
#include "core/memory/training/optimizers.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace wb::memory {
namespace {

using testing::HasSubstr;

const ExportedModel llama = {"meta-llama/Llama-3.1-8B", false, false};

TrainingEstimate settingsTraining(const TrainingSettings& settings) {
    auto result = estimateTraining(*subjectOfSize("Llama-3.1-8B"), settings);
    EXPECT_TRUE(result) << result.error().message();
    return result.value_or(TrainingEstimate{});
}

std::string targetText(ExportTarget target, const TrainingSettings& settings) {
    const auto files = exportTraining(target, llama, settingsTraining(settings));
    return files ? files->front().text : "refused: " + files.error().message();
}

// The keys of the top level.
std::set<std::string> keysFromYaml(const std::string& yaml) {
    std::set<std::string> keys;
    std::istringstream lines(yaml);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with('#') && !line.starts_with(' ')) keys.insert(line.substr(0, line.find(':')));
    return keys;
}

// docs/reference/memory.md, "Exports".
const std::set<std::string> llamaFactoryKeys = {"model_name_or_path",
                                                "stage",
                                                "do_train",
                                                "finetuning_type",
                                                "quantization_bit",
                                                "quantization_method",
                                                "quantization_type",
                                                "double_quantization",
                                                "lora_rank",
                                                "lora_alpha",
                                                "lora_target",
                                                "use_dora",
                                                "use_rslora",
                                                "cutoff_len",
                                                "per_device_train_batch_size",
                                                "gradient_accumulation_steps",
                                                "optim",
                                                "disable_gradient_checkpointing",
                                                "flash_attn",
                                                "enable_liger_kernel",
                                                "bf16",
                                                "fp16",
                                                "deepspeed",
                                                "ref_model"};
const std::set<std::string> axolotlKeys = {"base_model",
                                           "adapter",
                                           "rl",
                                           "load_in_4bit",
                                           "load_in_8bit",
                                           "lora_r",
                                           "lora_alpha",
                                           "lora_target_linear",
                                           "lora_target_modules",
                                           "peft_use_dora",
                                           "peft_use_rslora",
                                           "sequence_len",
                                           "micro_batch_size",
                                           "gradient_accumulation_steps",
                                           "optimizer",
                                           "gradient_checkpointing",
                                           "attn_implementation",
                                           "chunked_cross_entropy",
                                           "bf16",
                                           "fp16",
                                           "deepspeed"};

std::vector<TrainingSettings> manyPlans() {
    std::vector<TrainingSettings> plans;
    for (const Method method : {Method::Full, Method::Lora, Method::Qlora, Method::Dpo})
        for (const bool isFlash : {true, false})
            for (const std::uint64_t stage : {0, 1, 2, 3}) {
                TrainingSettings settings{.method = method, .doubleQuantized = method == Method::Qlora, .flash = isFlash};
                settings.checkpointing = isFlash;
                settings.chunkedLoss = !isFlash;
                settings.dora = settings.rslora = method == Method::Lora && isFlash;
                settings.zeroStage = stage;
                settings.gpus = 8;
                plans.push_back(settings);
            }
    return plans;
}

TEST(TrainingExport, WritesOnlyKeysThatTheProgramsKnow) {
    for (const TrainingSettings& settings : manyPlans()) {
        for (const std::string& key : keysFromYaml(targetText(ExportTarget::LlamaFactory, settings)))
            EXPECT_TRUE(llamaFactoryKeys.contains(key)) << key;
        for (const std::string& key : keysFromYaml(targetText(ExportTarget::Axolotl, settings)))
            EXPECT_TRUE(axolotlKeys.contains(key)) << key;
    }
}

TEST(TrainingExport, SaysTheSettingsOfThePlan) {
    TrainingSettings settings{.method = Method::Qlora, .rank = 64, .doubleQuantized = true, .sequence = 4096, .batch = 2};
    const std::string factory = targetText(ExportTarget::LlamaFactory, settings);
    for (const char* line :
         {"model_name_or_path: \"meta-llama/Llama-3.1-8B\"\n", "finetuning_type: lora\n", "quantization_bit: 4\n",
          "quantization_type: nf4\n", "double_quantization: true\n", "lora_rank: 64\n", "lora_target: all\n", "cutoff_len: 4096\n",
          "per_device_train_batch_size: 2\n", "optim: adamw_torch\n", "bf16: true\n"})
        EXPECT_THAT(factory, HasSubstr(line));
    const std::string axolotl = targetText(ExportTarget::Axolotl, settings);
    for (const char* line : {"adapter: qlora\n", "load_in_4bit: true\n", "lora_r: 64\n", "lora_target_linear: true\n",
                             "sequence_len: 4096\n", "micro_batch_size: 2\n", "gradient_checkpointing: true\n"})
        EXPECT_THAT(axolotl, HasSubstr(line));
}

TEST(TrainingExport, WritesDeepSpeedsSettingsBeside) {
    const TrainingSettings settings{.method = Method::Full, .offload = Offload::All, .zeroStage = 3, .gpus = 8};
    const auto files = exportTraining(ExportTarget::Axolotl, llama, settingsTraining(settings));
    ASSERT_TRUE(files) << files.error().message();
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ((*files)[1].name, "ds_zero3.json");
    const auto json = nlohmann::json::parse((*files)[1].text);
    EXPECT_EQ(json["zero_optimization"]["stage"], 3);
    EXPECT_EQ(json["zero_optimization"]["offload_optimizer"]["device"], "cpu");
    EXPECT_EQ(json["zero_optimization"]["offload_param"]["device"], "cpu");
    EXPECT_EQ(json["zero_optimization"]["reduce_bucket_size"], 500'000'000);
    EXPECT_EQ(json["zero_optimization"]["stage3_max_live_parameters"], 1'000'000'000);
    EXPECT_THAT((*files)[0].text, HasSubstr("deepspeed: \"./ds_zero3.json\"\n"));
}

TEST(TrainingExport, RefusesByNameWhatTheProgramsCannotSay) {
    EXPECT_THAT(targetText(ExportTarget::Axolotl, {.method = Method::Prompt}), HasSubstr("Axolotl does not support prompt tuning"));
    EXPECT_THAT(targetText(ExportTarget::LlamaFactory, {.method = Method::Prefix}),
                HasSubstr("LLaMA-Factory does not support prefix tuning"));
    EXPECT_THAT(targetText(ExportTarget::Axolotl, {.method = Method::Full, .optimizer = optimizerFromName("adam-mini")}),
                HasSubstr("adam-mini"));
    EXPECT_THAT(targetText(ExportTarget::Axolotl, {.method = Method::Full, .offload = Offload::Optimizer}), HasSubstr("DeepSpeed"));
    EXPECT_THAT(targetText(ExportTarget::Vllm, {}), HasSubstr("vllm cannot train models"));
}

std::string inferenceText(ExportTarget target, const ExportedModel& model, const Settings& settings) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const auto numbers = estimate(subject, subject.stored, settings);
    EXPECT_TRUE(numbers);
    const auto files = exportInference(target, model, *numbers, 2);
    return files ? files->front().text : "refused: " + files.error().message();
}

TEST(InferenceExport, SaysTheSettingsOfTheEstimate) {
    const Settings settings{
        .context = 16384, .conversations = 2, .keyType = Dtype::Q8_0, .valueType = Dtype::Q8_0, .gpuLayers = allLayers};
    EXPECT_EQ(inferenceText(ExportTarget::Vllm, llama, settings),
              "vllm serve meta-llama/Llama-3.1-8B --max-model-len 8192 --gpu-memory-utilization 0.9 --tensor-parallel-size 2 "
              "--max-num-seqs 2 --kv-cache-dtype fp8\n");
    EXPECT_EQ(inferenceText(ExportTarget::LlamaServer, {"/models/it's one.gguf", true}, settings),
              "llama-server -m '/models/it'\\''s one.gguf' -c 16384 -ngl 999 -ctk q8_0 -ctv q8_0 -b 2048 -ub 512 -np 2 -fa on\n");
    const std::string ollama = inferenceText(ExportTarget::Ollama, {"/models/one.gguf", true}, settings);
    for (const char* line :
         {"FROM /models/one.gguf\n", "PARAMETER num_ctx 8192\n", "PARAMETER num_gpu 999\n", "OLLAMA_KV_CACHE_TYPE=q8_0"})
        EXPECT_THAT(ollama, HasSubstr(line));
    EXPECT_THAT(inferenceText(ExportTarget::Vllm, {"org/model", false, true}, settings),
                HasSubstr("VLLM_USE_MODELSCOPE=true vllm serve"));
    EXPECT_THAT(inferenceText(ExportTarget::Vllm, {}, settings), HasSubstr("put the path or the id of the model"));
    ExportedModel predicting = llama;
    predicting.predictsAhead = true;
    EXPECT_THAT(inferenceText(ExportTarget::Vllm, predicting, settings),
                HasSubstr("--speculative-config '{\"method\":\"mtp\",\"num_speculative_tokens\":1}'"));
    Settings split = settings;
    split.split = {13, 20};
    split.cpuExperts = 4;
    EXPECT_THAT(inferenceText(ExportTarget::LlamaServer, llama, split), HasSubstr(" --n-cpu-moe 4 -ts 13,20"));
}

// One file of each program, as it was looked at by a person (tests/data/memory/exports). WEIGHBRIDGE_WRITE_EXPORTS=FOLDER writes
// what is exported now, to be looked at again.
void expectFile(const std::string& name, const std::string& text) {
    if (const char* folder = std::getenv("WEIGHBRIDGE_WRITE_EXPORTS")) std::ofstream(std::filesystem::path(folder) / name) << text;
    std::ifstream stream(test::data() / "memory/exports" / name);
    EXPECT_TRUE(stream) << name;
    EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(stream), {})) << name;
}

void expectTraining(ExportTarget target, const TrainingSettings& settings, const std::string& name) {
    const auto files = exportTraining(target, llama, settingsTraining(settings));
    ASSERT_TRUE(files) << files.error().message();
    expectFile(name + ".yaml", files->front().text);
    if (files->size() > 1) expectFile(name + "." + (*files)[1].name, (*files)[1].text);
}

TEST(Exports, AreTheFilesThatWereLookedAt) {
    const Settings settings{
        .context = 16384, .conversations = 2, .keyType = Dtype::Q8_0, .valueType = Dtype::Q8_0, .gpuLayers = allLayers};
    ExportedModel served = llama;
    served.isModelScope = served.predictsAhead = true;
    expectFile("vllm.txt", inferenceText(ExportTarget::Vllm, served, settings));
    expectFile("llama-server.txt", inferenceText(ExportTarget::LlamaServer, {"model.gguf", true}, settings));
    expectFile("ollama.txt", inferenceText(ExportTarget::Ollama, {"model.gguf", true}, settings));
    const TrainingSettings qlora{.method = Method::Qlora, .rank = 32, .doubleQuantized = true, .rslora = true, .chunkedLoss = true};
    const TrainingSettings full{
        .method = Method::Full, .gradientsInFp32 = true, .offload = Offload::All, .zeroStage = 3, .gpus = 8};
    const TrainingSettings dpo{.method = Method::Dpo, .targets = Targets::Attention, .dora = true, .checkpointing = false};
    for (const auto& [target, name] :
         {std::pair(ExportTarget::LlamaFactory, "llama-factory"), {ExportTarget::Axolotl, "axolotl"}}) {
        expectTraining(target, qlora, std::string(name) + ".qlora");
        expectTraining(target, full, std::string(name) + ".full");
        expectTraining(target, dpo, std::string(name) + ".dpo");
    }
}

// Words that begin with a dash, parameters and variables of the environment (docs/reference/memory.md, "Exports").
TEST(Exports, OfServersHaveOnlyWordsThatTheyKnow) {
    const std::set<std::string> known = {"--max-model-len",
                                         "--gpu-memory-utilization",
                                         "--tensor-parallel-size",
                                         "--max-num-seqs",
                                         "--kv-cache-dtype",
                                         "--quantization",
                                         "--enforce-eager",
                                         "--speculative-config",
                                         "-m",
                                         "-c",
                                         "-ngl",
                                         "-ctk",
                                         "-ctv",
                                         "-b",
                                         "-ub",
                                         "-np",
                                         "-fa",
                                         "-ts",
                                         "--kv-unified",
                                         "--swa-full",
                                         "--n-cpu-moe"};
    const std::set<std::string> parameters = {"num_ctx", "num_gpu", "num_batch"};
    const std::set<std::string> variables = {"OLLAMA_FLASH_ATTENTION", "OLLAMA_KV_CACHE_TYPE", "OLLAMA_NUM_PARALLEL",
                                             "VLLM_USE_MODELSCOPE"};
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i) {
        Settings settings{.context = 8192 + 256 * (random() % 8), .conversations = 1 + random() % 4};
        settings.unified = random() % 2;
        settings.fullWindows = random() % 2;
        settings.flash = random() % 2;
        settings.gpuLayers = random() % 2 ? allLayers : 1 + random() % 30;
        settings.cpuExperts = random() % 3;
        if (settings.flash && random() % 2) settings.keyType = settings.valueType = Dtype::Q8_0;
        if (random() % 2) settings.split = {10, 23};
        ExportedModel model = llama;
        model.isModelScope = random() % 2;
        model.predictsAhead = random() % 2;
        for (const ExportTarget target : {ExportTarget::Vllm, ExportTarget::LlamaServer, ExportTarget::Ollama}) {
            std::istringstream words(inferenceText(target, model, settings));
            for (std::string word, before; words >> word; before = word) {
                const bool isDigit = word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[1]));
                const bool isVariable = word.starts_with("OLLAMA_") || word.starts_with("VLLM_");
                const bool isKnown = word[0] == '-' && word.size() > 1 && !isDigit ? known.contains(word)
                                     : before == "PARAMETER"                       ? parameters.contains(word)
                                     : isVariable ? variables.contains(word.substr(0, word.find('=')))
                                                  : true;
                EXPECT_TRUE(isKnown) << word;
            }
        }
    }
}

TEST(InferenceExport, RefusesByNameWhatTheProgramsCannotSay) {
    const Settings settings{.keyType = Dtype::Q4_1, .valueType = Dtype::Q4_1};
    EXPECT_THAT(inferenceText(ExportTarget::Vllm, llama, settings), HasSubstr("q4_1"));
    EXPECT_THAT(inferenceText(ExportTarget::Ollama, llama, settings), HasSubstr("q4_1"));
    EXPECT_THAT(inferenceText(ExportTarget::Axolotl, llama, settings), HasSubstr("--train"));
}

TEST(Advice, SavesWhatItSays) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    Settings settings{.context = 32768, .conversations = 2, .flash = false, .gpuLayers = allLayers};
    const auto advice = adviceFor(subject, nullptr, settings);
    ASSERT_GE(advice.size(), 6u);
    EXPECT_EQ(advice[0].change.text(), "Turn on flash attention.");
    const std::uint64_t before = planMemoryUse(subject.spec, subject.stored, settings).gpu.total();
    settings.flash = true;
    EXPECT_EQ(advice[0].saves, before - planMemoryUse(subject.spec, subject.stored, settings).gpu.total());
    for (const Advice& one : advice) EXPECT_GT(one.saves, 0u) << one.change.text();
}

// What loses least comes first, and each step says what it costs.
TEST(Advice, IsSortedByLoss) {
    const Subject subject = *subjectOfSize("Qwen3-30B-A3B");
    const Settings settings{.context = 32768, .conversations = 2, .gpuLayers = allLayers};
    const auto advice = adviceFor(subject, weightTypeFromName("Q6_K"), settings);
    std::vector<std::string> changes;
    for (const Advice& one : advice) {
        changes.push_back(one.change.text());
        EXPECT_FALSE(one.cost.text().empty());
    }
    EXPECT_THAT(changes,
                testing::ElementsAre("Reduce the micro-batch size to 128 tokens.", "Process one sequence at a time.",
                                     "Use a q8_0 KV cache.", "Use a q4_0 KV cache.", "Reduce the context length to 16,384 tokens.",
                                     "Keep the experts of all 48 MoE layers on the CPU.", "Halve the GPU layers: 24 on the GPU.",
                                     "Quantize the weights to Q5_K_M."));
    EXPECT_THAT(advice.back().cost.text(), HasSubstr("bits per weight, KLD 0.0"));
    const auto weights = subject.weights(weightTypeFromName("Q6_K"));
    Settings other = settings;
    other.cpuExperts = subject.spec.trunkLayers();
    EXPECT_EQ(advice[5].saves, planMemoryUse(subject.spec, *weights, settings).gpu.total() -
                                   planMemoryUse(subject.spec, *weights, other).gpu.total());
}

TEST(Advice, ForTrainingSavesWhatItSays) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    TrainingSettings settings{.method = Method::Full, .batch = 4, .checkpointing = false, .zeroStage = 1, .gpus = 4};
    const TrainingEstimate before = settingsTraining(settings);
    const auto advice = adviceFor(subject, before);
    ASSERT_GE(advice.size(), 5u);
    EXPECT_THAT(advice[0].change.text(), HasSubstr("chunks"));
    settings.chunkedLoss = true;
    EXPECT_EQ(advice[0].saves, before.gpu() - settingsTraining(settings).gpu());
}

} // namespace
} // namespace wb::memory
