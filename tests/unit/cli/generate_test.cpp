// SPDX-License-Identifier: MIT
#include "core/memory/serving/calibration.h"
#include "tests/unit/cli/run_wb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

// The contract of `wb generate` (docs/reference/command_line.md), seen from outside.
namespace wb {
namespace {

using test::runWb;

std::string storiesModel() { return (test::shared() / "corpus/llm/stories260K.gguf").string(); }

test::Finished generate(std::vector<std::string> more) {
    std::vector<std::string> words = {"generate", storiesModel()};
    words.insert(words.end(), more.begin(), more.end());
    return runWb(words);
}

TEST(WbGenerate, streamsTheSameGreedyTextForAnySeedAndThreads) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = generate({"--prompt", "Once upon a time", "--temperature", "0", "--max-tokens", "20", "--seed", "1"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with(", there was a little girl named Lily.")) << run.out;
    EXPECT_TRUE(run.out.ends_with('\n'));
    const auto other =
        generate({"--prompt", "Once upon a time", "--top-k", "1", "--max-tokens", "20", "--seed", "2", "--threads", "1"});
    EXPECT_EQ(other.out, run.out);
}

bool hasDevice() { return runWb({"devices", "--json"}).json()["devices"].size() > 1; }

TEST(WbGenerate, writesTheSameGreedyTextOnADevice) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    if (!hasDevice()) GTEST_SKIP() << "there is no Vulkan device here";
    const std::vector<std::string> words = {"--prompt", "Once upon a time", "--temperature", "0", "--max-tokens", "24", "--json"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        const auto run = generate(more);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return run.json();
    };
    const auto onProcessor = with({"--device", "cpu"});
    EXPECT_EQ(onProcessor["device"], "cpu");
    for (const char* const layers : {"all", "3"}) {
        const auto onDevice = with({"--device", "gpu", "--gpu-layers", layers});
        EXPECT_EQ(onDevice["device"], "gpu:1") << layers;
        EXPECT_EQ(onDevice["text"], onProcessor["text"]) << layers;
    }
    EXPECT_EQ(with({"--device", "gpu", "--gpu-layers", "0"})["device"], "cpu");
    EXPECT_EQ(generate({"--prompt", "a", "--gpu-layers", "some"}).status, 2);
    const auto absent = generate({"--prompt", "a", "--device", "gpu:999"});
    EXPECT_EQ(absent.status, 1);
    EXPECT_TRUE(absent.err.starts_with("wb: --device gpu:999: ")) << absent.err;
}

TEST(WbGenerate, goesOnOnTheProcessorWhereADeviceIsLost) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    if (!hasDevice()) GTEST_SKIP() << "there is no Vulkan device here";
    const std::vector<std::string> words = {"generate", storiesModel(), "--prompt", "Once upon a time", "--temperature",
                                            "0",        "--max-tokens", "24"};
    const auto onDevice = [&](const char* fault) {
        auto all = words;
        all.insert(all.end(), {"--device", "gpu", "--json"});
        return test::runWbWithFault(fault, all);
    };
    const auto healthy = runWb(words);
    ASSERT_EQ(healthy.status, 0) << healthy.err;
    for (const char* const fault : {"lost:4", "lost:90", "reset:90"}) { // while it loads, and while it answers
        const auto run = onDevice(fault);
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.json()["device"], "cpu") << fault;
        EXPECT_EQ(run.json()["text"].get<std::string>() + "\n", healthy.out) << fault;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find("stopped working"), std::string::npos) << run.err;
    }
}

TEST(WbGenerate, keepsAFewTypesOfCache) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const std::vector<std::string> words = {"--prompt", "Once upon a time", "--temperature", "0", "--max-tokens", "10", "--kv"};
    const auto with = [&](const char* types) {
        auto all = words;
        all.emplace_back(types);
        return generate(all);
    };
    const auto halves = with("f16");
    ASSERT_EQ(halves.status, 0) << halves.err;
    EXPECT_EQ(with("q8_0").out, halves.out);
    EXPECT_EQ(with("f32,q8_0").out, halves.out);
    for (const char* const types : {"q3_9", "f16,", ",f16", "f16,f16,f16"}) EXPECT_EQ(with(types).status, 2) << types;
}

