// SPDX-License-Identifier: MIT
#include "core/chat/local_completer.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace wb::chat {
namespace {

std::filesystem::path storyteller() { return test::shared() / "corpus/llm/stories260K.gguf"; }

// All events of one request.
std::vector<Event> follow(EventQueue& sink) {
    std::vector<Event> events;
    do std::ranges::move(sink.wait(), std::back_inserter(events));
    while (!isLast(events.back()));
    return events;
}

std::string eventsText(const std::vector<Event>& events) {
    std::string text;
    for (const Event& event : events)
        if (const auto* delta = std::get_if<TextDelta>(&event)) text += delta->text;
    return text;
}

class LocalCompleterTest : public testing::Test {
protected:
    void SetUp() override {
        WB_NEED_SHARED("corpus/llm/stories260K.gguf");
        auto made = LocalCompleter::make();
        ASSERT_TRUE(made) << made.error().message();
        m_completer = std::move(*made);
        m_settings.temperature = 0;
        m_settings.maxTokens = 20;
    }

    std::vector<Event> load(LoadRequest request, std::stop_source stop = {}) {
        const auto sink = std::make_shared<EventQueue>();
        request.options.threads = 1;
        m_completer->load(std::move(request), sink, std::move(stop));
        return follow(*sink);
    }
    std::vector<Event> answer(std::vector<Message> messages, std::stop_source stop = {}) {
        const auto sink = std::make_shared<EventQueue>();
        m_completer->start(std::move(messages), m_settings, sink, std::move(stop));
        return follow(*sink);
    }

    const std::vector<Message> m_question = {{Role::User, "Once upon a time"}};
    CompletionSettings m_settings;
    std::unique_ptr<LocalCompleter> m_completer;
};

TEST_F(LocalCompleterTest, PlansLoadsAndAnswersInEvents) {
    const auto loading = load({.path = storyteller()});
    const auto* const loaded = std::get_if<ModelLoaded>(&loading.back());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->model.context, 2048u);
    EXPECT_EQ(loaded->model.contextMax, 2048u);
    EXPECT_FALSE(loaded->model.hasTemplate);
    EXPECT_EQ(std::ranges::count_if(loading, [](const Event& event) { return std::holds_alternative<LoadPlanned>(event); }), 1);
    const auto events = answer(m_question);
    const auto* const completed = std::get_if<Completed>(&events.back());
    ASSERT_TRUE(completed);
    EXPECT_EQ(completed->response.cause, infer::FinishReason::Length);
    EXPECT_EQ(completed->response.tokens.size(), 20u);
    EXPECT_EQ(eventsText(events), completed->response.text);
    EXPECT_EQ(completed->device, "cpu");
    EXPECT_GT(completed->contextUsed, 20u);
}

// A backend that would rather use a GPU.
class RefusedBackend final : public infer::Backend {
public:
    Result<infer::Placement> place(const infer::Graph& graph, infer::EngineOptions options) override {
        auto placement = m_cpu->place(graph, options);
        if (placement) placement->remarks.push_back(makeProblem(Severity::Note, Reason("infer.device_part"), "", {}, "{}", "why"));
        return placement;
    }
    Result<std::unique_ptr<infer::Engine>> load(const infer::Graph& graph, const infer::Placement& placement,
                                                const Progress& progress) override {
        return m_cpu->load(graph, placement, progress);
    }

private:
    const std::unique_ptr<infer::Backend> m_cpu = infer::makeCpuBackend();
};

TEST_F(LocalCompleterTest, ReportsBeforeItLoadsWhyAModelIsNotOnTheGpu) {
    const auto events = load({.path = storyteller(), .backend = std::make_shared<RefusedBackend>()});
    const auto isRemark = [](const Event& event) { return std::holds_alternative<Remarked>(event); };
    const auto isLoading = [](const Event& event) {
        return std::holds_alternative<LoadProgress>(event) || std::holds_alternative<ModelLoaded>(event);
    };
    ASSERT_EQ(std::ranges::count_if(events, isRemark), 1);
    EXPECT_LT(std::ranges::find_if(events, isRemark), std::ranges::find_if(events, isLoading));
}

// The halves of an answer are the answer.
TEST_F(LocalCompleterTest, ContinuesALastMessageOfTheAssistant) {
    ASSERT_TRUE(std::holds_alternative<ModelLoaded>(load({.path = storyteller()}).back()));
    const std::string whole = eventsText(answer(m_question));
    m_settings.maxTokens = 8;
    const std::string begun = eventsText(answer(m_question));
    ASSERT_TRUE(whole.starts_with(begun));
    m_settings.maxTokens = 12;
    std::vector<Message> messages = m_question;
    messages.push_back({Role::Assistant, begun});
    EXPECT_EQ(begun + eventsText(answer(messages)), whole);
}

TEST_F(LocalCompleterTest, ResponsesMatchTheSchema) {
    ASSERT_TRUE(std::holds_alternative<ModelLoaded>(load({.path = storyteller()}).back()));
    m_settings.responseSchema = R"({"enum":["red","green"]})";
    for (int i = 0; i < 2; ++i) {
        const std::string text = eventsText(answer(m_question));
        EXPECT_TRUE(text.find("\"red\"") != std::string::npos || text.find("\"green\"") != std::string::npos)
            << text; // in white space
    }
    m_settings.responseSchema = R"({"type":"boolean"})"; // another one applies at once
    const std::string text = eventsText(answer(m_question));
    EXPECT_TRUE(text.find("true") != std::string::npos || text.find("false") != std::string::npos) << text;
    m_settings.responseSchema = "{";
    const auto events = answer(m_question);
    const auto* const failed = std::get_if<Failed>(&events.back());
    ASSERT_TRUE(failed);
    EXPECT_TRUE(failed->hasModel);
    EXPECT_NE(failed->error.message().find("JSON schema"), std::string::npos) << failed->error.message();
}

