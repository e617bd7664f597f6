// SPDX-License-Identifier: MIT
#include "core/formats/gguf/writer.h"
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <algorithm>

// wb convert as a user meets it; what the bytes are is tested in tests/unit/convert.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

class WbConvert : public testing::Test {
protected:
    void expectRefusal(std::vector<std::string> words, int status, const std::string& word) const {
        words.insert(words.begin(), "convert");
        const auto run = runWb(words);
        EXPECT_EQ(run.status, status) << run.err;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    }

    test::TemporaryFolder folder;
    std::string source = (test::shared() / "arch/llama/hf").string();
    std::string out = (folder.path() / "out.gguf").string();
};

TEST_F(WbConvert, WritesWhatItPlanned) {
    WB_NEED_SHARED("arch");
    const auto planned = runWb({"convert", source, out, "--dry-run", "--json"});
    ASSERT_EQ(planned.status, 0) << planned.err;
    EXPECT_FALSE(fs::exists(out));
    const auto written = runWb({"convert", source, out, "--json"});
    ASSERT_EQ(written.status, 0) << written.err;
    EXPECT_EQ(planned.json()["files"][0]["bytes"], fs::file_size(out));
    EXPECT_EQ(planned.json()["pairs"], written.json()["pairs"]);
    EXPECT_EQ(planned.json()["tensors"].size(), written.json()["tensors"].size());
    EXPECT_EQ(written.json()["type"], "BF16");
    EXPECT_EQ(written.json()["files"][0]["sha256"].get<std::string>().size(), 64u);
    EXPECT_TRUE(test::readFile(out) == test::readFile(test::shared() / "arch/llama/model.gguf"));
    expectRefusal({source, out}, 1, "(--force).");
    EXPECT_EQ(runWb({"convert", source, out, "--force", "--outtype", "q8_0"}).status, 0);
}

TEST_F(WbConvert, RefusesInOneSentence) {
    WB_NEED_SHARED("arch");
    expectRefusal({source, out, "--outtype", "q3_k"}, 2, "q3_k");
    expectRefusal({source, out, "--type", "Q4_K_X"}, 2, "Q4_K_X");
    expectRefusal({source, out, "--pure"}, 2, "--type");
    expectRefusal({source, out, "--type", "Q4_K_M", "--imatrix", out}, 2, "out.gguf");
    expectRefusal({source, out, "--type", "F16", "--outtype", "f16"}, 2, "--outtype");
    expectRefusal({source, (folder.path() / "out.onnx").string()}, 2, "--graph");
    expectRefusal({source, out, "--to", "npz"}, 2, "npz");
    expectRefusal({source, (folder.path() / "o.safetensors").string(), "--type", "Q4_K_M"}, 2, "Q4_K_M");
    expectRefusal({source, (folder.path() / "o.safetensors").string(), "--imatrix", "m.dat"}, 2, "--imatrix");
    expectRefusal({source, (folder.path() / "o.safetensors").string(), "--shard-size", "big"}, 2, "big");
    expectRefusal({source, out, "--shard-size", "0"}, 2, "0");
    expectRefusal({source, out, "--max-tensors", "3", "--modelfile"}, 2, "--modelfile");
    expectRefusal({source, out, "--rename", "a=b"}, 2, "--rename");
    expectRefusal({source, out, "--graph", out}, 2, "out.gguf");
    expectRefusal({source, out, "--run"}, 2, "--run");
    expectRefusal({source, out, "--verify", "some"}, 2, "--verify");
    expectRefusal({source, out, "--vocab-only", "--type", "Q8_0"}, 2, "--vocab-only");
    expectRefusal({source, out, "--report", out}, 2, "out.gguf");
    expectRefusal({(folder.path() / "none").string(), out}, 1, "none");
    EXPECT_FALSE(fs::exists(out));
}

