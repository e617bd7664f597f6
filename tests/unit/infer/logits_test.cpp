// SPDX-License-Identifier: MIT
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::infer {
namespace {

using test::allLogits;
using test::ArchModel;
using test::makeEngine;
using test::nmse;

class ReferenceLogits : public testing::TestWithParam<std::string> {};

TEST_P(ReferenceLogits, AreReachedByTheReadableKernels) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto engine = makeEngine(arch.model, {.threads = 2, .cache = cpu::CacheType::F32, .scalar = true});
    ASSERT_TRUE(engine);
    EXPECT_LE(nmse(allLogits(*engine, arch.tokens, arch.tokens.size()), arch.logits), 1e-10);
}

TEST_P(ReferenceLogits, AreReachedBySimdKernelsInAnySplit) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto engine = makeEngine(arch.model, {.threads = 2});
    ASSERT_TRUE(engine);
    const std::vector<float> atOnce = allLogits(*engine, arch.tokens, arch.tokens.size());
    EXPECT_LE(nmse(atOnce, arch.logits), 1e-6);
    for (const std::size_t piece : {1, 7, 16}) EXPECT_EQ(allLogits(*engine, arch.tokens, piece), atOnce) << piece;
}

TEST_P(ReferenceLogits, DoNotDependOnTheNumberOfThreads) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto one = makeEngine(arch.model, {.threads = 1}), three = makeEngine(arch.model, {.threads = 3});
    ASSERT_TRUE(one && three);
    EXPECT_EQ(allLogits(*one, arch.tokens, 9), allLogits(*three, arch.tokens, 9));
}

TEST_P(ReferenceLogits, ComeWithTheHiddenStates) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto engine = makeEngine(arch.model, {.threads = 2});
    ASSERT_TRUE(engine);
    std::vector<float> hidden(arch.hidden.size());
    ASSERT_EQ(hidden.size(), (engine->layers() + 1) * arch.tokens.size() * engine->width());
    ASSERT_TRUE(engine->evaluate({arch.tokens, 0, {}, hidden}, {}));
    EXPECT_LE(nmse(hidden, arch.hidden), 1e-6);
}

TEST_P(ReferenceLogits, GiveTheGreedyText) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    Session session(makeEngine(arch.model, {.threads = 1}));
    ASSERT_TRUE(session.append(arch.greedyPrompt));
    for (std::size_t i = 0; i < arch.greedy.size(); ++i) {
        const auto logits = session.logits();
        const auto best = static_cast<Token>(std::ranges::max_element(logits) - logits.begin());
        const bool tie = arch.greedyMargin[i] <= 0.05;
        EXPECT_TRUE(tie || best == arch.greedy[i]) << i;
        ASSERT_TRUE(session.append(std::span(&arch.greedy[i], 1)));
    }
}

INSTANTIATE_TEST_SUITE_P(Families, ReferenceLogits,
                         testing::Values("llama", "llama31", "llama-k256", "smollm3", "qwen2", "qwen3", "qwen3-k256", "granite",
                                         "ministral3"),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::erase_if(text, [](char c) { return c == '-'; });
                             return text;
                         });

TEST(Engine, StopsBeforeALayerAndKeepsWhatItHad) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama");
    Session session(makeEngine(arch.model, {.threads = 2}));
    ASSERT_TRUE(session.append(std::span(arch.tokens).first(8)));
    std::stop_source source;
    source.request_stop();
    const auto stopped = session.append(std::span(arch.tokens).subspan(8), Progress{source.get_token(), {}});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(session.tokens().size(), 8u);
    std::vector<float> logits(session.engine().vocabulary());
    const auto inside = makeEngine(arch.model)->evaluate({arch.tokens, 0, logits, {}}, source.get_token());
    ASSERT_FALSE(inside);
    EXPECT_EQ(inside.error().code, ErrorCode::Cancelled);
}

TEST(Session, ReusesACommonBeginning) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama");
    Session session(makeEngine(arch.model, {.threads = 1}));
    ASSERT_TRUE(session.append(arch.tokens));
    const std::vector<float> expected(session.logits().begin(), session.logits().end());
    std::vector<Token> other(arch.tokens.begin(), arch.tokens.begin() + 20);
    other.push_back(3);
    ASSERT_TRUE(session.replace(other));
    EXPECT_EQ(session.tokens().size(), 21u);
    ASSERT_TRUE(session.replace(arch.tokens));
    EXPECT_TRUE(std::ranges::equal(session.logits(), expected));
    ASSERT_TRUE(session.replace(arch.tokens)); // nothing is new, the last one is read again
    EXPECT_TRUE(std::ranges::equal(session.logits(), expected));
}

TEST(Session, RefusesWhatDoesNotFit) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama");
    Session session(makeEngine(arch.model, {.threads = 1, .context = 16}));
    const auto tooMany = session.append(arch.tokens);
    ASSERT_FALSE(tooMany);
    EXPECT_EQ(tooMany.error().reason, Reason("infer.context"));
    EXPECT_NE(tooMany.error().message().find("context"), std::string::npos);
    const std::vector<Token> outside = {1, 512};
    const auto unknown = session.append(outside);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().reason, Reason("infer.token"));
    EXPECT_NE(unknown.error().message().find("512"), std::string::npos);
}

} // namespace
} // namespace wb::infer
