// SPDX-License-Identifier: MIT
#include "core/convert/gguf/adapter_plan.h"
#include "core/convert/gguf/convert_run.h"
#include "core/convert/restore/restore_folder.h"
#include "core/convert/weights/weights_item.h"
#include "core/convert/weights/weights_run.h"
#include "core/convert/run/work_files.h"
#include "core/formats/open.h"
#include "core/merge/adapters.h"
#include "core/merge/changes.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/convert/folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> families = {
    "llama",          "llama31",     "llama-k256",    "mixtral",       "ministral3", "smollm3",    "granite",        "granitemoe",
    "qwen2",          "qwen2moe",    "qwen3",         "qwen3-k256",    "qwen3moe",   "gemma",      "gemma2",         "gemma3",
    "gemma4",         "phi2",        "phi3",          "phi3-longrope", "gpt2",       "gpt-oss",    "glm4",           "glm4moe",
    "cohere",         "cohere2",     "exaone4",       "olmo2",         "olmo3",      "starcoder2", "stablelm",       "qwen3next",
    "qwen35",         "qwen35moe",   "qwen3vl",       "lfm2",          "lfm2moe",    "minimax-m2", "deepseek2-lite", "deepseek3",
    "glm47flash",     "llama4",      "hunyuan-dense", "ernie4_5-moe",  "gemma4moe",  "mistral4",   "granitehybrid",  "nemotron_h",
    "nemotron_h_moe", "kimi-linear", "glm-dsa",       "qwen4exp"};

ModelPtr opened(const fs::path& path) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto model = formats::open(path, options);
    EXPECT_TRUE(model) << path << ": " << model.error().message();
    return model ? *model : nullptr;
}

// The bytes of each tensor of a model by name, in its own type.
std::map<std::string, std::vector<std::byte>> modelBytes(const Model& model) {
    std::map<std::string, std::vector<std::byte>> all;
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.logical) continue;
        auto reader = TensorReader::open(model, tensor);
        EXPECT_TRUE(reader) << tensor.name;
        if (!reader) continue;
        auto& bytes = all[tensor.name];
        bytes.resize(reader->byteCount(reader->elements()));
        EXPECT_TRUE(reader->readRaw(0, reader->elements(), bytes)) << tensor.name;
    }
    return all;
}

std::vector<float> modelValues(const Model& model, const std::string& name) {
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.name != name || tensor.logical) continue;
        auto reader = TensorReader::open(model, tensor);
        std::vector<float> values(tensor.shape.elements());
        std::vector<std::byte> scratch;
        EXPECT_TRUE(reader && reader->readF32(0, values, scratch)) << name;
        return values;
    }
    ADD_FAILURE() << name << " is missing";
    return {};
}

Outcome write(ModelPtr model, const WeightsRequest& request, const fs::path& target, run::Verify verify = run::Verify::All) {
    auto plan = planWeights(std::move(model), request, target);
    EXPECT_TRUE(plan) << plan.error().message();
    if (!plan) return {};
    RunOptions options;
    options.verify = verify;
    auto done = runWeights(*plan, target, options, {});
    EXPECT_TRUE(done) << done.error().message();
    return done ? *done : Outcome{};
}

// The library's own files, written again, are the same files.
TEST(Weights, CopyEqualsTheLibrarysFile) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const char* const name : {"llama", "gemma3", "gpt-oss", "gpt2"}) {
        const fs::path target = folder.path() / name;
        write(opened(archFolder(name)), {.isFolder = true}, target);
        EXPECT_TRUE(test::readFile(target / "model.safetensors") == test::readFile(archFolder(name) / "model.safetensors")) << name;
        EXPECT_TRUE(test::readFile(target / "config.json") == test::readFile(archFolder(name) / "config.json")) << name;
    }
}

