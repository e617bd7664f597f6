// SPDX-License-Identifier: MIT
#include "core/convert/gguf/convert_run.h"
#include "core/convert/gguf/converted_model.h"
#include "core/convert/gguf/tensor_view.h"
#include "core/convert/gguf/vocabulary.h"
#include "core/convert/run/work_files.h"
#include "core/io/digests/sha256.h"
#include "core/text/splitting_rule.h"
#include "tests/unit/convert/folder.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

// What the reference converter writes, byte for byte.
TEST(Convert, EqualsTheReferenceFiles) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const char* const name :
         {"llama",         "llama31",      "llama-k256", "mixtral",        "ministral3",    "smollm3",       "granite",
          "granitemoe",    "qwen2",        "qwen2moe",   "qwen3",          "qwen3-k256",    "qwen3moe",      "gemma",
          "gemma2",        "gemma3",       "gemma4",     "phi2",           "phi3",          "phi3-longrope", "gpt2",
          "gpt-oss",       "glm4",         "glm4moe",    "cohere",         "cohere2",       "exaone4",       "olmo2",
          "olmo3",         "starcoder2",   "stablelm",   "qwen3next",      "qwen35",        "qwen35moe",     "qwen3vl",
          "lfm2",          "lfm2moe",      "minimax-m2", "deepseek2-lite", "deepseek3",     "glm47flash",    "llama4",
          "hunyuan-dense", "ernie4_5-moe", "gemma4moe",  "mistral4",       "granitehybrid", "nemotron_h",    "nemotron_h_moe",
          "kimi-linear",   "glm-dsa",      "qwen4exp"}) {
        const fs::path target = folder.path() / (std::string(name) + ".gguf");
        SCOPED_TRACE(name);
        convertFolder(archFolder(name), target);
        EXPECT_TRUE(test::readFile(target) == test::readFile(archFolder(name).parent_path() / "model.gguf")) << name;
    }
}

// The reference's --outtype.
TEST(Convert, EqualsTheReferenceOutTypes) {
    WB_NEED_SHARED("golden/convert_outtypes");
    const test::TemporaryFolder folder;
    const std::pair<const char*, gguf::FileType> types[] = {{"f32", gguf::FileType::F32},     {"f16", gguf::FileType::F16},
                                                            {"bf16", gguf::FileType::BF16},   {"q8_0", gguf::FileType::Q8_0},
                                                            {"tq1_0", gguf::FileType::TQ1_0}, {"tq2_0", gguf::FileType::TQ2_0}};
    for (const std::string name : {"llama-k256", "qwen3-k256", "mixtral", "gemma3", "gemma4", "gpt-oss"}) {
        std::ifstream golden(test::shared() / "golden/convert_outtypes" / (name + ".json"));
        const auto expected = nlohmann::json::parse(golden)["outtypes"];
        for (const auto& [word, type] : types) {
            const fs::path target = folder.path() / (name + word + ".gguf");
            convertFolder(archFolder(name), target, {type, "Hf", {}});
            io::Sha256 hash;
            hash.update(test::readFile(target));
            EXPECT_EQ(io::hexText(*hash.finish()), expected[word]["file_sha256"]) << name << " " << word;
        }
    }
}

// Folders as others publish them: what the reference makes of one that is changed like this, with --model-name Hf.
struct Variation {
    const char* base;  // of shared/arch
    const char* file;  // that is changed
    const char* patch; // merged into it (RFC 7396)
    const char* sha256;
};

