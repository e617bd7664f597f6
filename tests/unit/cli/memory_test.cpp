// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"
#include "tests/unit/memory/golden_model.h"

#include "core/formats/gguf/writer.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace wb {
namespace {

using nlohmann::json;
using test::runWb;

json wordsMemory(std::vector<std::string> words) {
    words.insert(words.begin(), "memory");
    words.emplace_back("--json");
    const auto run = runWb(words);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.json();
}

std::string textFromPath(const std::filesystem::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::uint64_t sumOfParts(const json& document) {
    std::uint64_t total = 0;
    for (const json& part : document["parts"]) total += part["bytes"].get<std::uint64_t>();
    return total;
}

std::uint64_t documentPart(const json& document, const std::string& name) {
    for (const json& part : document["parts"])
        if (part["name"] == name) return part["bytes"];
    return 0;
}

// Arrays are of numbers or of truth values here; the writer of the tree needs none.
gguf::StoredPair arrayPair(const std::string& key, const json& array) {
    const bool isTruth = array.at(0).is_boolean();
    std::string bytes;
    const auto append = [&bytes](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
    append(std::uint64_t{key.size()});
    bytes += key;
    append(std::uint32_t{9}); // an array …
    append(std::uint32_t{isTruth ? 7u : array.at(0).is_number_float() ? 6u : 4u});
    append(std::uint64_t{array.size()});
    for (const json& element : array) {
        if (isTruth) append(static_cast<std::uint8_t>(element.get<bool>()));
        else if (array.at(0).is_number_float()) append(element.get<float>());
        else append(element.get<std::uint32_t>());
    }
    return {key, bytes};
}

TEST(WbMemory, AddsUpToItsTotalOnEveryDevice) {
    for (const char* layers : {"0", "1", "7", "all"}) {
        const json document = wordsMemory({"7B", "--gpu-layers", layers, "--context", "4096"});
        EXPECT_EQ(sumOfParts(document), document["total"]);
        std::uint64_t devices = 0;
        for (const json& device : document["per_device"]) devices += device["total"].get<std::uint64_t>();
        EXPECT_EQ(devices, document["total"]);
        EXPECT_EQ(document["class"], "rule");
        EXPECT_EQ(document["problems"][0]["code"], "memory.shape_of");
    }
}

// 7 · 10⁹ weights of the textbook: 28, 14, 14, 7 and 3.5 GB, and what is true of them.
TEST(WbMemory, ListsEveryTypeAsAColumn) {
    const json document = wordsMemory({"7B", "--columns", "--gpu", "RTX 4090"});
    const json& columns = document["columns"];
    ASSERT_GT(columns.size(), 30u);
    const char* const first[] = {"FP32", "BF16", "FP16", "INT8", "INT4"};
    for (std::size_t i = 0; i < std::size(first); ++i) EXPECT_EQ(columns[i]["type"], first[i]);
    EXPECT_NEAR(columns[0]["weights"].get<double>(), 28e9, 1e8);
    EXPECT_NEAR(columns[1]["weights"].get<double>(), 14e9, 1e8);
    EXPECT_EQ(columns[0]["verdict"], "no");
    EXPECT_EQ(columns[4]["verdict"], "fits");
    ASSERT_EQ(document["fits"].size(), 1u);
    EXPECT_EQ(document["fits"][0]["device"], "NVIDIA RTX 4090, 24 GiB");
    EXPECT_GT(document["fits"][0]["context_max"], 4096);
}

TEST(WbMemory, CountsTheCacheOfTheSettings) {
    const json plain = wordsMemory({"Llama-2-7B", "--context", "4096"});
    EXPECT_EQ(documentPart(plain, "kv_k"), 1u << 30);
    EXPECT_EQ(plain["cells"], (json{{4096, 1, 32}}));
    const json small = wordsMemory({"Llama-2-7B", "--context", "4000", "--kv", "q8_0,q4_0", "--parallel", "4", "--kv-unified"});
    EXPECT_EQ(small["context_used"], 4096);
    EXPECT_EQ(documentPart(small, "kv_k"), (std::uint64_t{1} << 30) * 34 / 64);
    EXPECT_EQ(documentPart(small, "kv_v"), (std::uint64_t{1} << 30) * 18 / 64);
    EXPECT_EQ(small["settings"]["kv_v"], "q4_0");
    EXPECT_EQ(small["settings"]["parallel"], 4);
}

TEST(WbMemory, ReadsAGgufFileByItsHeader) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const std::string path = (test::shared() / "corpus/llm/stories260K.gguf").string();
    const json document = wordsMemory({path});
    EXPECT_EQ(document["class"], "header");
    EXPECT_GT(document["parameters"], 200'000);
    EXPECT_EQ(sumOfParts(document), document["total"]);
    const auto text = runWb({"memory", path, "--columns"});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_NE(text.out.find("Rule of thumb"), std::string::npos);
    EXPECT_NE(text.out.find("GiB"), std::string::npos);
}

constexpr const char* config = R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":4096,
"intermediate_size":11008,"num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":32,"vocab_size":32000,
"max_position_embeddings":4096,"rms_norm_eps":1e-05,"tie_word_embeddings":false})";

TEST(WbMemory, ReadsAConfigAlone) {
    const test::TemporaryFolder folder;
    const json document = wordsMemory({folder.file("config.json", config).string()});
    EXPECT_EQ(document["class"], "config");
    EXPECT_EQ(document["parameters"], 6'738'415'616u);
    EXPECT_EQ(document["settings"]["context"], 4096) << "the model's own, which is less than 8192";
    EXPECT_EQ(documentPart(document, "weights"), wordsMemory({"Llama-2-7B"})["parts"][0]["bytes"]);
}

// Σ parts = total = Σ devices, and a name stands once on a device.
TEST(WbMemory, CountsTrainingOnSeveralGpus) {
    const json document = wordsMemory({"Llama-2-7B", "--train", "full", "--zero", "3", "--gpus", "4", "--offload", "optimizer",
                                       "--sequence", "1024", "--gpu", "RTX 4090"});
    std::uint64_t parts = 0, devices = 0;
    std::set<std::string> places;
    for (const json& part : document["parts"]) {
        parts += part["bytes"].get<std::uint64_t>();
        EXPECT_TRUE(places.insert(part["device"].get<std::string>() + " " + part["name"].get<std::string>()).second);
        EXPECT_NE(part["formula"], "");
    }
    for (const json& device : document["per_device"]) devices += device["total"].get<std::uint64_t>();
    EXPECT_EQ(document["total"], parts);
    EXPECT_EQ(document["total"], devices);
    EXPECT_EQ(document["per_device"].size(), 5u) << "four GPUs and main memory";
    EXPECT_EQ(document["trainable"], 6'738'415'616u);
    EXPECT_EQ(document["settings"]["zero"], 3);
    EXPECT_EQ(document["fits"].size(), 1u);
    EXPECT_FALSE(document["advice"].empty());
}

TEST(WbMemory, CountsWhatIsLoadedBesideTheModel) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const std::string small = (test::shared() / "corpus/llm/stories260K.gguf").string();
    const json alone = wordsMemory({"Mixtral-8x7B", "--gpu-layers", "all"});
    const json beside = wordsMemory({"Mixtral-8x7B", "--gpu-layers", "all", "--mmproj", small, "--lora", small, "--draft", small});
    EXPECT_EQ(documentPart(beside, "mmproj"), documentPart(beside, "lora"));
    EXPECT_GT(documentPart(beside, "mmproj"), 1'000'000u);
    EXPECT_GT(documentPart(beside, "draft"), documentPart(beside, "mmproj"));
    EXPECT_EQ(beside["total"], alone["total"].get<std::uint64_t>() + documentPart(beside, "mmproj") + documentPart(beside, "lora") +
                                   documentPart(beside, "draft"));
    const json moved = wordsMemory({"Mixtral-8x7B", "--gpu-layers", "all", "--cpu-experts", "32", "--gpu", "RTX 4090"});
    EXPECT_EQ(moved["total"], alone["total"]) << "experts move, and nothing is added";
    EXPECT_LT(moved["per_device"][0]["total"], 10ull << 30);
    EXPECT_GT(moved["tokens_per_second_bound"], 30) << "1008 GB/s over the 26 GB that a token reads";
    EXPECT_LT(moved["tokens_per_second_bound"], 45);
}

TEST(WbMemory, TakesAShape) {
    const json document = wordsMemory({"--shape", "layers=32,hidden=4096,heads=32,kv-heads=8,head=128,ffn=14336,vocab=128256"});
    EXPECT_EQ(document["parameters"], 8'030'261'248u);
    EXPECT_EQ(document["class"], "config");
    const json same = wordsMemory({"Llama-3.1-8B"});
    EXPECT_EQ(document["total"], same["total"]);
}

TEST(WbMemory, ExportsWhatAProgramNeeds) {
    const test::TemporaryFolder folder;
    const std::string yaml = (folder.path() / "plan.yaml").string();
    const auto run = runWb({"memory", "7B", "--train", "qlora", "--zero", "2", "--gpus", "2", "--export", "llama-factory", yaml});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(textFromPath(yaml).find("quantization_bit: 4"), std::string::npos);
    EXPECT_NE(textFromPath(folder.path() / "ds_zero2.json").find("\"stage\":2"), std::string::npos);
    const auto shown = runWb({"memory", "7B", "--gpu-layers", "all", "--export", "llama-server", "-"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_NE(shown.out.find("llama-server -m MODEL -c 8192 -ngl 999"), std::string::npos) << shown.out;
}

TEST(WbMemory, RefusesWrongUsage) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"7B", "--type", "Q9_9"},
                                                  {"7B", "--kv", "q9"},
                                                  {"7B", "--kv", "f16,"},
                                                  {"7B", "--gpu-layers", "-1"},
                                                  {"7B", "--gpu-layers", "some"},
                                                  {"7B", "--gpu", "Voodoo 2"},
                                                  {"7B", "--gpu-memory", "much"},
                                                  {"7B", "--context", "many"},
                                                  {"7B", "--train", "lore"},
                                                  {"7B", "--train", "full", "--optimizer", "best"},
                                                  {"7B", "--train", "lora", "--base", "q4"},
                                                  {"7B", "--train", "full", "--offload", "some"},
                                                  {"7B", "--reserve", "much"},
                                                  {"7B", "--export", "notepad", "-"},
                                                  {"7B", "--shape", "layers=1"},
                                                  {}}) {
        std::vector<std::string> all = {"memory"};
        all.insert(all.end(), words.begin(), words.end());
        const auto run = runWb(all);
        EXPECT_EQ(run.status, 2) << (words.empty() ? "nothing" : words.back());
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_EQ(run.out, "");
    }
}

TEST(WbMemory, RefusesWhatCannotBe) {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("notes.txt", "no model").string();
    const std::string list = folder.file("list.json", "[1, 2]").string();
    const std::string empty = folder.file("empty.json", "{}").string();
    for (const std::vector<std::string>& words : {std::vector<std::string>{"7B", "--context", "0"},
                                                  {"7B", "--context", "9223372036854775808"},
                                                  {"7B", "--context", "256", "--parallel", "300"},
                                                  {"7B", "--ubatch", "0"},
                                                  {"7B", "--no-flash", "--kv", "q8_0"},
                                                  {"7B", "--train", "full", "--base", "nf4"},
                                                  {"7B", "--train", "lora", "--sequence", "0"},
                                                  {"7B", "--train", "lora", "--export", "vllm", "-"},
                                                  {"7B", "--export", "axolotl", "-"},
                                                  {"7B", "--train", "prompt", "--export", "axolotl", "-"},
                                                  {"7B", "--export", "vllm", "/nowhere/at/all"},
                                                  {"--shape", "layers=1"},
                                                  {"--shape", "layers=2,hidden=64,heads=0,ffn=8,vocab=10"},
                                                  {"--shape", "layers=2,hidden=64,heads=8,kv-heads=3,ffn=8,vocab=10"},
                                                  {"--shape", "layers=2,hidden=64,heads=8,ffn=8,vocab=10,wings=2"},
                                                  {"0B"},
                                                  {"nothing-of-this-name"},
                                                  {text},
                                                  {list},
                                                  {empty}}) {
        std::vector<std::string> all = {"memory"};
        all.insert(all.end(), words.begin(), words.end());
        const auto run = runWb(all);
        EXPECT_EQ(run.status, 1) << words.front() << " " << words.back() << run.out;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_EQ(run.out, "");
    }
}

// A file of a model of golden/memory: its real header and no data, which takes no room on the disk.
std::filesystem::path writeSparse(const test::TemporaryFolder& folder, const std::string& name, const std::string& mix) {
    const json description = test::goldenModel(name);
    std::vector<gguf::StoredPair> pairs;
    for (const auto& [key, value] : description["metadata"].items()) {
        if (value.is_array()) {
            pairs.push_back(arrayPair(key, value));
        } else if (value.is_boolean()) {
            pairs.push_back(gguf::makeTruthPair(key, value.get<bool>()));
        } else if (value.is_string()) {
            pairs.push_back(gguf::makePair(key, std::string_view(value.get_ref<const std::string&>())));
        } else if (value.is_number_float()) {
            pairs.push_back(gguf::makePair(key, value.get<float>()));
        } else {
            pairs.push_back(gguf::makePair(key, value.get<std::uint32_t>()));
        }
    }
    std::vector<gguf::WrittenTensor> tensors;
    const ModelPtr model = test::modelFromGolden(description, mix);
    for (const TensorInfo& tensor : model->tensors) tensors.push_back({tensor.name, tensor.shape, tensor.dtype});
    const auto layout = gguf::layOut(pairs, tensors);
    EXPECT_TRUE(layout) << layout.error().message();
    const auto path = folder.file(name + ".gguf", layout->header);
    std::filesystem::resize_file(path, layout->fileBytes);
    return path;
}

std::vector<std::string> rowOptions(const json& row) {
    std::vector<std::string> words = {"--context",  std::to_string(row["n_ctx"].get<std::uint64_t>()),
                                      "--batch",    std::to_string(row["n_batch"].get<std::uint64_t>()),
                                      "--ubatch",   std::to_string(row["n_ubatch"].get<std::uint64_t>()),
                                      "--parallel", std::to_string(row["n_seq_max"].get<std::uint64_t>()),
                                      "--outputs",  std::to_string(row["n_outputs_max"].get<std::uint64_t>()),
                                      "--kv",       row["type_k"].get<std::string>() + "," + row["type_v"].get<std::string>()};
    if (row["kv_unified"]) words.emplace_back("--kv-unified");
    if (!row["flash"]) words.emplace_back("--no-flash");
    if (row["swa_full"]) words.emplace_back("--swa-full");
    if (row["load_mtp"]) words.emplace_back("--mtp");
    const auto layers = row["n_gpu_layers"].get<std::uint64_t>();
    if (layers > 0) words.insert(words.end(), {"--gpu-layers", layers == 999 ? "all" : std::to_string(layers)});
    return words;
}

std::uint64_t documentSum(const json& document, const std::string& name) {
    std::uint64_t bytes = 0;
    for (const json& part : document["parts"])
        if (part["name"] == name) bytes += part["bytes"].get<std::uint64_t>();
    return bytes;
}

// Dense, with experts, latent attention, windows, hybrid and recurrent: what wb says of a file is what the runtime plans.
TEST(WbMemory, CountsSparseFilesAsTheReferenceRuntimeDoes) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const json rows = json::parse(std::ifstream(test::shared() / "golden/memory/rows.json"));
    const test::TemporaryFolder folder;
    for (const char* name :
         {"smollm2-135m", "qwen3-30b-a3b", "deepseek-v2-lite", "gemma-3-4b", "qwen3-next-80b-a3b", "mamba2-2.7b"}) {
        std::string mix;
        std::filesystem::path path;
        int compared = 0;
        for (const json& row : rows) {
            if (row["model"] != name || (!mix.empty() && row["weights"] != mix)) continue;
            if (mix.empty()) path = writeSparse(folder, name, mix = row["weights"].get<std::string>());
            if (++compared > 4) break;
            auto words = rowOptions(row);
            words.insert(words.begin(), path.string());
            const json document = wordsMemory(words);
            const json& measured = row["measured"];
            EXPECT_EQ(documentSum(document, "kv_k"), measured["k_bytes"]) << row["id"];
            EXPECT_EQ(documentSum(document, "kv_v"), measured["v_bytes"]) << row["id"];
            EXPECT_EQ(documentSum(document, "state"), measured["state_bytes"]) << row["id"];
            const double weights = measured["weights_bytes"];
            EXPECT_NEAR(static_cast<double>(documentSum(document, "weights")), weights, 1e-4 * weights) << row["id"];
            EXPECT_EQ(document["class"], "header");
        }
        EXPECT_GT(compared, 1) << name;
    }
}