// Divided and joined again nothing changes.
TEST(Weights, ShardsAndJoinsToTheSameBytes) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    write(opened(archFolder("qwen3")), {.isFolder = true, .shardBytes = 100'000}, folder.path() / "shards");
    const ModelPtr shards = opened(folder.path() / "shards");
    ASSERT_TRUE(shards);
    EXPECT_TRUE(fs::exists(folder.path() / "shards/model.safetensors.index.json"));
    EXPECT_TRUE(modelBytes(*shards) == modelBytes(*opened(archFolder("qwen3"))));
    for (const auto& entry : fs::directory_iterator(folder.path() / "shards"))
        if (entry.path().extension() == ".safetensors") {
            EXPECT_LT(entry.file_size(), 110'000u) << entry.path();
        }
    write(shards, {}, folder.path() / "joined.safetensors");
    EXPECT_TRUE(test::readFile(folder.path() / "joined.safetensors") == test::readFile(archFolder("qwen3") / "model.safetensors"));
    write(shards, {.shardTensors = 5}, folder.path() / "five.safetensors");
    EXPECT_TRUE(fs::exists(folder.path() / "five.safetensors.index.json"));
}

TEST(Weights, DividesAsTheHubDoes) {
    const std::vector<std::uint64_t> sizes = {3, 4, 20, 2, 2, 5};
    EXPECT_EQ(safetensors::divide(sizes, 10, 0), (std::vector<std::size_t>{0, 0, 1, 0, 2, 2}));
    EXPECT_EQ(safetensors::divide(sizes, 0, 2), (std::vector<std::size_t>{0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(safetensors::shardName("model", 1, 12), "model-00002-of-00012.safetensors");
}

// What torch saved, whatever its form; storages that are shared are written once.
TEST(Weights, WritesWhatTorchSaved) {
    WB_NEED_SHARED("fixtures/torch");
    const test::TemporaryFolder folder;
    for (const char* const name : {"state_dict_dtypes.pt", "views.pt", "views_legacy.pt", "torch_0_1.tar.pt", "nested.pt",
                                   "sparse.pt", "quantized.pt", "big_endian.pt", "checkpoint_dict.pt"}) {
        SCOPED_TRACE(name);
        const ModelPtr source = opened(test::shared() / "fixtures/torch" / name);
        ASSERT_TRUE(source);
        const fs::path target = folder.path() / (std::string(name) + ".safetensors");
        const auto plan = planWeights(source, {}, target);
        ASSERT_TRUE(plan) << plan.error().message();
        write(source, {}, target);
        const ModelPtr written = opened(target);
        ASSERT_TRUE(written);
        EXPECT_EQ(written->tensors.size(), plan->tensors.size());
        for (const PlannedWeight& weight : plan->tensors) {
            const TensorInfo& tensor = source->tensors[weight.source];
            auto reader = TensorReader::open(*source, tensor);
            ASSERT_TRUE(reader);
            std::vector<std::byte> bytes(reader->byteCount(reader->elements()));
            ASSERT_TRUE(reader->readRaw(0, reader->elements(), bytes));
            EXPECT_TRUE(bytes == modelBytes(*written)[weight.name]) << weight.name;
        }
    }
}

TEST(Weights, WritesSharedStoragesOnce) {
    WB_NEED_SHARED("fixtures/torch");
    const test::TemporaryFolder folder;
    const ModelPtr source = opened(test::shared() / "fixtures/torch/views.pt");
    const auto plan = planWeights(source, {}, folder.path() / "views.safetensors");
    ASSERT_TRUE(plan);
    std::size_t stored = 0, dropped = 0;
    for (const TensorInfo& tensor : source->tensors) stored += !tensor.logical;
    for (const PlannedWeight& weight : plan->tensors) dropped += weight.dropped.size();
    EXPECT_EQ(plan->tensors.size() + dropped, stored);
    EXPECT_GT(dropped, 0u);
}

// One tensor of floats as another type, from numbers that do not fit it.
TEST(Weights, CountsWhatACastLoses) {
    const std::vector<double> numbers = {1.0, 70'000.0, -1e300, 1e-30, 449.0, 0.0, INFINITY, 464.0};
    const test::TemporaryFolder folder;
    std::string file;
    const std::string header = R"({"a":{"dtype":"F64","shape":[8],"data_offsets":[0,64]}}        )";
    const std::uint64_t length = header.size();
    file.append(reinterpret_cast<const char*>(&length), sizeof length);
    file += header;
    file.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
    const fs::path source = folder.file("a.safetensors", file);
    const auto remarks = [&](Dtype type, const char* name) {
        return write(opened(source), {.type = type}, folder.path() / name).remarks;
    };
    const auto f16 = remarks(Dtype::F16, "f16.safetensors");
    ASSERT_EQ(f16.size(), 2u);
    EXPECT_EQ(f16[0].arguments[0], "2"); // 70000 and -1e300
    EXPECT_EQ(f16[1].arguments[0], "1"); // 1e-30
    const auto f32 = remarks(Dtype::F32, "f32.safetensors");
    ASSERT_EQ(f32.size(), 1u);
    EXPECT_EQ(f32[0].arguments[0], "1");
    const auto f8 = remarks(Dtype::F8_E4M3, "f8.safetensors");
    ASSERT_EQ(f8.size(), 2u);
    EXPECT_EQ(f8[0].arguments[0], "3"); // 70000, -1e300, 464; 449 becomes 448
    const auto written = modelValues(*opened(folder.path() / "f8.safetensors"), "a");
    EXPECT_EQ(written[0], 1.0F);
    EXPECT_EQ(written[4], 448.0F);
    EXPECT_TRUE(std::isnan(written[6]));
}

// Every code of F8 is the nearest to itself, and a number between two goes to the nearer one.
TEST(Weights, CastsToF8ToNearest) {
    const test::TemporaryFolder folder;
    std::vector<float> values;
    const std::vector<float> halves = {1.0625F, 1.1875F, 0.0029296875F, -0.0009765625F, 0.0009765626F, 17.0F, 19.0F};
    std::string file;
    const std::string header = R"({"a":{"dtype":"F32","shape":[7],"data_offsets":[0,28]}}        )";
    const std::uint64_t length = header.size();
    file.append(reinterpret_cast<const char*>(&length), sizeof length);
    file += header;
    file.append(reinterpret_cast<const char*>(halves.data()), halves.size() * sizeof(float));
    write(opened(folder.file("a.safetensors", file)), {.type = Dtype::F8_E4M3}, folder.path() / "f8.safetensors");
    values = modelValues(*opened(folder.path() / "f8.safetensors"), "a");
    EXPECT_EQ(values, (std::vector<float>{1.0F, 1.25F, 0.00390625F, -0.0F, 0.001953125F, 16.0F, 20.0F}));
}

// Those of the text model, under its own names. Shards of an embedding come back as one, since the file does not state their
// number.
std::map<std::string, std::vector<std::byte>> folderTextBytes(const Model& folder) {
    const auto isLeftOut = [](const auto& entry) {
        return entry.first.starts_with("model.visual.") || entry.first.starts_with("vision_tower.") ||
               entry.first.starts_with("multi_modal_projector.");
    };
    std::map<std::string, std::vector<std::byte>> wanted;
    for (auto& [name, bytes] : modelBytes(folder)) {
        std::string plain = name;
        if (const std::size_t at = plain.find("language_model."); at != std::string::npos) plain.erase(at, 15);
        if (const std::size_t shard = plain.find(".shard_"); shard != std::string::npos) plain[shard + 7] = '0';
        wanted[plain].insert(wanted[plain].end(), bytes.begin(), bytes.end());
    }
    std::erase_if(wanted, isLeftOut);
    return wanted;
}

// The way back: names, types, shapes and bytes of the folder that the file was made of, and the same file of it again.
TEST(Restore, GivesBackTheFoldersOfArch) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const std::string& name : families) {
        SCOPED_TRACE(name);
        const ModelPtr gguf = opened(archFolder(name).parent_path() / "model.gguf");
        ASSERT_TRUE(gguf);
        auto restored = restoreFolder(gguf);
        EXPECT_TRUE(restored) << restored.error().message();
        if (!restored) continue;
        const auto found = modelBytes(*restored->model);
        const auto wanted = folderTextBytes(*opened(archFolder(name)));
        for (const auto& [tensor, bytes] : wanted) {
            const auto own = found.find(tensor);
            EXPECT_TRUE(own != found.end() && own->second == bytes) << tensor;
        }
        EXPECT_EQ(found.size(), wanted.size());
        const fs::path target = folder.path() / name / "hf";
        fs::create_directory(target.parent_path());
        write(restored->model, {.isFolder = true, .texts = restored->texts}, target);
        const fs::path again = folder.path() / (name + ".gguf");
        const auto plan = planFolder(target, {{}, "Hf", {}});
        EXPECT_TRUE(plan) << plan.error().message();
        if (!plan) continue;
        ASSERT_TRUE(runConvert(*plan, again, {}, {}));
        const auto written = test::readFile(again), reference = test::readFile(archFolder(name).parent_path() / "model.gguf");
        EXPECT_TRUE(written == reference);
    }
}

TEST(Restore, RefusesWhatItDoesNotKnow) {
    const SmallFolder small;
    const test::TemporaryFolder folder;
    convertFolder(small.folder.path(), folder.path() / "small.gguf");
    std::string bytes = fileText(folder.path() / "small.gguf");
    bytes.replace(bytes.find("llama"), 5, "mamba");
    const auto restored = restoreFolder(opened(folder.file("mamba.gguf", bytes)));
    ASSERT_FALSE(restored);
    EXPECT_EQ(restored.error().reason, unknownArchitecture);
}

fs::path peftFolder(const std::string& name) { return test::shared() / "fixtures/torch/peft" / name; }

nlohmann::json expectedFromName(const std::string& name) {
    std::ifstream file(peftFolder(name).parent_path() / (name + ".expected.json"));
    return nlohmann::json::parse(file);
}

// As PEFT's own merge, and nothing else changes.
TEST(Merge, EqualsPeft) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const test::TemporaryFolder folder;
    for (const char* const name : {"lora", "lora_rs", "lora_layers", "lora_patterns", "lora_bias", "lora_bias_embed_saved",
                                   "lora_gpt2_fan_in", "dora", "dora_gpt2", "adalora", "ia3", "loha", "lokr", "oft", "vera"}) {
        SCOPED_TRACE(name);
        const auto expected = expectedFromName(name);
        const double tolerance = expected.value("merge_tolerance", 1e-6);
        const ModelPtr base = opened(peftFolder(expected["base"])), adapter = opened(peftFolder(name));
        ASSERT_TRUE(base && adapter);
        const merge::Adapter adapters[] = {{adapter, 1}};
        const auto merged = merge::mergeAdapters(base, adapters);
        ASSERT_TRUE(merged) << merged.error().message();
        const fs::path target = folder.path() / (std::string(name) + ".safetensors");
        write(*merged, {}, target);
        const ModelPtr written = opened(target), truth = opened(peftFolder(name) / "merged.safetensors");
        std::set<std::string> changed;
        for (const auto& tensor : expected["merged_changed"]) changed.insert(tensor);
        const auto before = modelBytes(*base), after = modelBytes(*written);
        EXPECT_EQ(before.size(), after.size());
        for (const auto& [tensor, bytes] : after) {
            if (!changed.contains(tensor)) {
                EXPECT_TRUE(before.at(tensor) == bytes) << tensor;
                continue;
            }
            const auto ours = modelValues(*written, tensor), theirs = modelValues(*truth, tensor);
            ASSERT_EQ(ours.size(), theirs.size()) << tensor;
            double worst = 0;
            for (std::size_t i = 0; i < ours.size(); ++i) worst = std::max(worst, std::abs(double{ours[i]} - double{theirs[i]}));
            EXPECT_LE(worst, std::max(tolerance, 1e-6)) << tensor;
        }
    }
}

// The merged model has its experts stacked: without the adapter they are those of the base, which has them one by one.
TEST(Merge, TakesLoraOfStackedExperts) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const fs::path folder = peftFolder("lora_moe_parameters");
    const ModelPtr merged = opened(folder / "merged.safetensors"), adapter = opened(folder),
                   base = opened(peftFolder("base_mixtral"));
    ASSERT_TRUE(merged && adapter && base);
    const merge::Adapter adapters[] = {{adapter, -1}};
    const auto without = merge::mergeAdapters(merged, adapters);
    ASSERT_TRUE(without) << without.error().message();
    const auto down = modelValues(**without, "model.layers.0.mlp.experts.down_proj"),
               joined = modelValues(**without, "model.layers.0.mlp.experts.gate_up_proj");
    EXPECT_NE(down, modelValues(*merged, "model.layers.0.mlp.experts.down_proj"));
    std::vector<float> wantedDown, wantedJoined;
    for (int expert = 0; expert < 4; ++expert)
        for (const auto& [part, into] :
             {std::pair("w2", &wantedDown), std::pair("w1", &wantedJoined), std::pair("w3", &wantedJoined)}) {
            const auto values =
                modelValues(*base, fmt::format("model.layers.0.block_sparse_moe.experts.{}.{}.weight", expert, part));
            into->insert(into->end(), values.begin(), values.end());
        }
    ASSERT_EQ(down.size(), wantedDown.size());
    ASSERT_EQ(joined.size(), wantedJoined.size());
    for (std::size_t i = 0; i < down.size(); ++i) ASSERT_NEAR(down[i], wantedDown[i], 2e-6);
    for (std::size_t i = 0; i < joined.size(); ++i) ASSERT_NEAR(joined[i], wantedJoined[i], 2e-6);
}

// The same numbers under the names of the Kohya scripts: "lora_te_model_layers_0_self_attn_q_proj.lora_down.weight".
std::string kohyaFile(const fs::path& peft, double alpha, const std::function<void(nlohmann::json&)>& edit = {}) {
    const std::string file = fileText(peft);
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    std::string data = file.substr(8 + length);
    nlohmann::json header;
    const auto own = nlohmann::json::parse(file.substr(8, length));
    for (const auto& [name, entry] : own.items()) {
        if (name == "__metadata__") continue;
        const std::size_t end = name.find(".lora_");
        std::string module = name.substr(17, end - 17);
        std::ranges::replace(module, '.', '_');
        module = "lora_te_" + module;
        header[module + (name[end + 6] == 'A' ? ".lora_down.weight" : ".lora_up.weight")] = entry;
        header[module + ".alpha"] = {
            {"dtype", "F32"}, {"shape", std::vector<int>()}, {"data_offsets", {data.size(), data.size() + 4}}};
        if (name[end + 6] == 'B') continue;
        const auto value = static_cast<float>(alpha);
        data.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    std::map<std::string, std::size_t> offsets; // of the numbers, each once
    std::size_t at = file.size() - 8 - length;
    for (auto& [name, entry] : header.items())
        if (name.ends_with(".alpha")) entry["data_offsets"] = {at, at + 4}, at += 4;
    if (edit) edit(header);
    const std::string text = header.dump();
    length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data;
}

TEST(Merge, TakesKohyaNames) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const test::TemporaryFolder folder;
    const ModelPtr base = opened(peftFolder("base_llama")), peft = opened(peftFolder("lora"));
    const auto config = nlohmann::json::parse(std::ifstream(peftFolder("lora") / "adapter_config.json"));
    const fs::path file = peftFolder("lora") / "adapter_model.safetensors";
    const ModelPtr kohya = opened(folder.file("kohya.safetensors", kohyaFile(file, config["lora_alpha"].get<double>())));
    ASSERT_TRUE(base && peft && kohya);
    for (const double scale : {1.0, -0.5}) {
        const merge::Adapter one[] = {{peft, scale}}, other[] = {{kohya, scale}};
        const auto truth = merge::mergeAdapters(base, one), merged = merge::mergeAdapters(base, other);
        ASSERT_TRUE(truth && merged) << merged.error().message();
        const auto wanted = modelBytes(**truth);
        std::size_t changed = 0;
        for (const auto& [name, bytes] : modelBytes(**merged)) {
            const auto before = modelValues(*base, name), ours = modelValues(**merged, name), theirs = modelValues(**truth, name);
            changed += ours != before;
            for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], theirs[i], 1e-6) << name;
            EXPECT_EQ(bytes.size(), wanted.at(name).size());
        }
        EXPECT_GT(changed, 0u);
    }
}