constexpr Variation variations[] = {
    {"llama", "config.json", R"({"head_dim": null})", "07f011c0511b9b07c2597ef62f86ec85fbf89d994a7c17307ffe7b0c30a0c9f5"},
    {"llama", "config.json", R"({"rope_scaling": {"type": "yarn", "factor": 2.0}})",
     "c143cfa8dc6b07361cbb8089753f124b357e600767c28299385a0269f5031b3e"},
    {"mixtral", "config.json",
     R"({"rope_parameters": null, "rope_theta": 1000000.0,
         "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                          "original_max_position_embeddings": 64}})",
     "fe79c38fde40039468bb3f97fbbf1253e42f4a9370c4c724e54735f4bab1c6c3"},
    {"olmo3", "config.json", R"({"layer_types": null})", "a10f9a15dd4d4521dabe792e4a04b1680600ece072ff0415c960bf3bb2967de0"},
    {"qwen3", "generation_config.json",
     R"({"temperature": 0.6, "top_k": 20, "top_p": 0.95, "eos_token_id": [3, 4], "repetition_penalty": 1.05, "min_p": 0.1})",
     "227cab4951abcfb83e6efb88f0889b76fb60b34540e578346e84bdd9d3301f9a"},
    {"gpt-oss", "config.json", R"({"quantization_config": null})",
     "7a63d37819b218445627a5d553b5e53832dfae17d436b6f34efc5c357c1f8cc3"},
};

constexpr Variation completions[] = {
    {"gemma3", "config.json", R"({"rms_norm_eps": null})", "d355d85d616ab9b4d6d83f0e9d81f62c308623c4dddfb7adff21d97eda97572e"},
    {"gemma3", "config.json", R"({"rope_parameters": null})", "4164fc17398f9840b998ec6a6f765510a856b71990dd089c9cc411016e09fd18"},
    {"gemma3", "config.json", R"({"sliding_window": null})", "282d556551d4a68b3ffdcbde3c9709f508e42246a5c57cd9aa7d612002dbc7f1"},
    {"mixtral", "config.json", R"({"num_experts_per_tok": null})",
     "9f456fe2bd93acd76abf4512717575686d2319de1a4ef376d069e553476b49f7"},
    {"mixtral", "config.json", R"({"rope_parameters": null})", "9f456fe2bd93acd76abf4512717575686d2319de1a4ef376d069e553476b49f7"},
    {"gemma2", "config.json", R"({"final_logit_softcapping": null})",
     "249b1921e0d88941050cda037d73cfa2a7c0acfdd19ce524f6aef977d491b827"},
    {"cohere2", "config.json", R"({"logit_scale": null})", "f0a00809e01e35d7e68fdfb23164866fea7f55b2c9d84d23551c945caa645afe"},
    {"qwen3", "config.json", R"({"rms_norm_eps": null})", "60a77bf8aa6dbf32017ba284a8863f8106b478df753abde4eb32ee4d9ea8ec41"},
    {"phi2", "config.json", R"({"rope_parameters": null})", "c4e0678b1c467a279f22ce2b0bba0c7c0c46f5479c45e03c6977d9b6da885412"},
    {"granite", "config.json", R"({"embedding_multiplier": null})",
     "a18d27fa3fd25c80ffdd55cbb472df3d4a856333140b52c7e2e10fa2ffa23715"},
    {"gpt-oss", "config.json", R"({"rope_parameters": null})", "c27162e984e642994e6e9408273de86544e6ac3b422d8943655b28bdc980d061"},
    {"ministral3", "config.json", R"({"rope_parameters": null})",
     "12e77919da9c48b60ec133c744c71fa035d20df60d70d1bb6bc5d4db20bed8e1"},
    {"stablelm", "config.json", R"({"use_parallel_residual": null})",
     "e2cc43ed9f0477b44070d1cede5f211776ce0d228bc2006fdb8bfee333e1075c"},
};

void copyFolder(const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const auto& entry : fs::directory_iterator(from)) {
        std::ofstream copy(to / entry.path().filename(), std::ios::binary); // not with its permissions
        copy << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    }
}

void patchFile(const fs::path& file, const std::string& patch) {
    nlohmann::json content = nlohmann::json::object();
    if (fs::exists(file)) content = nlohmann::json::parse(std::ifstream(file));
    content.merge_patch(nlohmann::json::parse(patch));
    std::ofstream(file) << content.dump(1);
}

fs::path patched(const Variation& variation, const fs::path& folder) {
    copyFolder(archFolder(variation.base), folder);
    patchFile(folder / variation.file, variation.patch);
    return folder;
}