TEST(WbGenerate, printsOneDocument) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = generate(
        {"--prompt", "Once upon a time", "--temperature", "0", "--stop", "girl", "--json", "--seed", "5", "--context", "64"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["text"], ", there was a little ");
    EXPECT_EQ(json["stop"], "stop string");
    EXPECT_EQ(json["stop_string"], "girl");
    EXPECT_EQ(json["prompt_tokens"], 5);
    EXPECT_EQ(json["seed"], 5);
    EXPECT_EQ(json["device"], "cpu");
    EXPECT_EQ(json["context"], 64);
    EXPECT_GT(json["generate_tps"], 0);
    EXPECT_GT(json["ttft_ms"], 0);
}

// What a load took is remembered beside what was planned, in the folder that the window uses, and wb memory counts with it.
TEST(WbGenerate, remembersWhatALoadTook) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const std::string model = storiesModel();
    const test::StateFolder folder;
    const auto file = memory::loadsFile(folder.path() / "weighbridge");
    const std::vector<std::string> words = {"generate", model,       "--prompt", "Once",     "--max-tokens",
                                            "1",        "--context", "256",      "--device", "cpu"};
    std::vector<std::string> silently = words;
    silently.emplace_back("--no-remember");
    EXPECT_EQ(runWb(silently).status, 0);
    EXPECT_FALSE(std::filesystem::exists(file));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(runWb(words).status, 0);
    const auto once = memory::readLoads(file);
    ASSERT_TRUE(once) << once.error().message();
    ASSERT_EQ(once->size(), 1u) << "the same load is counted once";
    const memory::MeasuredLoad& load = once->front();
    EXPECT_EQ(load.runtime, "weighbridge");
    EXPECT_EQ(load.device, "cpu");
    EXPECT_EQ(load.model, "stories260K.gguf");
    EXPECT_THAT(load.settings, testing::HasSubstr("context=256 kv=f16,f16"));
    EXPECT_GT(load.measured, 100'000u);
    EXPECT_EQ(load.measured, load.estimated);
    const auto talked = runWb({"chat", model, "--context", "128", "--device", "cpu", "--max-tokens", "1"}, "</dev/null");
    EXPECT_EQ(talked.status, 0) << talked.err;
    EXPECT_EQ(memory::readLoads(file)->size(), 2u);
    const auto counted = runWb({"memory", model, "--runtime", "weighbridge", "--context", "256", "--json"});
    EXPECT_EQ(nlohmann::json::parse(counted.out)["calibration"]["loads"], 2) << counted.err;
}

// A folder that cannot be written is a line of the log and no reason to fail.
TEST(WbGenerate, runsWhereNothingCanBeRemembered) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const test::StateFolder folder;
    folder.file("weighbridge", "this is no folder");
    const std::string log = (folder.path() / "log.txt").string();
    const auto finished = generate({"--prompt", "Once", "--max-tokens", "1", "--device", "cpu", "--log", log});
    EXPECT_EQ(finished.status, 0) << finished.err;
    std::ifstream in(log);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, testing::HasSubstr("load not recorded"));
}

TEST(WbGenerate, endsWithTheContext) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto json = generate({"--prompt", "Once upon a time", "--temperature", "0", "--context", "16", "--json"}).json();
    EXPECT_EQ(json["stop"], "context");
    EXPECT_TRUE(json["stop_string"].is_null());
}

TEST(WbGenerate, beginsWithTheFirstTokenWhereThePromptIsEmpty) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto json = generate({"--prompt", "", "--temperature", "0", "--max-tokens", "5", "--json"}).json();
    EXPECT_EQ(json["prompt_tokens"], 1);
    EXPECT_EQ(json["tokens"], 5);
}

