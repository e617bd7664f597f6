// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

// The contracts of `wb chat`, `wb perplexity`, `wb bench` and `wb generate --messages` (docs/reference/command_line.md), seen from
// outside.
namespace wb {
namespace {

using test::Finished;
using test::runWb;

std::string stories() { return (test::shared() / "corpus/llm/stories260K.gguf").string(); }

class WbChat : public testing::Test {
protected:
    Finished chat(std::string_view lines, std::vector<std::string> more) const {
        const auto input = m_folder.file("lines", lines);
        std::vector<std::string> words = {"chat", stories(), "--temperature", "0", "--max-tokens", "8"};
        words.insert(words.end(), more.begin(), more.end());
        return runWb(words, "<" + input.string());
    }

    std::string path(const char* name) const { return (m_folder.path() / name).string(); }

    test::TemporaryFolder m_folder;
};

TEST_F(WbChat, AnswersEveryLine) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = chat("Once upon a time\n\nLily was\\\nhappy\n", {"--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    ASSERT_EQ(json["messages"].size(), 4u);
    EXPECT_EQ(json["messages"][0]["content"], "Once upon a time");
    EXPECT_EQ(json["messages"][1]["role"], "assistant");
    EXPECT_EQ(json["messages"][2]["content"], "Lily was\nhappy");
    ASSERT_EQ(json["turns"].size(), 2u);
    EXPECT_EQ(json["turns"][0]["stop"], "length");
    EXPECT_EQ(json["turns"][0]["text"], json["messages"][1]["content"]);
}

TEST_F(WbChat, StreamsWhereNoDocumentIsWanted) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = chat("Once upon a time\n", {});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with(", there was a")) << run.out;
    EXPECT_TRUE(run.out.ends_with('\n'));
}

TEST_F(WbChat, KnowsItsCommands) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run =
        chat("Once upon a time\nand then\n/undo\n/system Be brief\n/edit 1\nLily\n/retry\n/edit 9\n/none\n/stats\n/save " +
                 path("saved.json") + "\n/quit\nnever read\n",
             {"--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto messages = run.json()["messages"];
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[0]["content"], "Be brief");
    EXPECT_EQ(messages[1]["content"], "Lily");
    EXPECT_NE(run.err.find("/help"), std::string::npos);
    EXPECT_NE(run.err.find("/edit 1"), std::string::npos);
    const auto bytes = test::readFile(path("saved.json"));
    const auto saved = nlohmann::json::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    EXPECT_EQ(saved["format"], "weighbridge-chat");
    EXPECT_EQ(saved["version"], 1);
    EXPECT_EQ(saved["messages"], messages);
}

TEST_F(WbChat, GoesOnWithASavedConversation) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto first = chat("Once upon a time\n", {"--save", path("talk.json"), "--json"});
    ASSERT_EQ(first.status, 0) << first.err;
    const auto second = chat("And\n", {"--load", path("talk.json"), "--json"});
    ASSERT_EQ(second.status, 0) << second.err;
    EXPECT_EQ(second.json()["messages"].size(), 4u);
    EXPECT_EQ(second.json()["messages"][1], first.json()["messages"][1]);
}

TEST_F(WbChat, RefusesForeignFiles) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    for (const char* const text : {"", "{}", "[1]", R"({"format":"weighbridge-chat","messages":[{"role":"robot","content":""}]})",
                                   R"({"format":"other","messages":[]})"}) {
        const auto run = chat("hello\n", {"--load", m_folder.file("foreign.json", text).string()});
        EXPECT_EQ(run.status, 1) << text;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find("foreign.json"), std::string::npos) << run.err;
    }
}

TEST_F(WbChat, EndsWithAFullContext) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = chat("Once upon a time there was a girl\n", {"--context", "6"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("context"), std::string::npos) << run.err;
}

class WbMessages : public testing::Test {
protected:
    Finished generate(std::string_view file) const {
        return runWb({"generate", m_model, "--messages", m_folder.file("messages.json", file).string(), "--temperature", "0",
                      "--max-tokens", "4", "--json"});
    }

    test::TemporaryFolder m_folder;
    std::string m_model = (test::shared() / "arch/smollm3/model.gguf").string();
};

TEST_F(WbMessages, AnswersWhatTheTemplateWrites) {
    WB_NEED_SHARED("arch/smollm3");
    const char* const file = R"({"messages":[{"role":"user","content":"Hello"}]})";
    const auto answer = generate(file);
    const auto text = runWb({"template", m_model, "--messages", m_folder.file("messages.json", file).string(), "--json"});
    if (text.status != 0) GTEST_SKIP() << text.err;
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto tokens = runWb({"tokenize", m_model, "--text", text.json()["text"].get<std::string>(), "--json"});
    EXPECT_EQ(answer.json()["prompt_tokens"], tokens.json()["tokens"].size());
}