std::string convertedHash(const fs::path& folder, const fs::path& target) {
    convertFolder(folder, target, {{}, "Hf", {}});
    io::Sha256 hash;
    hash.update(test::readFile(target));
    return io::hexText(*hash.finish());
}

TEST(Convert, EqualsTheReferenceOnFoldersOfOthers) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    for (std::size_t i = 0; i < std::size(variations); ++i) {
        const Variation& variation = variations[i];
        const fs::path folder = patched(variation, work.path() / fmt::format("{}", i));
        EXPECT_EQ(convertedHash(folder, work.path() / fmt::format("{}.gguf", i)), variation.sha256)
            << variation.base << " " << variation.patch;
    }
}

// What config.json leaves out is that of the class, as transformers completes it, and is said.
TEST(Convert, CompletesAConfigurationAsTheReference) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    for (std::size_t i = 0; i < std::size(completions); ++i) {
        const Variation& variation = completions[i];
        const fs::path folder = patched(variation, work.path() / fmt::format("{}", i));
        EXPECT_EQ(convertedHash(folder, work.path() / fmt::format("{}.gguf", i)), variation.sha256)
            << variation.base << " " << variation.patch;
        const auto plan = planFolder(folder);
        ASSERT_TRUE(plan) << plan.error().message();
        EXPECT_TRUE(
            std::ranges::any_of(plan->problems, [](const Problem& p) { return p.code == Reason("convert.config_completed"); }));
    }
    const auto whole = planFolder(archFolder("gemma3"));
    ASSERT_TRUE(whole);
    EXPECT_TRUE(whole->problems.empty());
}

// Each place where a folder may keep its templates.
TEST(Convert, FindsTheTemplatesOfAFolder) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    const fs::path older = work.path() / "older", newer = work.path() / "newer", target = work.path() / "out.gguf";
    copyFolder(archFolder("llama31"), older);
    patchFile(older / "tokenizer_config.json", R"({"chat_template": null})");
    patchFile(older / "chat_template.json", R"({"chat_template": "{{ j }}"})");
    EXPECT_EQ(convertedHash(older, target), "ccd624100598a4ce5844ca0bcd71cdff6e3d2f0680c802321e4ca0f02cd19637");
    copyFolder(archFolder("llama31"), newer);
    patchFile(newer / "tokenizer_config.json", R"({"chat_template": null})");
    fs::create_directories(newer / "additional_chat_templates");
    std::ofstream(newer / "chat_template.jinja") << "{{ d }}";
    std::ofstream(newer / "additional_chat_templates/tool_use.jinja") << "{{ t }}";
    const auto plan = planFolder(newer);
    ASSERT_TRUE(plan) << plan.error().message();
    std::vector<std::string> keys;
    for (const PlannedPair& pair : plan->pairs)
        if (pair.stored.key.starts_with("tokenizer.chat_template")) keys.push_back(pair.stored.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"tokenizer.chat_template.tool_use", "tokenizer.chat_templates",
                                              "tokenizer.chat_template"}));
}

TEST(Convert, RefusesAdviceOfAnotherKind) {
    const SmallFolder small;
    small.folder.file("generation_config.json", R"({"top_k": 1.5})");
    const auto plan = planFolder(small.folder.path());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().reason, Reason("convert.sampling_member"));
    EXPECT_NE(plan.error().message().find("top_k"), std::string::npos);
}

const PlannedPair* planPair(const ConvertPlan& plan, std::string_view key) {
    const auto pair = std::ranges::find(plan.pairs, key, [](const PlannedPair& p) { return std::string_view(p.stored.key); });
    return pair == plan.pairs.end() ? nullptr : &*pair;
}

// The reference leaves these tokens out for Gemma 4 alone, and llama.cpp refuses its file, which has fewer tokens than rows.
TEST(Convert, GivesEveryRowOfTheEmbeddingAToken) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    const auto plan =
        planFolder(patched({"gemma4", "tokenizer.json", R"({"model": {"vocab": {"。": null}}})", ""}, work.path() / "hf"));
    ASSERT_TRUE(plan) << plan.error().message();
    const PlannedPair* const tokens = planPair(*plan, "tokenizer.ggml.tokens");
    ASSERT_TRUE(tokens);
    EXPECT_TRUE(std::string_view(reinterpret_cast<const char*>(tokens->stored.bytes.data()), tokens->stored.bytes.size())
                    .ends_with("[PAD511]"));
}