// The saved configuration makes the same merge, and the result is compared with both models.
TEST_F(WbConvert, MergesByARecipeOfMergekit) {
    WB_NEED_SHARED("arch");
    const fs::path other = folder.path() / "other";
    fs::copy(source, other, fs::copy_options::recursive);
    const std::string recipe = (folder.path() / "r.yml").string(), one = (folder.path() / "one.safetensors").string(),
                      two = (folder.path() / "two.safetensors").string();
    const auto merged = runWb({"merge", source, one, "--with", other.string() + "=0.5", "--method", "ties", "--density", "0.5",
                               "--save-recipe", recipe, "--json"});
    ASSERT_EQ(merged.status, 0) << merged.err;
    const auto document = merged.json();
    ASSERT_GT(document["tensors"].size(), 10u);
    for (const auto& tensor : document["tensors"]) {
        ASSERT_EQ(tensor["parents"].size(), 2u);
        EXPECT_EQ(tensor["parents"][1]["model"], "other");
        EXPECT_EQ(tensor["parents"][0]["rel_change"], tensor["rel_change"]);
    }
    const auto again = runWb({"merge", source, two, "--recipe", recipe, "--compare-parents", "--quiet"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_TRUE(test::readFile(one) == test::readFile(two));
    EXPECT_NE(again.out.find("(all)"), std::string::npos) << again.out;
    EXPECT_EQ(runWb({"merge", source, two, "--recipe", recipe, "--method", "ties", "--force"}).status, 2);
    EXPECT_EQ(runWb({"merge", source, two, "--recipe", (folder.path() / "none.yml").string(), "--force"}).status, 1);
}

// One pass writes what two steps write, and plans the same bytes.
TEST_F(WbConvert, QuantizesInTheSamePass) {
    WB_NEED_SHARED("arch");
    const fs::path arch = test::shared() / "arch/qwen3-k256";
    const std::string two = (folder.path() / "two.gguf").string();
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--type", "Q4_K_M"},
                                                    {"--type", "q8_0", "--override-kv", "general.name=str:Other"},
                                                    {"--type", "Q6_K", "--pure", "--tensor-type", "attn_v=q8_0"}}) {
        std::vector<std::string> words = {"convert", (arch / "hf").string(), out, "--json", "--force"};
        words.insert(words.end(), options.begin(), options.end());
        const auto one = runWb(words);
        ASSERT_EQ(one.status, 0) << one.err;
        std::vector<std::string> steps = {"quantize", (arch / "model.gguf").string(), two, options[1], "--force"};
        steps.insert(steps.end(), options.begin() + 2, options.end());
        ASSERT_EQ(runWb(steps).status, 0);
        EXPECT_TRUE(test::readFile(out) == test::readFile(two)) << options[1];
        words.push_back("--dry-run");
        const auto planned = runWb(words);
        ASSERT_EQ(planned.status, 0) << planned.err;
        EXPECT_EQ(planned.json()["pairs"], one.json()["pairs"]);
        EXPECT_EQ(planned.json()["bytes_out"], fs::file_size(out));
        EXPECT_FALSE(one.json()["tensors"][0]["rmse"].is_null());
    }
}

TEST_F(WbConvert, GoesByASavedPlan) {
    WB_NEED_SHARED("arch");
    const std::string hf = (test::shared() / "arch/qwen3-k256/hf").string(), plan = (folder.path() / "p.plan.json").string();
    const std::string again = (folder.path() / "again.gguf").string();
    for (const char* const type : {"Q4_K_M", "F16"}) {
        const auto saved = runWb({"convert", hf, out, "--type", type, "--model-name", "Own", "--save-plan", plan, "--force"});
        ASSERT_EQ(saved.status, 0) << saved.err;
        const auto done = runWb({"convert", hf, again, "--plan", plan, "--force"});
        ASSERT_EQ(done.status, 0) << done.err;
        EXPECT_TRUE(test::readFile(out) == test::readFile(again)) << type;
    }
    expectRefusal({hf, again, "--plan", plan, "--type", "F16"}, 2, "--plan");
    expectRefusal({source, again, "--plan", plan, "--force"}, 1, "hf");
}