TEST(Merge, RefusesKohyaFilesThatDoNotFit) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const ModelPtr base = opened(peftFolder("base_llama"));
    const fs::path file = peftFolder("lora") / "adapter_model.safetensors";
    const auto rename = [](nlohmann::json& header, const std::string& from, const std::string& to) {
        const nlohmann::json before = header;
        for (const auto& [name, entry] : before.items())
            if (const std::size_t at = name.find(from); at != std::string::npos) {
                header[std::string(name).replace(at, from.size(), to)] = entry;
                header.erase(name);
            }
    };
    const std::tuple<const char*, const char*, const char*> edits[] = {{"q_proj", "x_proj", "merge.no_such_tensor"},
                                                                       {"q_proj", "down_proj", "merge.no_such_tensor"},
                                                                       {"lora_up", "lora_mid", "merge.adapter_tensor"},
                                                                       {"lora_down", "lora_low", "merge.adapter_tensor"},
                                                                       {"self_attn_q_proj", "self_attn_k_proj", "merge.shape"}};
    for (const auto& [from, to, reason] : edits) {
        SCOPED_TRACE(to);
        const test::TemporaryFolder folder;
        const auto bytes = kohyaFile(file, 4, [&](nlohmann::json& header) { rename(header, from, to); });
        const merge::Adapter adapters[] = {{opened(folder.file("kohya.safetensors", bytes)), 1}};
        const auto merged = merge::mergeAdapters(base, adapters);
        ASSERT_FALSE(merged);
        EXPECT_EQ(merged.error().reason.id(), std::string(reason)) << merged.error().message();
    }
}