TEST_F(LocalCompleterTest, StopIsNoError) {
    ASSERT_TRUE(std::holds_alternative<ModelLoaded>(load({.path = storyteller()}).back()));
    m_settings.maxTokens.reset();
    m_completer->holdAfter(30);
    std::stop_source stop;
    const auto sink = std::make_shared<EventQueue>();
    m_completer->start(m_question, m_settings, sink, stop);
    std::vector<Event> events;
    while (eventsText(events).size() < 30) std::ranges::move(sink->wait(), std::back_inserter(events));
    stop.request_stop();
    const auto rest = follow(*sink);
    const auto* const completed = std::get_if<Completed>(&rest.back());
    ASSERT_TRUE(completed);
    EXPECT_EQ(completed->response.cause, infer::FinishReason::Stopped);
    EXPECT_EQ(eventsText(events) + eventsText(rest), completed->response.text);
    // A stop before the beginning is the same.
    const auto nothing = answer(m_question, stop);
    ASSERT_TRUE(std::holds_alternative<Completed>(nothing.back()));
    EXPECT_EQ(std::get<Completed>(nothing.back()).response.cause, infer::FinishReason::Stopped);
}

TEST_F(LocalCompleterTest, RequestsRunInOrder) {
    const auto loading = std::make_shared<EventQueue>(), first = std::make_shared<EventQueue>(),
               second = std::make_shared<EventQueue>();
    m_completer->load({.path = storyteller()}, loading, {});
    m_completer->start(m_question, m_settings, first, {});
    m_completer->start(m_question, m_settings, second, {});
    EXPECT_EQ(eventsText(follow(*second)), eventsText(follow(*first)));
    EXPECT_TRUE(std::holds_alternative<ModelLoaded>(follow(*loading).back()));
}

// A file that cannot be opened does not cost the user the model that works.
TEST_F(LocalCompleterTest, DamagedFileLeavesTheModelLoaded) {
    ASSERT_TRUE(std::holds_alternative<ModelLoaded>(load({.path = storyteller()}).back()));
    const test::TemporaryFolder folder;
    const auto events = load({.path = folder.file("damaged.gguf", "GGUF, but not really")});
    const auto* const failed = std::get_if<Failed>(&events.back());
    ASSERT_TRUE(failed);
    EXPECT_TRUE(failed->hasModel);
    EXPECT_NE(failed->error.message().find("damaged.gguf"), std::string::npos);
    EXPECT_TRUE(std::holds_alternative<Completed>(answer(m_question).back()));
}

TEST_F(LocalCompleterTest, FailuresAreTheLastEvent) {
    const auto none = answer(m_question);
    ASSERT_TRUE(std::holds_alternative<Failed>(none.back()));
    EXPECT_FALSE(std::get<Failed>(none.back()).hasModel);
    std::stop_source stopped;
    stopped.request_stop();
    const auto canceled = load({.path = storyteller()}, stopped);
    ASSERT_TRUE(std::holds_alternative<Failed>(canceled.back()));
    EXPECT_EQ(std::get<Failed>(canceled.back()).error.code, ErrorCode::Canceled);
    LoadRequest tooLong{.path = storyteller()};
    tooLong.options.context = 4096;
    const auto refused = load(tooLong);
    ASSERT_TRUE(std::holds_alternative<Failed>(refused.back()));
    EXPECT_EQ(std::get<Failed>(refused.back()).error.code, ErrorCode::TooLarge);
    tooLong.limitsContext = true;
    const auto limited = load(tooLong);
    ASSERT_TRUE(std::holds_alternative<ModelLoaded>(limited.back()));
    EXPECT_EQ(std::get<ModelLoaded>(limited.back()).model.context, 2048u);
    m_settings.temperature = -1;
    const auto wrong = answer(m_question);
    ASSERT_TRUE(std::holds_alternative<Failed>(wrong.back()));
    EXPECT_EQ(std::get<Failed>(wrong.back()).error.reason, Reason("sampling.range"));
}

TEST_F(LocalCompleterTest, MayGoAwayInTheMiddle) {
    m_settings.maxTokens.reset();
    for (const bool isLoaded : {false, true}) {
        if (isLoaded) {
            ASSERT_TRUE(std::holds_alternative<ModelLoaded>(load({.path = storyteller()}).back()));
            m_completer->start(m_question, m_settings, std::make_shared<EventQueue>(), {}); // nobody reads: its queue fills
        } else m_completer->load({.path = storyteller()}, std::make_shared<EventQueue>(), {});
        m_completer.reset();
        m_completer = *LocalCompleter::make();
    }
}

TEST(CompletionSettings, ChangeOnlyWhatIsSet) {
    text::SamplingOptions own;
    own.temperature = 0.3F;
    own.topK = 7;
    CompletionSettings settings;
    settings.topP = 0.5;
    settings.mirostat = 2;
    settings.seed = 9;
    const text::SamplingOptions sampling = samplingWith(settings, own);
    EXPECT_EQ(sampling.temperature, 0.3F);
    EXPECT_EQ(sampling.topK, 7);
    EXPECT_EQ(sampling.topP, 0.5F);
    EXPECT_EQ(sampling.mirostat, 2);
    EXPECT_EQ(sampling.seed, 9u);
}

} // namespace
} // namespace wb::chat