// SentencePiece's vocabulary as tokenizer.json alone: kinds by what the tokens stand for, equal scores, and a warning.
TEST(Convert, TakesASentencePieceVocabularyWithoutItsModel) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name != "tokenizer.json") return;
        auto json = nlohmann::json::parse(text);
        json["model"]["byte_fallback"] = true;
        json["model"]["vocab"] = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}, {"<0x0A>", 3}, {"a", 4}, {"b", 5}};
        json["added_tokens"] = {{{"id", 1}, {"content", "<s>"}, {"special", true}},
                                {{"id", 6}, {"content", "<|x|>"}, {"special", true}}};
        json["pre_tokenizer"] = nullptr;
        text = json.dump();
    });
    small.folder.file("tokenizer_config.json", R"({"bos_token": "<s>", "eos_token": {"content": "</s>"}})");
    const auto plan = planFolder(small.folder.path());
    ASSERT_TRUE(plan) << plan.error().message();
    const PlannedPair* const pair = planPair(*plan, "tokenizer.ggml.token_type");
    ASSERT_TRUE(pair);
    std::array<std::int32_t, 7> kinds;
    std::memcpy(kinds.data(), &pair->stored.bytes[pair->stored.bytes.size() - sizeof kinds], sizeof kinds);
    EXPECT_EQ(kinds, (std::array<std::int32_t, 7>{1, 3, 3, 6, 1, 1, 4}));
    EXPECT_FALSE(planPair(*plan, "tokenizer.ggml.merges"));
    EXPECT_TRUE(std::ranges::any_of(plan->problems, [](const Problem& p) { return p.code == Reason("convert.no_scores"); }));
}

// Tensors by name, whatever their place; where none is of 16 bits the file is of F16.
TEST(Convert, GoesByNamesAndTypesAsTheReference) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name != "model.safetensors") return;
        std::uint64_t length = 0;
        std::memcpy(&length, text.data(), sizeof length);
        auto header = nlohmann::json::parse(text.substr(8, length));
        std::string data;
        for (auto at = header.rbegin(); at != header.rend(); ++at) { // the last name first, all F32
            const std::uint64_t begin = at.value()["data_offsets"][0], end = at.value()["data_offsets"][1];
            at.value()["dtype"] = "F32";
            at.value()["data_offsets"] = {data.size(), data.size() + 2 * (end - begin)};
            data.append(2 * (end - begin), '\0');
        }
        std::string head = header.dump();
        head.resize((head.size() + 7) / 8 * 8, ' ');
        length = head.size();
        text = std::string(reinterpret_cast<const char*>(&length), sizeof length) + head + data;
    });
    const auto plan = planFolder(small.folder.path());
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_EQ(plan->type, gguf::FileType::F16);
    EXPECT_EQ(plan->tensors.front().name, "token_embd.weight");
    EXPECT_EQ(plan->tensors.back().name, "output_norm.weight");
}

TEST(Convert, WritesASmallFolder) {
    const SmallFolder small;
    const auto plan = planFolder(small.folder.path(), {{}, "Small", {}});
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_EQ(plan->type, gguf::FileType::F16);
    EXPECT_EQ(plan->tensors[1].name, "blk.0.attn_norm.weight");
    EXPECT_EQ(plan->tensors[1].to, Dtype::F32);
    const test::TemporaryFolder folder;
    convertFolder(small.folder.path(), folder.path() / "small.gguf");
    EXPECT_EQ(fs::file_size(folder.path() / "small.gguf") % 32, 0u);
}