// In this order: the second changes what the first made, and half of a change lies half way.
TEST(Merge, AppliesKindsOneAfterAnother) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const ModelPtr base = opened(peftFolder("base_llama")), lora = opened(peftFolder("lora")), oft = opened(peftFolder("oft"));
    const merge::Adapter first[] = {{lora, 1}, {oft, 1}}, second[] = {{oft, 1}, {lora, 1}}, half[] = {{oft, 0.5}},
                         whole[] = {{oft, 1}};
    const auto one = merge::mergeAdapters(base, first), two = merge::mergeAdapters(base, second),
               part = merge::mergeAdapters(base, half), all = merge::mergeAdapters(base, whole);
    ASSERT_TRUE(one && two && part && all);
    const std::string name = "model.layers.0.self_attn.q_proj.weight";
    const auto a = modelValues(**one, name), b = modelValues(**two, name), between = modelValues(**part, name),
               end = modelValues(**all, name), begin = modelValues(*base, name);
    double difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference = std::max(difference, std::abs(double{a[i]} - double{b[i]}));
        EXPECT_NEAR(between[i], (begin[i] + end[i]) / 2, 1e-6);
    }
    EXPECT_GT(difference, 1e-5);
}

// The merged weight W' = W · Rᵀ of R (I + Q) = I - Q solves W' (I - Q) = W (I + Q), block by block.
TEST(Merge, AppliesTheExactCayleyTransform) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const test::TemporaryFolder folder;
    auto config = nlohmann::json::parse(std::ifstream(peftFolder("oft") / "adapter_config.json"));
    config["use_cayley_neumann"] = false;
    folder.file("adapter_config.json", config.dump());
    fs::copy_file(peftFolder("oft") / "adapter_model.safetensors", folder.path() / "adapter_model.safetensors");
    const ModelPtr base = opened(peftFolder("base_llama")), exact = opened(folder.path()), series = opened(peftFolder("oft"));
    ASSERT_TRUE(base && exact && series);
    const merge::Adapter one[] = {{exact, 1}}, other[] = {{series, 1}};
    const auto merged = merge::mergeAdapters(base, one), approximate = merge::mergeAdapters(base, other);
    ASSERT_TRUE(merged && approximate) << merged.error().message();
    const std::string module = "model.layers.0.self_attn.q_proj";
    const auto before = modelValues(*base, module + ".weight"), after = modelValues(**merged, module + ".weight");
    const auto triangles = modelValues(*exact, "base_model.model." + module + ".oft_R.weight");
    EXPECT_NE(after, modelValues(**approximate, module + ".weight"));
    const std::size_t side = config["oft_block_size"].get<std::size_t>(), each = side * (side - 1) / 2;
    const std::size_t columns = triangles.size() / each * side;
    ASSERT_EQ(after.size() % columns, 0u);
    for (std::size_t row = 0; row < after.size() / columns; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t block = column / side, c = column % side;
            double left = after[row * columns + column], right = before[row * columns + column];
            for (std::size_t k = 0; k < side; ++k) {
                if (k == c) continue;
                const std::size_t low = std::min(k, c), high = std::max(k, c);
                const std::size_t at = low * side - low * (low + 1) / 2 + (high - low - 1);
                const double q = (k < c ? 1 : -1) * double{triangles[block * each + at]}; // Q[k][c]
                left -= after[row * columns + block * side + k] * q;
                right += before[row * columns + block * side + k] * q;
            }
            ASSERT_NEAR(left, right, 1e-5) << row << " " << column;
        }
}