TEST(WbMemory, SplitsOverUnequalCards) {
    const json document = wordsMemory({"Qwen3-30B-A3B", "--type", "Q4_K_M", "--gpu", "RTX 3060", "--gpu", "RTX 4090",
                                       "--gpu-layers", "all", "--backend", "cuda"});
    EXPECT_EQ(sumOfParts(document), document["total"]);
    ASSERT_EQ(document["per_device"].size(), 3u);
    EXPECT_EQ(document["per_device"][1]["device"], "gpu1");
    std::uint64_t devices = 0;
    for (const json& device : document["per_device"]) devices += device["total"].get<std::uint64_t>();
    EXPECT_EQ(devices, document["total"]);
    EXPECT_EQ(document["settings"]["split"].size(), 2u);
    EXPECT_EQ(document["backend"], "cuda");
    EXPECT_GT(documentSum(document, "overhead"), 500'000'000u);
    ASSERT_TRUE(document["placement"].is_object());
    EXPECT_TRUE(document["placement"]["fits"].get<bool>());
    EXPECT_FALSE(document["cards"].empty());
    const json own =
        wordsMemory({"Llama-3.1-8B", "--gpu", "RTX 3060", "--gpu", "RTX 4090", "--gpu-layers", "all", "--split", "3,30"});
    EXPECT_EQ(own["settings"]["split"], json::array({3, 30}));
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"memory", "7B", "--split", "3,30"},
          {"memory", "7B", "--runtime", "other"},
          {"memory", "7B", "--backend", "other"},
          {"memory", "7B", "--build", "yesterday"},
          {"memory", "7B", "--gpu", "RTX 4090", "--gpu", "RTX 3060", "--gpu-layers", "all", "--split", "1,2,3"}})
        EXPECT_EQ(runWb(wrong).status, 2) << wrong.back();
}