// The file that is computed when it is read is the one that would be written, wherever a read begins and ends.
TEST(ConvertedModel, ReadsWhatWouldBeWritten) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const char* const name : {"llama", "mixtral", "gpt2", "gpt-oss", "granitemoe", "gemma"}) {
        auto plan = planFolder(archFolder(name));
        ASSERT_TRUE(plan) << plan.error().message();
        const fs::path target = folder.path() / (std::string(name) + ".gguf");
        ASSERT_TRUE(runConvert(*plan, target, {}, {}));
        const auto written = test::readFile(target);
        const auto model = convertedModel(std::make_shared<const ConvertPlan>(std::move(*plan)));
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_GT((*model)->files.size(), 1u);
        const io::ByteSource& source = *(*model)->files.front().source;
        ASSERT_EQ(source.size(), written.size());
        std::vector<std::byte> read(written.size());
        for (std::size_t at = 0, step = 1; at < read.size(); at += step, step = step * 3 % 7919 + 1)
            ASSERT_TRUE(source.readAt(at, std::span(read).subspan(at, std::min(step, read.size() - at))));
        EXPECT_TRUE(std::ranges::equal(read, std::as_bytes(std::span(written)))) << name;
        EXPECT_FALSE(source.readAt(read.size(), std::span(read).first(1)));
    }
}

// A run that was cancelled goes on with what it has written and makes the same file.
TEST(Convert, ResumesToTheSameBytes) {
    const SmallFolder small;
    const auto plan = planFolder(small.folder.path(), {{}, "Small", {}});
    ASSERT_TRUE(plan) << plan.error().message();
    const test::TemporaryFolder folder;
    const fs::path whole = folder.path() / "whole.gguf", resumed = folder.path() / "resumed.gguf";
    ASSERT_TRUE(runConvert(*plan, whole, {}, {}));
    std::stop_source stop;
    run::RunOptions options;
    options.threads = 1;
    options.flushBytes = 1;
    const auto canceled =
        runConvert(*plan, resumed, options, Progress{stop.get_token(), [&stop](std::uint64_t done, std::uint64_t total) {
                                                         if (done * 2 > total) stop.request_stop();
                                                     }});
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled);
    EXPECT_FALSE(fs::exists(resumed));
    EXPECT_TRUE(fs::exists(run::journalPath(resumed)));
    const auto outcome = runConvert(*plan, resumed, options, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_GT(outcome->resumedItems, 0u);
    EXPECT_TRUE(test::readFile(whole) == test::readFile(resumed));
}

// What later parts of this program will convert says what it is that keeps it from being converted now.
TEST(Convert, NamesWhatIsNotConvertedYet) {
    const SmallFolder scanning([](const std::string& name, std::string& text) {
        if (name != "config.json") return;
        nlohmann::json config = nlohmann::json::parse(text);
        config.merge_patch({{"architectures", {"MambaForCausalLM"}}, {"model_type", "mamba"}, {"state_size", 16}});
        text = config.dump();
    });
    const auto plan = planFolder(scanning.folder.path());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().reason, unknownFamily);
    EXPECT_NE(plan.error().message().find("Mamba layers"), std::string::npos) << plan.error().message();
}

// A vocabulary needs no weights; anything else does.
TEST(Convert, WritesTheVocabularyOfAFolderWithoutWeights) {
    const SmallFolder whole;
    const test::TemporaryFolder folder;
    copyFolder(whole.folder.path(), folder.path() / "hf");
    fs::remove(folder.path() / "hf/model.safetensors");
    const auto refused = planFolder(folder.path() / "hf");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason.id(), std::string("convert.not_folder"));
    ConvertRequest request{gguf::FileType::F16, "Small", {}};
    request.onlyVocabulary = true;
    convertFolder(folder.path() / "hf", folder.path() / "without.gguf", request);
    convertFolder(whole.folder.path(), folder.path() / "with.gguf", request);
    EXPECT_TRUE(test::readFile(folder.path() / "without.gguf") == test::readFile(folder.path() / "with.gguf"));
}