// One setting or tensor changed in a copy of an adapter.
TEST(Merge, RefusesKindsThatDoNotFit) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const ModelPtr base = opened(peftFolder("base_llama"));
    const std::tuple<const char*, const char*, const char*, const char*, const char*> edits[] = {
        {"oft", R"({"use_cayley_neumann": null})", "", "", "merge.adapter_kind"},
        {"oft", R"({"coft": true})", "", "", "merge.adapter_kind"},
        {"oft", R"({"num_cayley_neumann_terms": 1e9})", "", "", "merge.adapter_kind"},
        {"oft", "{}", "down_proj", "gate_proj", "merge.shape"},
        {"vera", "{}", "base_model.vera_A", "base_model.vera_C", "merge.adapter_kind"},
        {"vera", "{}", "vera_lambda_d", "vera_lambda_x", "merge.no_partner"},
        {"adalora", "{}", "lora_E", "lora_F", "merge.no_partner"},
        {"adalora", R"({"lora_alpha": null})", "", "", "merge.no_alpha"},
        {"ia3", "{}", "k_proj", "q_proj", "merge.shape"},
        {"loha", R"({"alpha_pattern": {".*": 2}})", "", "", "merge.no_alpha"},
        {"loha", "{}", "hada_w2_b", "hada_w9_b", "merge.no_partner"},
        {"lokr", R"({"r": 0})", "", "", "merge.no_alpha"},
        {"lokr", "{}", "down_proj", "gate_proj", "merge.shape"},
        {"dora", "{}", "lora_B.weight", "lora_C.weight", "merge.no_partner"},
        {"dora", R"({"peft_type": "PROMPT_TUNING"})", "", "", "merge.adapter_kind"},
    };
    for (const auto& [name, patch, from, to, reason] : edits) {
        SCOPED_TRACE(std::string(name) + patch + from);
        const test::TemporaryFolder folder;
        auto config = nlohmann::json::parse(std::ifstream(peftFolder(name) / "adapter_config.json"));
        config.merge_patch(nlohmann::json::parse(patch));
        folder.file("adapter_config.json", config.dump());
        std::string bytes = fileText(peftFolder(name) / "adapter_model.safetensors");
        for (std::size_t at = 0; *from != 0 && (at = bytes.find(from, at)) != std::string::npos; at += 1) {
            std::uint64_t length = 0;
            std::memcpy(&length, bytes.data(), sizeof length);
            length += std::strlen(to) - std::strlen(from);
            std::memcpy(bytes.data(), &length, sizeof length);
            bytes.replace(at, std::strlen(from), to);
        }
        folder.file("adapter_model.safetensors", bytes);
        const merge::Adapter adapters[] = {{opened(folder.path()), 1}};
        ASSERT_TRUE(adapters[0].model);
        const auto merged = merge::mergeAdapters(base, adapters);
        ASSERT_FALSE(merged);
        EXPECT_EQ(merged.error().reason.id(), std::string(reason)) << merged.error().message();
    }
}