TEST_F(WbConvert, TakesAnotherTemplate) {
    WB_NEED_SHARED("arch");
    const std::string file = folder.file("t.jinja", "{{ messages }}").string();
    ASSERT_EQ(runWb({"convert", source, out, "--template", file}).status, 0);
    const auto shown = runWb({"inspect", out, "--json"});
    EXPECT_NE(shown.out.find("{{ messages }}"), std::string::npos);
}

// The same bytes from a device, software or not, as from the processor.
TEST_F(WbConvert, QuantizesInTheSamePassOnADevice) {
    WB_NEED_SHARED("arch");
    const auto devices = runWb({"devices", "--json"}).json()["devices"];
    const bool hasDevice = std::ranges::any_of(devices, [](const auto& device) { return device["kind"] == "gpu"; });
    if (!hasDevice) GTEST_SKIP() << "there is no Vulkan device";
    const std::string hf = (test::shared() / "arch/qwen3-k256/hf").string(), other = (folder.path() / "device.gguf").string();
    ASSERT_EQ(runWb({"convert", hf, out, "--type", "Q4_K_M", "--device", "cpu"}).status, 0);
    const auto run = runWb({"convert", hf, other, "--type", "Q4_K_M", "--device", "gpu"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(test::readFile(out) == test::readFile(other));
}

// With an importance matrix, too, one pass is the two steps.
TEST_F(WbConvert, TakesAnImportanceMatrixOnTheWay) {
    WB_NEED_SHARED("arch");
    const fs::path arch = test::shared() / "arch/qwen3-k256";
    const auto listed = runWb({"inspect", (arch / "model.gguf").string(), "--json"}).json()["tensors"];
    std::string matrix; // llama.cpp's older form: count, then name, calls, values each
    const auto number = [&matrix](std::int32_t value) { matrix.append(reinterpret_cast<const char*>(&value), sizeof value); };
    std::int32_t count = 0;
    std::string entries;
    for (const auto& tensor : listed) {
        if (tensor["shape"].size() != 2) continue;
        const std::string name = tensor["name"];
        const auto columns = tensor["shape"][1].get<std::int32_t>();
        matrix.clear();
        number(static_cast<std::int32_t>(name.size()));
        matrix += name;
        number(1), number(columns);
        for (std::int32_t i = 0; i < columns; ++i) {
            const float value = 0.5F + static_cast<float>((i * 37 + count * 11) % 101);
            matrix.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        entries += matrix;
        ++count;
    }
    matrix.clear();
    number(count);
    const std::string file = folder.file("m.dat", matrix + entries).string(), two = (folder.path() / "two.gguf").string();
    const auto one = runWb({"convert", (arch / "hf").string(), out, "--type", "IQ2_XS", "--imatrix", file});
    ASSERT_EQ(one.status, 0) << one.err;
    const auto steps = runWb({"quantize", (arch / "model.gguf").string(), two, "IQ2_XS", "--imatrix", file});
    ASSERT_EQ(steps.status, 0) << steps.err;
    EXPECT_TRUE(test::readFile(out) == test::readFile(two));
}

TEST_F(WbConvert, WritesSafetensorsAsPlanned) {
    WB_NEED_SHARED("arch");
    const std::string gguf = (test::shared() / "arch/qwen3/model.gguf").string(), target = (folder.path() / "hf").string();
    const std::vector<std::string> words = {"convert", gguf, target, "--shard-size", "200KB", "--verify", "all", "--json"};
    auto dry = words;
    dry.emplace_back("--dry-run");
    const auto planned = runWb(dry);
    ASSERT_EQ(planned.status, 0) << planned.err;
    EXPECT_FALSE(fs::exists(target));
    const auto written = runWb(words);
    ASSERT_EQ(written.status, 0) << written.err;
    std::uint64_t bytes = 0;
    const auto files = written.json()["files"];
    for (const auto& file : files) {
        EXPECT_EQ(file["bytes"], fs::file_size(fs::path(file["path"].get<std::string>())));
        bytes += file["bytes"].get<std::uint64_t>();
    }
    EXPECT_EQ(planned.json()["bytes_out"], bytes);
    EXPECT_EQ(planned.json()["files"].size(), written.json()["files"].size());
    EXPECT_EQ(planned.json()["tensors"].size(), written.json()["tensors"].size());
    const std::string joined = (folder.path() / "model.safetensors").string();
    ASSERT_EQ(runWb({"convert", target, joined}).status, 0);
    EXPECT_TRUE(test::readFile(joined) == test::readFile(test::shared() / "arch/qwen3/hf/model.safetensors"));
    const std::string some = (folder.path() / "some.safetensors").string();
    const auto chosen =
        runWb({"convert", joined, some, "--tensor", "*q_proj*", "--rename", "self_attn=attention", "--type", "f16", "--json"});
    ASSERT_EQ(chosen.status, 0) << chosen.err;
    EXPECT_EQ(chosen.json()["tensors"].size(), 3u);
    EXPECT_EQ(chosen.json()["tensors"][0]["name"], "model.layers.0.attention.q_proj.weight");
    EXPECT_EQ(chosen.json()["tensors"][0]["to"], "F16");
}

TEST_F(WbConvert, WritesTheVocabularyAlone) {
    WB_NEED_SHARED("arch");
    ASSERT_EQ(runWb({"convert", source, out, "--vocab-only"}).status, 0);
    const auto shown = runWb({"inspect", out, "--json"}).json();
    EXPECT_TRUE(shown["tensors"].empty());
    const auto tokens = runWb({"tokenize", out, "--text", "Hello", "--json"});
    const auto whole = runWb({"tokenize", (test::shared() / "arch/llama/model.gguf").string(), "--text", "Hello", "--json"});
    EXPECT_EQ(tokens.json(), whole.json());
}

TEST_F(WbConvert, WritesAModelfileAndMetadata) {
    WB_NEED_SHARED("arch");
    const std::string metadata = folder.file("m.json", R"({"author": "Ada", "general.name": "Own"})").string();
    const auto run = runWb({"convert", source, out, "--modelfile", "--metadata", metadata});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("ollama create out -f Modelfile"), std::string::npos) << run.out;
    const auto bytes = test::readFile(folder.path() / "Modelfile");
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_TRUE(text.starts_with("FROM ./out.gguf\n")) << text;
    EXPECT_NE(text.find("PARAMETER stop \"</s>\""), std::string::npos) << text;
    EXPECT_NE(text.find("PARAMETER num_ctx 512"), std::string::npos) << text;
    const auto shown = runWb({"inspect", out, "--json"}).json()["metadata"];
    EXPECT_EQ(shown["general.author"], "Ada");
    EXPECT_EQ(shown["general.name"], "Own");
}

TEST_F(WbConvert, AsksBeforeItReadsADangerousFile) {
    WB_NEED_SHARED("fixtures/torch");
    const std::string target = (folder.path() / "o.safetensors").string();
    const auto scan = runWb({"scan", (test::shared() / "fixtures/torch/module_whole.pt").string(), "--json"});
    ASSERT_NE(scan.json()["verdict"], "clean");
    expectRefusal({(test::shared() / "fixtures/torch/module_whole.pt").string(), target, "--quiet"}, 1, "--yes");
    EXPECT_FALSE(fs::exists(target));
    EXPECT_EQ(runWb({"convert", (test::shared() / "fixtures/torch/module_whole.pt").string(), target, "--yes"}).status, 0);
}

// A chat template and a configuration count as pickles do.
TEST_F(WbConvert, AsksBeforeItReadsAModelWhoseTextsReachForCode) {
    const std::vector pairs = {gguf::makePair("general.architecture", std::string_view("llama")),
                               gguf::makePair("tokenizer.chat_template", std::string_view("{{ ''.__class__.__mro__ }}"))};
    const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({1, 32}), Dtype::F32}});
    ASSERT_TRUE(layout);
    std::string content = layout->header;
    content.resize(layout->fileBytes);
    const std::string model = folder.file("template.gguf", content).string();
    const std::string target = (folder.path() / "t.safetensors").string();
    expectRefusal({model, target, "--quiet"}, 1, "chat template");
    EXPECT_FALSE(fs::exists(target));
    EXPECT_EQ(runWb({"convert", model, target, "--yes"}).status, 0);
    for (const char* const command : {"generate", "perplexity"}) {
        const std::vector<std::string> own = command == std::string("generate") ? std::vector<std::string>{"--prompt", "a"}
                                                                                : std::vector<std::string>{"--file", model};
        std::vector<std::string> words{command, model, "--quiet"};
        words.insert(words.end(), own.begin(), own.end());
        const auto refused = runWb(words);
        EXPECT_EQ(refused.status, 1);
        EXPECT_NE(refused.err.find("--yes"), std::string::npos) << refused.err;
        words.push_back("--yes");
        EXPECT_EQ(runWb(words).err.find("--yes"), std::string::npos) << "the model is refused for another reason";
    }
    const std::string quantized = (folder.path() / "q.gguf").string();
    const auto refused = runWb({"quantize", model, quantized, "Q8_0"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("--yes"), std::string::npos) << refused.err;
}