TEST_F(WbMessages, TakesTheArrayOfMessagesAlone) {
    WB_NEED_SHARED("arch/smollm3");
    const auto prompt = [this](const std::string& file) {
        return runWb({"template", m_model, "--messages", m_folder.file("messages.json", file).string(), "--json"});
    };
    const std::string messages = R"([{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"},)"
                                 R"({"role":"user","content":"Bye"}])";
    const auto whole = prompt("{\"messages\":" + messages + "}");
    const auto alone = prompt(messages);
    ASSERT_EQ(alone.status, 0) << alone.err;
    EXPECT_EQ(alone.json()["text"], whole.json()["text"]);
    EXPECT_EQ(generate(messages).json()["prompt_tokens"], generate("{\"messages\":" + messages + "}").json()["prompt_tokens"]);
}

TEST_F(WbMessages, TakesOneOfPromptAndMessages) {
    EXPECT_EQ(runWb({"generate", m_model}).status, 2);
    EXPECT_EQ(runWb({"generate", m_model, "--prompt", "a", "--messages", "b.json"}).status, 2);
}

TEST_F(WbMessages, NamesAFileThatIsNoConversation) {
    WB_NEED_SHARED("arch/smollm3");
    for (const char* const file : {"[]", "{}", "hello", "[{\"messages\":[]}]"}) {
        const auto run = generate(file);
        EXPECT_EQ(run.status, 1) << file;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find("messages.json"), std::string::npos) << run.err;
    }
}

TEST_F(WbChat, PerplexitySavesLogitsThatItComparesWith) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    std::string story;
    for (int i = 0; i < 60; ++i) story += "Once upon a time there was a little girl who liked to play. ";
    const auto text = m_folder.file("story.txt", story).string();
    const auto run = runWb({"perplexity", stories(), "--file", text, "--context", "64", "--save-logits", path("logits"), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_GT(json["perplexity"], 1);
    EXPECT_GT(json["error"], 0);
    EXPECT_EQ(json["chunks"], json["tokens"].get<int>() / 64);
    EXPECT_TRUE(json["kld"].is_null());
    const auto same = runWb({"perplexity", stories(), "--file", text, "--base-logits", path("logits"), "--json"}).json();
    EXPECT_EQ(same["perplexity"], json["perplexity"]);
    EXPECT_LT(std::abs(same["kld"]["mean"].get<double>()), 1e-4);
    EXPECT_EQ(same["kld"]["top1_agreement"], 1);
    const auto other = m_folder.file("other.txt", "Another " + story).string();
    const auto refused = runWb({"perplexity", stories(), "--file", other, "--base-logits", path("logits")});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("logits"), std::string::npos);
}

TEST_F(WbChat, MeasuresWithACacheOfOtherTypes) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    std::string story;
    for (int i = 0; i < 20; ++i) story += "Once upon a time there was a little girl who liked to play. ";
    const auto text = m_folder.file("story.txt", story).string();
    const auto with = [&](const char* types) {
        const auto run = runWb({"perplexity", stories(), "--file", text, "--context", "64", "--kv", types, "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        return run.json()["perplexity"].get<double>();
    };
    const double halves = with("f16"), coded = with("q8_0");
    EXPECT_NE(coded, halves);
    EXPECT_NEAR(coded / halves, 1, 0.02);
    EXPECT_EQ(runWb({"bench", stories(), "--prompt", "4", "--generate", "2", "--repeat", "1", "--kv", "q8_0,f16"}).status, 0);
    EXPECT_EQ(runWb({"bench", stories(), "--kv", "q3_9"}).status, 2);
    EXPECT_EQ(runWb({"perplexity", stories(), "--file", text, "--kv", "f16,"}).status, 2);
}

TEST_F(WbChat, PerplexityNeedsTwoWindows) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = runWb({"perplexity", stories(), "--file", m_folder.file("short.txt", "Once").string()});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.errorLines(), 1);
    EXPECT_NE(run.err.find("short.txt"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("1024"), std::string::npos) << run.err;
}

TEST_F(WbChat, BenchPrintsRates) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = runWb({"bench", stories(), "--prompt", "16", "--generate", "4", "--repeat", "2", "--threads", "1", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["device"], "cpu");
    EXPECT_EQ(json["threads"], 1);
    EXPECT_GT(json["prompt_tps"]["median"], 0);
    EXPECT_LE(json["generate_tps"]["min"], json["generate_tps"]["max"]);
    EXPECT_GT(json["bytes_per_token"], 100'000);
    EXPECT_GT(json["bandwidth_gbs"], 0);
    EXPECT_GE(json["load_seconds"], json["repack_seconds"]);
    EXPECT_EQ(runWb({"bench", stories(), "--prompt", "4096"}).status, 1);
}

} // namespace
} // namespace wb