// What PEFT wrote before it wrote safetensors: the same adapter as a pickle.
TEST(Merge, TakesAnAdapterOfPyTorch) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const test::TemporaryFolder folder, out;
    const fs::path own = folder.path() / "lora"; // which names the GGUF file
    fs::create_directory(own);
    for (const char* const file : {"adapter_config.json", "adapter_model.bin"})
        fs::copy_file(peftFolder("lora") / file, own / file);
    const ModelPtr base = opened(peftFolder("base_llama")), pickle = opened(own), safe = opened(peftFolder("lora"));
    ASSERT_TRUE(base && pickle && safe);
    EXPECT_EQ(pickle->format, FormatId::Peft);
    const merge::Adapter one[] = {{pickle, 1}}, other[] = {{safe, 1}};
    const auto merged = merge::mergeAdapters(base, one), truth = merge::mergeAdapters(base, other);
    ASSERT_TRUE(merged && truth) << merged.error().message();
    write(*merged, {}, out.path() / "one.safetensors");
    write(*truth, {}, out.path() / "other.safetensors");
    EXPECT_TRUE(test::readFile(out.path() / "one.safetensors") == test::readFile(out.path() / "other.safetensors"));
    const auto plan = planAdapter(pickle, base, {}), reference = planAdapter(safe, base, {});
    ASSERT_TRUE(plan && reference);
    ASSERT_TRUE(runConvert(*plan, out.path() / "one.gguf", {}, {}) && runConvert(*reference, out.path() / "other.gguf", {}, {}));
    EXPECT_TRUE(test::readFile(out.path() / "one.gguf") == test::readFile(out.path() / "other.gguf"));
}

// Twice half of it is all of it, but for rounding; a negative one takes it away.
TEST(Merge, AddsSeveralWithTheirScales) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const ModelPtr base = opened(peftFolder("base_llama")), adapter = opened(peftFolder("lora"));
    const merge::Adapter once[] = {{adapter, 1}}, halves[] = {{adapter, 0.5}, {adapter, 0.5}},
                         none[] = {{adapter, 1}, {adapter, -1}};
    const auto one = merge::mergeAdapters(base, once), two = merge::mergeAdapters(base, halves),
               zero = merge::mergeAdapters(base, none);
    ASSERT_TRUE(one && two && zero);
    const std::string name = "model.layers.0.self_attn.q_proj.weight";
    const auto whole = modelValues(**one, name), sum = modelValues(**two, name), same = modelValues(**zero, name),
               own = modelValues(*base, name);
    double change = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_NEAR(whole[i], sum[i], 1e-6);
        EXPECT_NEAR(own[i], same[i], 1e-6);
        change = std::max(change, std::abs(double{whole[i]} - double{own[i]}));
    }
    EXPECT_GT(change, 1e-3);
}

// A LoRA adapter of rank 2 for one matrix of the small folder; `first` is the first number of A.
fs::path smallAdapter(const test::TemporaryFolder& folder, float first = -0.13F) {
    const std::string name = "base_model.model.model.layers.0.self_attn.q_proj.lora_";
    const auto entry = [&name](const char* part, std::vector<int> shape, int begin) {
        return std::pair(name + part + ".weight",
                         nlohmann::json{{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, begin + 64}}});
    };
    const std::string header =
        nlohmann::json(std::map<std::string, nlohmann::json>{entry("A", {2, 8}, 0), entry("B", {8, 2}, 64)}).dump();
    const std::uint64_t length = header.size();
    std::string file(reinterpret_cast<const char*>(&length), sizeof length);
    file += header;
    for (int i = 0; i < 32; ++i) {
        const float value = i == 0 ? first : 0.01F * static_cast<float>(i - 13);
        file.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    folder.file("adapter_model.safetensors", file);
    folder.file("adapter_config.json", R"({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["q_proj"]})");
    return folder.path();
}