TEST(WbGenerate, refusesInOneSentence) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto full = generate({"--prompt", "Once upon a time there was a dog", "--context", "8"});
    EXPECT_EQ(full.status, 1);
    EXPECT_EQ(full.errorLines(), 1);
    EXPECT_NE(full.err.find("context"), std::string::npos) << full.err;
    const auto large = generate({"--prompt", "Once", "--context", "5000"});
    EXPECT_EQ(large.status, 1);
    EXPECT_NE(large.err.find("context"), std::string::npos) << large.err;
    const auto foreign = generate({"--prompt", "Once", "--logit-bias", "99999=1"});
    EXPECT_EQ(foreign.status, 1);
    EXPECT_NE(foreign.err.find("99999"), std::string::npos) << foreign.err;
    const test::TemporaryFolder folder;
    const auto talk = folder.file("talk.json", R"({"messages":[{"role":"user","content":"hi"}]})").string();
    const auto untold = runWb({"generate", storiesModel(), "--messages", talk});
    EXPECT_EQ(untold.status, 1);
    EXPECT_TRUE(untold.err.starts_with("wb: stories260K.gguf has no chat template")) << untold.err;
}

TEST(WbTokenize, readsAHalfOfASurrogatePairAsOneCharacter) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const test::TemporaryFolder folder;
    const auto texts = folder.file("texts.json", R"(["a\ud800b", "a\ufffdb", "\udc00\ud83d\ude00"])").string();
    const auto run = runWb({"tokenize", storiesModel(), "--stdin-json", "--json"}, "< '" + texts + "'");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto ids = run.json();
    ASSERT_EQ(ids.size(), 3u);
    EXPECT_EQ(ids[0], ids[1]);
    const auto foreign = runWb({"tokenize", storiesModel(), "--detokenize", "1,99999"});
    EXPECT_EQ(foreign.err, "wb: stories260K.gguf has no token 99999; the highest ID is 511.\n");
}

// A pipe (a here-document) by "-" and by its name; template and generate read the same way.
TEST(WbTemplate, ReadsAConversationFromStdin) {
    const test::TemporaryFolder folder;
    const std::string conversation = R"([{"role": "user", "content": "Hello"}])";
    const std::string form = folder.file("form.jinja", "{{ messages[0]['content'] }}!").string();
    const std::string file = folder.file("chat.json", conversation).string();
    const std::string here = "<<'END'\n" + conversation + "\nEND\n";
    for (const char* name : {"-", "/dev/stdin"}) {
        const auto run = runWb({"template", form, "--messages", name}, here);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.out, "Hello!\n") << name;
    }
    EXPECT_EQ(runWb({"template", form, "--messages", file}).out, "Hello!\n");
    EXPECT_EQ(runWb({"template", form, "--messages", "-"}, "< '" + file + "'").out, "Hello!\n");
    const auto wrong = runWb({"template", form, "--messages", "-"}, "<<'END'\nHello\nEND\n");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("Standard input is not a conversation"), std::string::npos) << wrong.err;
}

TEST(WbGenerate, ReadsAConversationFromStdin) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = runWb({"generate", storiesModel(), "--messages", "-"}, "<<'END'\nnothing\nEND\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("Standard input is not a conversation"), std::string::npos) << run.err;
}

TEST(WbGenerate, refusesWrongUsage) {
    EXPECT_EQ(generate({}).status, 2);
    EXPECT_EQ(generate({"--prompt", "x", "--top-k", "many"}).status, 2);
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    EXPECT_EQ(generate({"--prompt", "x", "--top-p", "2"}).status, 2);
    EXPECT_EQ(generate({"--prompt", "x", "--logit-bias", "one"}).status, 2);
}

