// SPDX-License-Identifier: MIT
#include "core/infer/generate.h"

#include "core/formats/open.h"
#include "core/infer/reasoning_budget.h"
#include "core/infer/text_stream.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::infer {
namespace {

TEST(TextStream, HoldsIncompleteCharactersBack) {
    TextStream stream({});
    EXPECT_EQ(stream.add("a\xE4"), "a");
    EXPECT_EQ(stream.add("\xBD"), "");
    EXPECT_EQ(stream.add("\xA0"
                         "b"),
              "你b");
    EXPECT_EQ(stream.add("\xF0\x9F"), "");
    EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, HoldsBackWhatMayBeginAStopString) {
    TextStream stream({"END", "stop"});
    EXPECT_EQ(stream.add("one st"), "one ");
    EXPECT_EQ(stream.add("ep E"), "step ");
    EXPECT_EQ(stream.add("N"), "");
    EXPECT_EQ(stream.add("D and more"), "");
    EXPECT_EQ(stream.found(), "END");
    EXPECT_EQ(stream.add("x"), "");
    EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, TakesTheFirstOfSeveralStopStrings) {
    TextStream stream({"later", "now", ""});
    EXPECT_EQ(stream.add("so now, later"), "so ");
    EXPECT_EQ(stream.found(), "now");
}

TEST(TextStream, GivesTheHeldRestAtTheEnd) {
    TextStream stream({"stop"});
    EXPECT_EQ(stream.add("sto"), "");
    EXPECT_EQ(stream.finish(), "sto");
}

// A storyteller of 260 thousand parameters.
class Stories : public testing::Test {
protected:
    void SetUp() override {
        WB_NEED_SHARED("corpus/llm/stories260K.gguf");
        const auto model = formats::open(test::shared() / "corpus/llm/stories260K.gguf");
        ASSERT_TRUE(model);
        m_model = *model;
        const auto tokenizer = text::Tokenizer::open(*m_model);
        ASSERT_TRUE(tokenizer) << tokenizer.error().message();
        m_tokenizer = *tokenizer;
        m_options.sampling.temperature = 0;
    }

    Session session(unsigned threads = 2, std::size_t context = 256) const {
        return Session(test::makeEngine(m_model, {.threads = threads, .context = context}));
    }
    std::vector<Token> encode(const char* text) const { return *m_tokenizer->encode(text); }

    Generated generate(Session& session, const char* prompt) {
        std::string shown;
        const TextSink sink = [&](std::string_view text) { shown += text; };
        auto result = infer::generate(session, *m_tokenizer, encode(prompt), m_options, sink, {});
        EXPECT_TRUE(result) << result.error().message();
        EXPECT_EQ(shown, result->text);
        return *result;
    }

    ModelPtr m_model;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    GenerateOptions m_options;
};

TEST_F(Stories, AreToldInTheSameWordsByAnyNumberOfThreads) {
    m_options.maxTokens = 60;
    Session one = session(1), two = session(2);
    const Generated story = generate(one, "Once upon a time");
    EXPECT_EQ(story.text.substr(0, 30), ", there was a little girl name");
    EXPECT_EQ(story.cause, FinishReason::Length);
    EXPECT_EQ(story.tokens.size(), 60u);
    EXPECT_EQ(generate(two, "Once upon a time").text, story.text);
    EXPECT_EQ(generate(two, "Once upon a time").reusedTokens, story.promptTokens - 1) << "the prompt is read once";
}

TEST_F(Stories, EndWithTheContext) {
    Session small = session(2, 32);
    const Generated story = generate(small, "Once upon a time");
    EXPECT_EQ(story.cause, FinishReason::Context);
    EXPECT_EQ(story.promptTokens + story.tokens.size(), 33u); // the last token is drawn and not read
}

TEST_F(Stories, EndBeforeAStopString) {
    m_options.stopStrings = {"girl"};
    Session two = session();
    const Generated story = generate(two, "Once upon a time");
    EXPECT_EQ(story.cause, FinishReason::StopString);
    EXPECT_EQ(story.stopString, "girl");
    EXPECT_EQ(story.text, ", there was a little ");
}

TEST_F(Stories, StopWhenAsked) {
    Session two = session();
    std::stop_source source;
    std::size_t pieces = 0;
    const TextSink sink = [&](std::string_view) {
        if (++pieces == 5) source.request_stop();
    };
    const auto story = infer::generate(two, *m_tokenizer, encode("Once"), m_options, sink, Progress{source.get_token(), {}});
    ASSERT_TRUE(story);
    EXPECT_EQ(story->cause, FinishReason::Stopped);
    EXPECT_EQ(pieces, 5u);
    const auto nothing = infer::generate(two, *m_tokenizer, encode("Two"), m_options, sink, Progress{source.get_token(), {}});
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->cause, FinishReason::Stopped);
    EXPECT_EQ(nothing->text, "");
}