// Merged on the way to a GGUF file, and merged into a folder that is converted then, are the same.
TEST(Merge, BecomesGgufInOnePass) {
    const SmallFolder small;
    const test::TemporaryFolder adapter, out;
    const merge::Adapter adapters[] = {{opened(smallAdapter(adapter)), 0.5}};
    const auto merged = merge::mergeAdapters(opened(small.folder.path()), adapters);
    ASSERT_TRUE(merged) << merged.error().message();
    const auto changes = merge::mergeChanges(**merged, 1, {});
    ASSERT_TRUE(changes && changes->size() == 1);
    EXPECT_GT(changes->begin()->second.changedRatio(), 0.5);
    EXPECT_GT(changes->begin()->second.relativeChange().value_or(0), 0.0);
    write(*merged, {.isFolder = true}, out.path() / "hf");
    for (const auto type : {gguf::FileType::F16, gguf::FileType::Q8_0}) {
        const auto plan = planConvert(*merged, {type, "Same", {}});
        ASSERT_TRUE(plan) << plan.error().message();
        ASSERT_TRUE(runConvert(*plan, out.path() / "one.gguf", {.replace = true}, {}));
        convertFolder(out.path() / "hf", out.path() / "two.gguf", {type, "Same", {}});
        convertFolder(small.folder.path(), out.path() / "base.gguf", {type, "Same", {}});
        const auto one = test::readFile(out.path() / "one.gguf");
        EXPECT_TRUE(one == test::readFile(out.path() / "two.gguf"));
        EXPECT_FALSE(one == test::readFile(out.path() / "base.gguf"));
        fs::remove(out.path() / "two.gguf");
        fs::remove(out.path() / "base.gguf");
    }
}

// A number of A that is none spoils a column of W, which is said with its tensor.
TEST(Merge, SaysWhatIsNoNumber) {
    const SmallFolder small;
    const test::TemporaryFolder adapter, out;
    const merge::Adapter adapters[] = {{opened(smallAdapter(adapter, NAN)), 1}};
    const auto merged = merge::mergeAdapters(opened(small.folder.path()), adapters);
    ASSERT_TRUE(merged) << merged.error().message();
    const auto remarks = write(*merged, {}, out.path() / "merged.safetensors").remarks;
    ASSERT_EQ(remarks.size(), 1u);
    EXPECT_EQ(remarks[0].code, Reason("convert.not_finite"));
    EXPECT_EQ(remarks[0].arguments[0], "8");
    EXPECT_EQ(remarks[0].arguments[1], "model.layers.0.self_attn.q_proj.weight");
}

// A training that went astray; the merged weights would be spoilt without a word.
TEST(Merge, SaysWhichTensorOfAnAdapterIsNotFinite) {
    const SmallFolder small;
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity(), 0.5F}) {
        const test::TemporaryFolder adapter;
        const merge::Adapter adapters[] = {{opened(smallAdapter(adapter, value)), 1}};
        const auto merged = merge::mergeAdapters(opened(small.folder.path()), adapters);
        ASSERT_TRUE(merged) << merged.error().message();
        const auto gguf = planConvert(*merged, {gguf::FileType::F16, "Same", {}});
        const auto weights = planWeights(*merged, {.isFolder = true}, adapter.path() / "hf");
        ASSERT_TRUE(gguf && weights);
        for (const auto& problems : {gguf->problems, weights->problems}) {
            const auto remark = std::ranges::find(problems, Reason("merge.not_finite"), &Problem::code);
            ASSERT_EQ(remark == problems.end(), std::isfinite(value)) << value;
            if (std::isfinite(value)) continue;
            EXPECT_EQ(remark->severity, Severity::Warning);
            EXPECT_TRUE(remark->message().starts_with("1 values of base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"))
                << remark->message();
        }
    }
}

TEST(Merge, ChecksOfAdaptersAreCanceled) {
    const SmallFolder small;
    const test::TemporaryFolder adapter;
    const merge::Adapter adapters[] = {{opened(smallAdapter(adapter)), 1}};
    std::stop_source stop;
    stop.request_stop();
    const auto merged = merge::mergeAdapters(opened(small.folder.path()), adapters, stop.get_token());
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().code, ErrorCode::Canceled);
}

// Of another model, and of experts that the base stores one by one.
TEST(Merge, RefusesAdaptersOfAnotherModel) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const merge::Adapter experts[] = {{opened(peftFolder("lora_moe_parameters")), 1}};
    const auto unstacked = merge::mergeAdapters(opened(peftFolder("base_mixtral")), experts);
    ASSERT_FALSE(unstacked);
    EXPECT_EQ(unstacked.error().reason, Reason("merge.no_such_tensor"));
    const merge::Adapter foreign[] = {{opened(peftFolder("lora")), 1}};
    const auto merged = merge::mergeAdapters(opened(peftFolder("base_gpt2")), foreign);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().reason, Reason("merge.no_such_tensor"));
}