// Without a comparison only the layout of the new file is checked.
TEST_F(WbConvert, ComparesAsMuchAsIsWanted) {
    WB_NEED_SHARED("arch");
    for (const char* const verify : {"none", "sample", "all"})
        EXPECT_EQ(runWb({"convert", source, out, "--verify", verify, "--force"}).status, 0) << verify;
    const std::string quantized = (folder.path() / "q.gguf").string();
    for (const char* const verify : {"none", "sample", "all"})
        EXPECT_EQ(runWb({"quantize", out, quantized, "Q8_0", "--verify", verify, "--force"}).status, 0) << verify;
    EXPECT_EQ(runWb({"quantize", out, quantized, "Q8_0", "--verify", "some", "--force"}).status, 2);
}

// Merged on the way to a quantized file, and written first and converted then, are the same.
TEST_F(WbConvert, MergesOnTheWay) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const fs::path peft = test::shared() / "fixtures/torch/peft";
    const std::string base = (peft / "base_llama").string(), merged = (folder.path() / "merged").string();
    const auto run = runWb({"merge", base, merged, "--adapter", (peft / "lora").string() + "=0.5", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    std::size_t changed = 0;
    const auto tensors = run.json()["tensors"];
    for (const auto& tensor : tensors) {
        EXPECT_EQ(tensor["rel_change"] == 0.0, tensor["transforms"].empty()) << tensor;
        EXPECT_EQ(tensor["changed_ratio"] == 0.0, tensor["transforms"].empty()) << tensor;
        changed += tensor["changed_ratio"] > 0.5;
    }
    EXPECT_EQ(changed, 6u);
    const std::string plan = (folder.path() / "m.plan.json").string(), again = (folder.path() / "again").string();
    ASSERT_EQ(runWb({"merge", base, merged, "--adapter", (peft / "lora").string() + "=0.5", "--force", "--save-plan", plan}).status,
              0);
    const auto planned = runWb({"merge", base, again, "--plan", plan});
    ASSERT_EQ(planned.status, 0) << planned.err;
    EXPECT_TRUE(test::readFile(fs::path(again) / "model.safetensors") == test::readFile(fs::path(merged) / "model.safetensors"));
    EXPECT_EQ(runWb({"merge", base, again, "--plan", plan, "--type", "F16", "--force"}).status, 2);
    const auto none = runWb({"merge", base, (folder.path() / "x").string()});
    EXPECT_EQ(none.status, 2);
    const auto refused = runWb({"merge", base, (folder.path() / "x").string(), "--adapter", (peft / "dora_gpt2").string()});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("another model"), std::string::npos) << refused.err;
    EXPECT_FALSE(fs::exists(folder.path() / "x"));
    const std::string adapter = (folder.path() / "a.gguf").string();
    EXPECT_EQ(runWb({"convert", (peft / "lora").string(), adapter}).status, 1);
    ASSERT_EQ(runWb({"convert", (peft / "lora").string(), adapter, "--base", base}).status, 0);
    EXPECT_TRUE(test::readFile(adapter) == test::readFile(test::shared() / "golden/lora_gguf/lora.gguf"));
}

