// SPDX-License-Identifier: MIT
#include "tests/unit/infer/naive_graph.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

// The head that predicts the token after the next one, fed with the hidden states of its model.
namespace wb::infer {
namespace {

using test::ArchModel;

class Prediction : public testing::Test {
protected:
    void SetUp() override {
        WB_NEED_SHARED("arch");
        m_arch = ArchModel::open("qwen35moe");
        m_reference = test::readFloats(test::shared() / "arch/qwen35moe/mtp_logits.f32");
        auto graph = planPrediction(m_arch.model);
        ASSERT_TRUE(graph) << graph.error().message();
        m_graph = std::move(*graph);
        const auto trunk = test::makeEngine(m_arch.model, {.threads = 2, .context = 64});
        std::vector<float> hidden(m_arch.hidden.size());
        ASSERT_TRUE(trunk->evaluate({m_arch.tokens, 0, {}, hidden}, {}));
        m_preceding.assign(hidden.end() - static_cast<std::ptrdiff_t>(m_arch.tokens.size() * m_graph.width), hidden.end());
        m_tokens = std::span<const Token>(m_arch.tokens).subspan(1);
    }

    std::vector<float> predict(const EngineOptions& options, std::size_t piece) const {
        const auto engine = cpu::makeCpuEngine(m_graph, options, {});
        EXPECT_TRUE(engine) << engine.error().message();
        std::vector<float> logits(m_tokens.size() * m_graph.vocabulary);
        for (std::size_t done = 0; done < m_tokens.size(); done += piece) {
            const std::size_t count = std::min(piece, m_tokens.size() - done);
            const Batch batch{m_tokens.subspan(done, count),
                              done,
                              std::span(logits).subspan(done * m_graph.vocabulary, count * m_graph.vocabulary),
                              {},
                              std::span(m_preceding).subspan(done * m_graph.width, count * m_graph.width)};
            EXPECT_TRUE((*engine)->evaluate(batch, {}));
        }
        return logits;
    }

    ArchModel m_arch;
    Graph m_graph;
    std::span<const Token> m_tokens; // the first one has nothing before it
    std::vector<float> m_preceding, m_reference;
};

TEST_F(Prediction, GivesTheReferencesLogitsInAnySplit) {
    constexpr CacheType f32 = CacheType::F32;
    EXPECT_LE(test::nmse(predict({.threads = 2, .context = 64, .keys = f32, .values = f32, .scalar = true}, 47), m_reference),
              1e-8);
    const auto atOnce = predict({.threads = 2, .context = 64}, 47);
    EXPECT_LE(test::nmse(atOnce, m_reference), 1e-6);
    for (const std::size_t piece : {1, 7, 16}) EXPECT_EQ(predict({.threads = 3, .context = 64}, piece), atOnce) << piece;
}

TEST_F(Prediction, IsItsDefinition) {
    const test::NaiveGraph truth(m_graph, m_tokens, m_preceding);
    std::vector<float> expected;
    for (const auto& row : truth.logits()) expected.insert(expected.end(), row.begin(), row.end());
    EXPECT_LE(test::nmse(predict({.threads = 1, .keys = CacheType::F32, .values = CacheType::F32}, 47), expected), 1e-9);
}

TEST_F(Prediction, TakesThePlannedMemory) {
    const EngineOptions options{.threads = 2, .context = 64};
    const auto planned = cpu::planCpuMemory(m_graph, options);
    const auto engine = cpu::makeCpuEngine(m_graph, options, {});
    ASSERT_TRUE(planned && engine);
    EXPECT_EQ(planned->total(), (*engine)->load().memory.total());
}

} // namespace
} // namespace wb::infer