// Without a scale nothing would be added, and nobody would see it.
TEST(Merge, RefusesAnAdapterWithoutItsScale) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const test::TemporaryFolder folder;
    for (const auto& entry : fs::directory_iterator(peftFolder("lora"))) {
        const auto bytes = test::readFile(entry.path());
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (const std::size_t at = text.find("\"lora_alpha\": 9"); at != std::string::npos)
            text.replace(at, 15, "\"lora_alpha\": \"9\"");
        folder.file(entry.path().filename().string(), text);
    }
    const merge::Adapter adapters[] = {{opened(folder.path()), 1}};
    const auto merged = merge::mergeAdapters(opened(peftFolder("base_llama")), adapters);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().reason, Reason("merge.no_alpha"));
}

// golden/lora_gguf: whole files where the reference is right, else everything but what it leaves out.
TEST(AdapterPlan, EqualsTheReferenceWhereItIsRight) {
    WB_NEED_SHARED("golden/lora_gguf");
    const test::TemporaryFolder folder;
    std::ifstream file(test::shared() / "golden/lora_gguf/expected.json");
    const auto golden = nlohmann::json::parse(file);
    for (const char* const name : {"lora", "lora_layers", "lora_rs", "lora_patterns"}) {
        SCOPED_TRACE(name);
        const auto& expected = golden[name];
        const auto plan = planAdapter(opened(peftFolder(name)), opened(peftFolder(expected["base"])), {});
        ASSERT_TRUE(plan) << plan.error().message();
        const fs::path target = folder.path() / (std::string(name) + ".gguf");
        const auto done = runConvert(*plan, target, {}, {});
        ASSERT_TRUE(done) << done.error().message();
        const fs::path reference = test::shared() / "golden/lora_gguf" / std::string(expected["file"]);
        if (expected["right"]) {
            EXPECT_TRUE(test::readFile(target) == test::readFile(reference));
        }
        const ModelPtr ours = opened(target), theirs = opened(reference);
        ASSERT_EQ(ours->tensors.size(), theirs->tensors.size());
        const double alpha = *ours->metadata.find("adapter.lora.alpha")->number();
        for (std::size_t i = 0; i < ours->tensors.size(); ++i) {
            const std::string& tensor = ours->tensors[i].name;
            EXPECT_EQ(tensor, theirs->tensors[i].name);
            const auto mine = modelValues(*ours, tensor), other = modelValues(*theirs, tensor);
            const bool isB = tensor.ends_with(".lora_b");
            const auto& scale = expected["scales"][tensor.substr(0, tensor.size() - 7)];
            const double rank = scale["rank"], right = scale["right"];
            // What the runtime multiplies with is ours; the rest of the right factor has to be in B.
            const double inB = isB ? right / (alpha / rank) : 1;
            for (std::size_t j = 0; j < mine.size(); ++j)
                EXPECT_NEAR(mine[j], other[j] * inB, 1e-6 * std::abs(other[j] * inB)) << tensor;
        }
    }
}

TEST(AdapterPlan, RefusesWhatItCannotSay) {
    WB_NEED_SHARED("fixtures/torch/peft");
    for (const char* const name : {"lora_bias", "lora_bias_embed_saved", "lora_gpt2_fan_in", "dora", "ia3", "vera"}) {
        const auto plan = planAdapter(opened(peftFolder(name)), opened(peftFolder(expectedFromName(name)["base"])), {});
        EXPECT_FALSE(plan) << name;
    }
}

// A run that ends in the middle leaves nothing under the final names, and goes on to the same bytes.
TEST(Weights, CanceledRunsResume) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const ModelPtr source = opened(archFolder("llama-k256"));
    const WeightsRequest request{.isFolder = true, .shardBytes = 1'000'000};
    write(source, request, folder.path() / "whole");
    const fs::path target = folder.path() / "cut";
    const auto plan = planWeights(source, request, target);
    ASSERT_TRUE(plan);
    for (int round = 0; round < 3; ++round) {
        std::stop_source stop;
        std::atomic<int> calls = 0;
        const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) {
                                    if (++calls == 3) stop.request_stop();
                                }};
        RunOptions options;
        options.threads = 1;
        const auto done = runWeights(*plan, target, options, progress);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, ErrorCode::Canceled);
        for (const fs::path& path : plan->paths(target)) EXPECT_FALSE(fs::exists(path)) << path;
    }
    const auto done = runWeights(*plan, target, {}, {});
    ASSERT_TRUE(done) << done.error().message();
    EXPECT_GT(done->resumedItems, 0u);
    for (const auto& entry : fs::directory_iterator(folder.path() / "whole"))
        EXPECT_TRUE(test::readFile(entry.path()) == test::readFile(target / entry.path().filename())) << entry.path();
    EXPECT_FALSE(fs::exists(run::journalPath(target)));
}

// A refusal leaves no folder behind.
TEST(Weights, RefusalLeavesNothing) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const ModelPtr source = opened(archFolder("llama"));
    const fs::path target = folder.path() / "taken";
    fs::create_directory(target);
    std::ofstream(target / "config.json") << "{}";
    const auto plan = planWeights(source, {.isFolder = true}, target);
    ASSERT_TRUE(plan);
    const auto done = runWeights(*plan, target, {}, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().reason, run::targetExists);
    EXPECT_EQ(std::distance(fs::directory_iterator(target), fs::directory_iterator()), 1);
    EXPECT_FALSE(fs::exists(run::journalPath(target)));
}

} // namespace
} // namespace wb::convert