// Half-way to a model is half of its change.
TEST_F(WbConvert, MergesModels) {
    WB_NEED_SHARED("fixtures/torch/peft");
    const fs::path peft = test::shared() / "fixtures/torch/peft";
    const std::string base = (peft / "base_llama").string(), tuned = (folder.path() / "tuned").string();
    const auto whole = runWb({"merge", base, tuned, "--adapter", (peft / "lora").string(), "--json"});
    ASSERT_EQ(whole.status, 0) << whole.err;
    const std::string merged = (folder.path() / "merged").string(), plan = (folder.path() / "m.plan.json").string();
    const auto dry = runWb({"merge", base, merged, "--with", tuned, "--method", "linear", "--dry-run", "--json"});
    ASSERT_EQ(dry.status, 0) << dry.err;
    const auto half = runWb({"merge", base, merged, "--with", tuned, "--method", "linear", "--json", "--save-plan", plan});
    ASSERT_EQ(half.status, 0) << half.err;
    EXPECT_EQ(half.json()["bytes_out"], dry.json()["bytes_out"]);
    const auto all = whole.json()["tensors"], some = half.json()["tensors"];
    ASSERT_EQ(all.size(), some.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(some[i]["name"], all[i]["name"]);
        EXPECT_NEAR(some[i]["rel_change"].get<double>(), all[i]["rel_change"].get<double>() / 2, 1e-5);
    }
    const std::string again = (folder.path() / "again").string();
    ASSERT_EQ(runWb({"merge", base, again, "--plan", plan, "--verify", "all"}).status, 0);
    EXPECT_TRUE(test::readFile(fs::path(again) / "model.safetensors") == test::readFile(fs::path(merged) / "model.safetensors"));
    EXPECT_EQ(runWb({"merge", base, again, "--plan", plan, "--with", tuned, "--method", "ties", "--force"}).status, 2);
    EXPECT_TRUE(fs::exists(fs::path(merged) / "config.json"));
}

// Of fifteen tensors whose rows do not divide into blocks of Q4_K the first is named; the JSON lists all.
TEST_F(WbConvert, RemarksOfAKindAreOneMessage) {
    WB_NEED_SHARED("golden/quantize_files");
    const std::string rows = (test::shared() / "golden/quantize_files/odd-rows.gguf").string();
    const auto shown = runWb({"quantize", rows, out, "Q4_K_M", "--dry-run"});
    ASSERT_EQ(shown.status, 0) << shown.err;
    const std::size_t first = shown.out.find("warning: ");
    ASSERT_NE(first, std::string::npos) << shown.out;
    EXPECT_EQ(shown.out.find("warning: ", first + 1), std::string::npos);
    EXPECT_NE(shown.out.find("And 14 similar messages, which --json lists."), std::string::npos);
    EXPECT_EQ(runWb({"quantize", rows, out, "Q4_K_M", "--dry-run", "--json"}).json()["problems"].size(), 15u);
}

} // namespace
} // namespace wb