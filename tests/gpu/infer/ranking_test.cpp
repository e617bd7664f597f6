// SPDX-License-Identifier: MIT
#include "gpu/infer/ranking.h"
#include "core/text/sampler.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/infer/kernels_test.h"

#include <bit>
#include <limits>

// The highest logits as the device finds them, and the tokens that are drawn from them.
namespace wb::gpu {
namespace {

class RankKernel : public InferKernels {
protected:
    std::vector<text::TokenLogit> ranked(const std::vector<float>& logits, std::uint32_t kept) {
        const View from = upload(logits), space = room(rankingBytes(logits.size()) / 4);
        View result;
        run([&](Recorder& recorder) -> Result<void> {
            WB_TRY_ASSIGN(result, rank(*device, recorder, from, static_cast<std::uint32_t>(logits.size()), kept, space));
            return {};
        });
        const auto words = read(result, 2 * kept);
        std::vector<text::TokenLogit> pairs;
        for (std::size_t i = 0; i < kept && words[2 * i + 1] != WB_NO_TOKEN; ++i)
            pairs.push_back({static_cast<infer::Token>(words[2 * i + 1]), std::bit_cast<float>(words[2 * i])});
        return pairs;
    }
};

// One run, its borders, several rounds; ties, zeros of both signs, infinities and numbers that are none.
TEST_F(RankKernel, FindsTheHighestInOrder) {
    for (const std::size_t count : {1u, 5u, 3071u, 3073u, 128'256u}) {
        std::vector<float> logits = randomRow(count, static_cast<unsigned>(count));
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 3 == 0) logits[i] = std::round(logits[i] * 2) / 2;
            if (i % 7 == 4) logits[i] = std::numeric_limits<float>::quiet_NaN();
            if (i % 11 == 5) logits[i] = -std::numeric_limits<float>::infinity();
            if (i % 13 == 6) logits[i] = -0.0F;
        }
        for (const std::uint32_t kept : {1u, 40u, maxRanked})
            EXPECT_EQ(ranked(logits, kept), text::highestLogits(logits, kept)) << count << " " << kept;
    }
    const float never = -std::numeric_limits<float>::infinity();
    EXPECT_TRUE(ranked({never, std::numeric_limits<float>::quiet_NaN()}, 2).empty());
}

class RankingEngine : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(RankingEngine, GivesTheHighestOfItsLogits) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam());
    const auto engine = onDevice(arch.model);
    ASSERT_TRUE(engine);
    ASSERT_EQ(engine->maxRanked(), maxRanked);
    const std::vector<infer::Token> tokens(arch.tokens.begin(), arch.tokens.begin() + 12);
    std::vector<float> logits(engine->vocabulary());
    // A prompt, then a token alone; each by both ways.
    for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 11}, {11, 1}}) {
        infer::Batch batch{std::span(tokens).subspan(first, count), first, logits, {}};
        const bool isRepeatable = engine->tailTokens() == 0; // states of recurrent layers move on
        ASSERT_TRUE(engine->evaluate(batch, {}));
        batch.logits = {};
        for (const std::size_t kept : {std::size_t{1}, std::min<std::size_t>(40, logits.size())}) {
            if (!isRepeatable) break;
            std::vector<text::TokenLogit> ranked(kept);
            batch.ranked = ranked;
            ASSERT_TRUE(engine->evaluate(batch, {}));
            EXPECT_EQ(ranked, text::highestLogits(logits, kept));
        }
    }
}

// What a chat without a temperature does: the same tokens as the CPU, of which only one number each is read back.
TEST_P(RankingEngine, DrawsTheTokensOfTheProcessor) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam());
    std::vector<std::vector<infer::Token>> drawn;
    for (const bool isOnDevice : {true, false}) {
        infer::Session session(isOnDevice ? onDevice(arch.model) : onProcessor(arch.model));
        for (const int topK : {1, 20}) {
            text::Sampler sampler(text::SamplingOptions{.temperature = topK == 1 ? 0.0F : 0.8F, .topK = topK, .seed = 3});
            session.needRanked(sampler.neededLogits());
            ASSERT_TRUE(session.replace(std::span(arch.tokens).first(10)));
            EXPECT_EQ(session.ranked().size(), isOnDevice ? sampler.neededLogits() : 0);
            std::vector<infer::Token>& tokens = drawn.emplace_back();
            for (int i = 0; i < 20; ++i) {
                tokens.push_back(session.ranked().empty() ? sampler.sample(session.logits(), session.tokens())
                                                          : sampler.sample(session.ranked()));
                ASSERT_TRUE(session.append(std::span(&tokens.back(), 1)));
            }
        }
    }
    EXPECT_EQ(drawn[0], drawn[2]);
    EXPECT_EQ(drawn[1], drawn[3]);
}

INSTANTIATE_TEST_SUITE_P(Folders, RankingEngine,
                         testing::ValuesIn(test::sample<std::string>(
                             {"llama", "gemma3", "qwen35"}, {"qwen3moe", "deepseek2-lite", "phi2", "gpt-oss", "nemotron_h"})));

// The CPU, which gives all logits, takes over in the middle of an answer.
TEST_F(InferTest, ADeviceThatIsLostStillGivesRankedLogits) {
    WB_NEED_SHARED("arch");
    device = *test::testDevice();
    const test::ArchModel arch = test::ArchModel::open("llama");
    infer::Session session(onDevice(arch.model)), truth(onProcessor(arch.model));
    session.needRanked(5);
    ASSERT_TRUE(session.append(std::span(arch.tokens).first(8)) && truth.append(std::span(arch.tokens).first(9)));
    ASSERT_EQ(session.ranked().size(), 5u);
    test::injectFault(*device, test::Fault::Lost, 0);
    ASSERT_TRUE(session.append(std::span(arch.tokens).subspan(8, 1)));
    EXPECT_EQ(session.engine().device(), "cpu");
    ASSERT_EQ(session.ranked().size(), 5u);
    EXPECT_EQ(session.ranked()[0].token, text::highestLogits(truth.logits(), 1)[0].token);
    ASSERT_TRUE(session.append(std::span(arch.tokens).subspan(9, 1)));
    EXPECT_TRUE(session.ranked().empty());
}

} // namespace
} // namespace wb::gpu