// Numbered tensors that are one: the first, the last and a middle one may be missing, doubled or different.
TEST(Convert, RefusesShardsThatDoNotJoin) {
    WB_NEED_SHARED("arch");
    const std::string prefix = "model.layers.0.ple.ple_embedding.ngram_embedding.shard_";
    const std::pair<std::string, const char*> edits[] = {{"shard_0.weight", "convert.surplus_shard"},
                                                         {"shard_1.weight", "convert.surplus_shard"}};
    for (const auto& [name, reason] : edits) {
        const test::TemporaryFolder folder;
        copyFolder(archFolder("qwen4exp"), folder.path() / "hf");
        std::string bytes = fileText(folder.path() / "hf/model.safetensors");
        bytes.replace(bytes.find(prefix + name.substr(6)) + prefix.size(), 1, "7");
        std::ofstream(folder.path() / "hf/model.safetensors", std::ios::binary) << bytes;
        const auto plan = planFolder(folder.path() / "hf");
        ASSERT_FALSE(plan) << name;
        EXPECT_EQ(plan.error().reason.id(), std::string(reason)) << plan.error().message();
    }
}

// Members that conversion divides by, counts from or shifts by.
TEST(Convert, RefusesNumbersOfLayersThatAreNone) {
    WB_NEED_SHARED("arch");
    const std::tuple<const char*, const char*, const char*> edits[] = {
        {"qwen4exp", R"({"ple_layer_ids": [0]})", "convert.config_list"},
        {"qwen4exp", R"({"ple_layer_ids": [3]})", "convert.config_list"},
        {"qwen4exp", R"({"ple_layer_ids": 1})", "convert.config_list"},
        {"qwen4exp", R"({"indexer_n_heads": 3})", "convert.view"},
        {"qwen4exp", R"({"indexer_n_heads": 4294967295, "indexer_head_dim": 4294967295})", "arch.out_of_range"},
        {"qwen4exp", R"({"indexer_n_heads": "two"})", "arch.wrong_type"},
        {"glm-dsa", R"({"indexer_types": "full"})", "convert.config_list"},
        {"kimi-linear", R"({"linear_attn_config": {"head_dim": 12}})", "convert.shape"},
        {"kimi-linear", R"({"linear_attn_config": {"full_attn_layers": []}})", "convert.no_layers"},
        {"granitehybrid", R"({"mamba_n_groups": 3})", "convert.shape"},
        {"nemotron_h", R"({"hybrid_override_pattern": "M-M*M"})", "arch.list_length"},
        {"nemotron_h", R"({"hybrid_override_pattern": "MMM*M-"})", "convert.shape"},
    };
    for (const auto& [name, patch, reason] : edits) {
        SCOPED_TRACE(std::string(name) + " " + patch);
        const test::TemporaryFolder folder;
        const auto plan = planFolder(patched({name, "config.json", patch, ""}, folder.path() / "hf"));
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error().reason.id(), std::string(reason)) << plan.error().message();
    }
}

// Transposed, halved and taken every second, of a tensor small enough to see.
TEST(View, ReadsTheSameBytesInAnotherOrder) {
    const auto strides = [](std::vector<std::uint64_t> shape, Transform transform, std::uint64_t rows = 0) {
        TensorInfo tensor;
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make(shape);
        tensor.source = TensorSource::stored(0, 100, 4 * tensor.shape.elements());
        const auto view = transformedView(tensor, transform, {.rows = rows});
        return view ? fmt::format("{} {} {}", view->shape.toString(), fmt::join(view->source.strides(), ","), *view->offset())
                    : std::string(view.error().reason.id());
    };
    EXPECT_EQ(strides({3, 4}, Transform::Transpose), "[4, 3] 1,4 100");
    EXPECT_EQ(strides({3, 4}, Transform::CutRows, 2), "[2, 4] 4,1 100");
    EXPECT_EQ(strides({2, 6, 5}, Transform::FirstHalf), "[2, 3, 5] 30,5,1 100");
    EXPECT_EQ(strides({2, 6, 5}, Transform::SecondHalf), "[2, 3, 5] 30,5,1 160");
    EXPECT_EQ(strides({2, 6}, Transform::OddColumns), "[2, 3] 6,2 104");
    EXPECT_EQ(strides({2, 5, 3}, Transform::FirstHalf), "convert.view");
    EXPECT_EQ(strides({3, 4}, Transform::CutRows, 4), "convert.view");
}