TEST(WbMemory, KnowsOtherRuntimes) {
    const json vllm = wordsMemory({"Llama-3.1-8B", "--runtime", "vllm", "--gpu", "RTX 4090"});
    EXPECT_EQ(vllm["runtime"], "vllm");
    EXPECT_NEAR(vllm["total"].get<double>(), 0.9 * 24 * (1 << 30), 4);
    EXPECT_EQ(sumOfParts(vllm), vllm["total"]);
    const json transformers = wordsMemory({"Llama-3.1-8B", "--runtime", "transformers"});
    EXPECT_EQ(documentSum(transformers, "kv_k") + documentSum(transformers, "kv_v"), 8192u * 131'072u);
    EXPECT_EQ(runWb({"memory", "7B", "--runtime", "vllm", "--kv", "q4_0"}).status, 1);
}

TEST(WbMemory, ShowsItsOwnPlan) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto path = (test::shared() / "corpus/llm/stories260K.gguf").string();
    const json document = wordsMemory({path, "--runtime", "weighbridge", "--context", "256"});
    EXPECT_EQ(document["class"], "plan");
    EXPECT_EQ(document["runtime"], "weighbridge");
    EXPECT_EQ(sumOfParts(document), document["total"]);
    EXPECT_EQ(documentSum(document, "kv_k"), 256u * 5 * 4 * 8 * 2); // layers, heads, their length, f16
}