TEST_F(Stories, RefuseAPromptThatFillsTheContext) {
    Session small = session(1, 8);
    const auto refused =
        infer::generate(small, *m_tokenizer, encode("Once upon a time there was a big red dog"), m_options, {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason("infer.context"));
}

TEST(ReasoningBudget, CountsWhatStandsBetweenTheTags) {
    ReasoningBudget none({}, "<think>\n");
    for (int i = 0; i < 100; ++i) none.add("word");
    EXPECT_FALSE(none.mustEnd());
    ReasoningBudget inside(2, "assistant\n<think>\n");
    inside.add("one");
    EXPECT_FALSE(inside.mustEnd());
    inside.add("two");
    EXPECT_TRUE(inside.mustEnd());
    inside.setEnded();
    EXPECT_FALSE(inside.mustEnd());
    EXPECT_TRUE(inside.wasCut());
    ReasoningBudget closes(2, "<think>");
    for (const char* piece : {"one</th", "ink>", "and", "on"}) closes.add(piece);
    EXPECT_FALSE(closes.mustEnd());
    EXPECT_FALSE(closes.wasCut());
    ReasoningBudget opens(1, "assistant\n");
    for (const char* piece : {"\n<", "think", ">"}) opens.add(piece);
    EXPECT_FALSE(opens.mustEnd());
    opens.add("hm");
    EXPECT_TRUE(opens.mustEnd());
    ReasoningBudget answers(0, "assistant\n");
    for (const char* piece : {"<thin", "g> no tag", "<think>", "x"}) answers.add(piece);
    EXPECT_FALSE(answers.mustEnd());
    EXPECT_TRUE(ReasoningBudget(0, "<think>").mustEnd());
}

TEST_F(Stories, EndTheirReasoningAtItsBudget) {
    m_options.reasoningBudget = 5;
    m_options.maxTokens = 40;
    Session two = session();
    const Generated story = generate(two, "Once upon a time<think>");
    const std::size_t end = story.text.find(ReasoningBudget::ending);
    ASSERT_NE(end, std::string::npos) << story.text;
    std::string reasoning;
    for (const Token token : std::span(story.tokens).first(5)) reasoning += m_tokenizer->piece(token);
    EXPECT_TRUE(story.text.substr(0, end).starts_with(reasoning)) << story.text; // SPM puts a blank before what follows
    EXPECT_GT(story.text.size(), end + ReasoningBudget::ending.size()) << "the answer follows";
    EXPECT_EQ(story.cause, FinishReason::Length);
    m_options.reasoningBudget.reset();
    EXPECT_EQ(generate(two, "Once upon a time<think>").text.find("</think>"), std::string::npos);
}

TEST_F(Stories, FollowTheSeed) {
    m_options.sampling = {};
    m_options.maxTokens = 40;
    Session two = session();
    m_options.sampling.seed = 7;
    const std::string first = generate(two, "Once").text;
    EXPECT_EQ(generate(two, "Once").text, first);
    m_options.sampling.seed = 8;
    EXPECT_NE(generate(two, "Once").text, first);
}

} // namespace
} // namespace wb::infer