struct Refusal {
    const char* file;
    const char* from; // in that file …
    const char* to;   // … becomes this
    const char* reason;
    const char* word; // that the sentence contains
};

TEST(Convert, RefusesWhatItCannotConvert) {
    const Refusal refusals[] = {
        {"config.json", "LlamaForCausalLM", "MysteryForCausalLM", "convert.unknown_family", "MysteryForCausalLM"},
        {"config.json", "\"max_position_embeddings\"", "\"unused\"", "convert.config_missing", "max_position_embeddings"},
        {"config.json", "\"intermediate_size\": 16", "\"intermediate_size\": 24", "convert.shape", "mlp.down_proj"},
        {"config.json", "\"vocab_size\": 8", "\"vocab_size\": 7", "convert.shape", "embed_tokens"},
        {"config.json", "\"hidden_size\": 8", "\"hidden_size\": \"8\"", "convert.config_number", "hidden_size"},
        {"config.json", "\"tie_word", "\"quantization_config\": {\"quant_method\": \"gptq\"}, \"tie_word",
         "convert.quantized_source", "gptq"},
        {"model.safetensors", "layers.1.mlp.up_proj.weight", "layers.1.mlp.xx_proj.weight", "convert.unmapped_tensor", "xx_proj"},
        {"model.safetensors", "layers.1.post_attention_layernorm.weight", "layers.1.rotary_emb.inv_freq", "convert.missing_tensor",
         "post_attention_layernorm"},
        {"tokenizer.json", "ByteLevel", "Whitespace", "convert.pre_tokenizer_kind", "tokenizer.json"},
        {"tokenizer.json", "\"type\":\"ByteLevel\",\"use_regex\":true", "\"type\":\"Split\",\"pattern\":{\"Regex\":\"x+\"}",
         "convert.pre_tokenizer_unknown", "tokenizer.json"},
        {"tokenizer.json", "\"abc\":4", "\"abc\":9", "convert.token_id", "tokenizer.json"},
        {"tokenizer.json", "\"abc\":4", "\"abc\":-4", "convert.tokenizer_json", "tokenizer.json"},
        {"tokenizer.json", "\"BPE\"", "\"Unigram\"", "convert.vocabulary_kind", "Unigram"},
        {"tokenizer.json", "\"ab c\"]", "\"ab c\"", "huggingface.companion", "tokenizer.json"},
    };
    for (const Refusal& refusal : refusals) {
        bool isEdited = false;
        const SmallFolder small([&](const std::string& name, std::string& text) {
            const std::size_t at = name == refusal.file ? text.find(refusal.from) : std::string::npos;
            if (at == std::string::npos) return;
            const std::string_view from = refusal.from, to = refusal.to;
            text.replace(at, from.size(), to);
            if (name == "model.safetensors") { // the header keeps its length by blanks at its end
                std::uint64_t length = 0;
                std::memcpy(&length, text.data(), sizeof length);
                ASSERT_LE(to.size(), from.size());
                text.insert(8 + length - (from.size() - to.size()), from.size() - to.size(), ' ');
            }
            isEdited = true;
        });
        ASSERT_TRUE(isEdited) << refusal.reason;
        const auto plan = planFolder(small.folder.path());
        ASSERT_FALSE(plan) << refusal.reason;
        EXPECT_STREQ(plan.error().reason.id(), refusal.reason) << plan.error().message();
        EXPECT_NE(plan.error().message().find(refusal.word), std::string::npos) << plan.error().message();
    }
}

TEST(Convert, RefusesATruncatedFile) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name == "model.safetensors") text.resize(text.size() - 10);
    });
    EXPECT_FALSE(planFolder(small.folder.path()));
}

TEST(Convert, TakesThePreTokenizerThatIsChosen) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name == "tokenizer.json") text.replace(text.find("ByteLevel"), 9, "Whitespace");
    });
    EXPECT_TRUE(planFolder(small.folder.path(), {{}, {}, "llama-bpe"}));
    EXPECT_FALSE(planFolder(small.folder.path(), {{}, {}, "no-such-rule"}));
}