TEST(WbGenerate, keepsToAGrammarAndEndsByItself) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const test::TemporaryFolder folder;
    const auto file = folder.file("yes.gbnf", "root ::= \" \"? (\"yes\" | \"no\") [.!]\n").string();
    for (const char* seed : {"1", "2", "3"}) {
        const auto json = generate({"--prompt", "Is it?", "--grammar", file, "--seed", seed, "--json"}).json();
        const std::string text = json["text"];
        EXPECT_TRUE(text.find("yes") != std::string::npos || text.find("no") != std::string::npos) << text;
        EXPECT_EQ(json["stop"], "eos");
    }
}

TEST(WbGenerate, writesAnObjectByJsonSchema) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const test::TemporaryFolder folder;
    const auto file = folder
                          .file("s.json", R"({"type":"object","properties":{"name":{"type":"string","maxLength":12},
                              "age":{"type":"integer","minimum":1,"maximum":99},"tags":{"type":"array","items":{"enum":["a","b"]},
                              "maxItems":2}},"required":["name","age","tags"]})")
                          .string();
    for (const char* seed : {"1", "2", "3"}) {
        const auto answer = generate({"--prompt", "Lily is", "--json-schema", file, "--seed", seed, "--json"}).json();
        EXPECT_EQ(answer["stop"], "eos");
        const auto object = nlohmann::json::parse(std::string(answer["text"]));
        EXPECT_LE(object["age"].get<int>(), 99);
        EXPECT_TRUE(object["name"].is_string());
        EXPECT_LE(object["tags"].size(), 2u);
    }
}

TEST(WbGenerate, namesTheFileOfABadGrammar) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const test::TemporaryFolder folder;
    for (const char* bad : {"root ::= root", "a ::= b", "root ::= \"x", "root ::= \"a\"{999999999}"}) {
        const auto run = generate({"--prompt", "x", "--grammar", folder.file("bad.gbnf", bad).string()});
        EXPECT_EQ(run.status, 1);
        EXPECT_NE(run.err.find("bad.gbnf"), std::string::npos) << run.err;
    }
    const auto schema = folder.file("bad.json", R"({"not":{}})").string();
    EXPECT_NE(generate({"--prompt", "x", "--json-schema", schema}).err.find("bad.json"), std::string::npos);
    EXPECT_EQ(generate({"--prompt", "x", "--json-schema", schema, "--grammar", schema}).status, 2);
    EXPECT_EQ(generate({"--prompt", "x", "--grammar", (folder.path() / "none.gbnf").string()}).status, 1);
}

TEST(WbGenerate, takesTheWholeChainOfSampling) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run =
        generate({"--prompt", "Once", "--max-tokens", "30", "--seed", "3", "--dry-multiplier", "0.8", "--dry-base", "1.75",
                  "--dry-allowed", "2", "--dry-last-n", "-1", "--xtc-probability", "0.5", "--xtc-threshold", "0.1"});
    EXPECT_EQ(run.status, 0) << run.err;
    const auto mirostat =
        generate({"--prompt", "Once", "--max-tokens", "30", "--seed", "3", "--mirostat", "2", "--mirostat-tau", "4"});
    EXPECT_EQ(mirostat.status, 0) << mirostat.err;
    EXPECT_NE(mirostat.out, run.out);
    EXPECT_EQ(generate({"--prompt", "x", "--mirostat", "3"}).status, 2);
    const auto adaptive = generate({"--prompt", "Once", "--max-tokens", "30", "--seed", "3", "--adaptive-target", "0.1"});
    EXPECT_EQ(adaptive.status, 0) << adaptive.err;
    EXPECT_NE(adaptive.out, run.out);
    EXPECT_EQ(generate({"--prompt", "x", "--adaptive-decay", "-1"}).status, 2);
    EXPECT_EQ(generate({"--prompt", "x", "--xtc-probability", "2"}).status, 2);
}

} // namespace
} // namespace wb