TEST(WbMemory, LearnsFromMeasuredLoads) {
    const test::StateFolder folder;
    const auto log = folder.file("load.log", "load_tensors: CPU model buffer size = 7000.00 MiB\n"
                                             "llama_context: n_ctx = 4096\nllama_context: n_ubatch = 512\n"
                                             "llama_kv_cache: CPU KV buffer size = 2048.00 MiB\n");
    const json before = wordsMemory({"Llama-2-7B", "--type", "Q8_0", "--context", "4096"});
    EXPECT_TRUE(before["calibration"].is_null());
    const json measured = wordsMemory({"Llama-2-7B", "--type", "Q8_0", "--measured", log.string()});
    ASSERT_EQ(measured["measured"].size(), 1u);
    EXPECT_EQ(measured["measured"][0]["device"], "cpu");
    EXPECT_EQ(measured["measured"][0]["estimated"], before["total"]);
    const json after = wordsMemory({"Llama-2-7B", "--type", "Q8_0", "--context", "4096"});
    EXPECT_EQ(after["calibration"]["loads"], 1);
    EXPECT_EQ(after["total"].get<double>() - before["total"].get<double>(), after["calibration"]["shift"].get<double>());
    EXPECT_EQ(sumOfParts(after), after["total"]);
    const auto csv = runWb({"memory", "--measured-csv", "-"});
    EXPECT_EQ(csv.status, 0) << csv.err;
    EXPECT_TRUE(csv.out.starts_with("date,runtime,backend")) << csv.out;
    EXPECT_EQ(runWb({"memory", "--clear-measured"}).status, 0);
    EXPECT_TRUE(wordsMemory({"Llama-2-7B", "--type", "Q8_0", "--context", "4096"})["calibration"].is_null());
    EXPECT_EQ(runWb({"memory", "7B", "--measured", folder.file("other.log", "hello").string()}).status, 1);
}

} // namespace
} // namespace wb