// As the reference has it, though SentencePiece calls this one user-defined; ids that no piece has are unused.
TEST(Convert, WritesUserDefinedPiecesAsNormalOnes) {
    const SmallFolder small;
    small.folder.file("tokenizer.model", std::string_view("\x0a\x06\x0a\x02"
                                                          "ab\x18\x04",
                                                          8));
    const auto plan = planFolder(small.folder.path());
    ASSERT_TRUE(plan) << plan.error().message();
    const auto pair = std::ranges::find(plan->pairs, "tokenizer.ggml.token_type", [](const auto& p) { return p.stored.key; });
    ASSERT_NE(pair, plan->pairs.end());
    std::int32_t kinds[8];
    std::memcpy(kinds, &pair->stored.bytes[pair->stored.bytes.size() - sizeof kinds], sizeof kinds);
    EXPECT_EQ(kinds[0], 1);
    EXPECT_EQ(kinds[1], 5);
}

// F16 cannot hold what BF16 can; the report says how many.
TEST(Convert, CountsWhatLeavesTheRange) {
    const SmallFolder small([](const std::string& name, std::string& text) {
        if (name != "model.safetensors") return;
        std::uint64_t length = 0;
        std::memcpy(&length, text.data(), sizeof length);
        std::string header = text.substr(8, length);
        for (std::size_t at = header.find("F16"); at != std::string::npos; at = header.find("F16", at + 4)) header.insert(at, "B");
        header.resize((header.size() + 7) / 8 * 8, ' ');
        const std::string data = text.substr(8 + length);
        length = header.size();
        text = std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
        text[8 + header.size() + 1] = 0x7E; // of the first value: 2^125 or more
    });
    const auto plan = planFolder(small.folder.path(), {gguf::FileType::F16, {}, {}});
    ASSERT_TRUE(plan) << plan.error().message();
    const test::TemporaryFolder folder;
    const auto outcome = runConvert(*plan, folder.path() / "out.gguf", {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    ASSERT_EQ(outcome->remarks.size(), 1u);
    EXPECT_EQ(outcome->remarks[0].code, Reason("convert.overflow"));
}

TEST(Title, IsWrittenAsTheReferenceDoes) {
    EXPECT_EQ(titleFromName("hf"), "Hf");
    EXPECT_EQ(titleFromName("tiny-llama-v0.3-1.1b-Chat"), "Tiny Llama v0.3 1.1b Chat");
    EXPECT_EQ(titleFromName("--"), "");
}

TEST(SizeLabel, HasTwoDigits) {
    const auto label = [](std::uint64_t elements, std::uint64_t experts) {
        PlannedTensor tensor;
        tensor.name = "blk.0.ffn_up_exps.weight";
        tensor.shape = *Shape::make({elements});
        return sizeLabel({tensor}, experts);
    };
    EXPECT_EQ(label(195'008, 0), "195K");
    EXPECT_EQ(label(1'312'000, 0), "1.3M");
    EXPECT_EQ(label(6'738'000'000, 0), "6.7B");
    EXPECT_EQ(label(8 * 234'000, 8), "8x234K");
}

TEST(SpecialToken, IsKnownByItsText) {
    for (const char* const token : {"<|x|>", "<pad>", "<unused12>", "<｜begin▁of▁sentence｜>"})
        EXPECT_TRUE(looksSpecial(token)) << token;
    for (const char* const token : {"<s>", "word", "<|x", "unused"}) EXPECT_FALSE(looksSpecial(token)) << token;
}

TEST(SplittingRule, IsFoundInEveryNotation) {
    const std::string llama3 =
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    const auto rule = [](std::vector<std::string> expressions) { return text::splittingRule(expressions); };
    EXPECT_EQ(rule({llama3}), "F01");
    EXPECT_EQ(rule({std::string(text::byteLevelExpression)}), "F10");
    EXPECT_EQ(rule({R"(\p{N})", std::string(text::byteLevelExpression)}), "F09");
    EXPECT_EQ(rule({"x+"}), "");
    EXPECT_EQ(rule({}), "");
}

} // namespace
} // namespace wb::convert
