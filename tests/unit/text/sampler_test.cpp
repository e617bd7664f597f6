// SPDX-License-Identifier: MIT
#include "core/text/sampler.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

namespace wb::text {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// The ids that are drawn at all in many draws from these logits.
std::set<TokenId> drawn(SamplingOptions options, const std::vector<float>& logits, std::span<const TokenId> history = {}) {
    std::set<TokenId> ids;
    Sampler sampler(std::move(options));
    for (int i = 0; i < 2000; ++i) {
        std::vector<float> copy = logits;
        ids.insert(sampler.sample(copy, history));
    }
    return ids;
}

SamplingOptions all() {
    SamplingOptions options;
    options.temperature = 1;
    options.topK = 0;
    options.topP = 1;
    options.minP = 0;
    return options;
}

TEST(Sampler, DrawsAllWithoutLimits) { EXPECT_EQ(drawn(all(), {1, 1, 1, 1}), (std::set<TokenId>{0, 1, 2, 3})); }

TEST(Sampler, TakesTheBestAtTemperatureZero) {
    SamplingOptions options;
    options.temperature = 0;
    EXPECT_EQ(drawn(options, {1, 3, 3, 2}), (std::set<TokenId>{1}));
    options = {};
    options.topK = 1;
    EXPECT_EQ(drawn(options, {1, 2, 4, 4}), (std::set<TokenId>{2}));
}

TEST(Sampler, KeepsTheTopK) {
    SamplingOptions options = all();
    options.topK = 2;
    EXPECT_EQ(drawn(options, {1, 1.1F, 1.2F, 1.3F}), (std::set<TokenId>{2, 3}));
}

TEST(Sampler, KeepsTheShortestPrefixOfMassP) {
    SamplingOptions options = all();
    options.topP = 0.6F; // of 0.5, 0.25, 0.125, 0.125
    EXPECT_EQ(drawn(options, {std::log(4.0F), std::log(2.0F), 0, 0}), (std::set<TokenId>{0, 1}));
    options.topP = 0;
    EXPECT_EQ(drawn(options, {0, 0.1F, 0}), (std::set<TokenId>{1}));
}

TEST(Sampler, KeepsTiesWithTheBestAtMinPOne) {
    SamplingOptions options = all();
    options.minP = 1;
    EXPECT_EQ(drawn(options, {2, 1, 2, 1.9F}), (std::set<TokenId>{0, 2}));
    options.minP = 0.5F;
    EXPECT_EQ(drawn(options, {2, 1, 2, 1.9F}), (std::set<TokenId>{0, 2, 3}));
}

TEST(Sampler, KeepsWhatIsTypical) {
    SamplingOptions options = all();
    options.typicalP = 0.05F; // of a share of 0.2 and eight of 0.1, whose surprise is nearer to the entropy
    EXPECT_EQ(drawn(options, {std::log(2.0F), 0, 0, 0, 0, 0, 0, 0, 0}), (std::set<TokenId>{1}));
}

TEST(Sampler, PenalizesWhatWasSaid) {
    SamplingOptions options;
    options.temperature = 0;
    const std::vector<TokenId> history = {0, 0};
    options.repeatPenalty = 2;
    EXPECT_EQ(drawn(options, {3, 2}, history), (std::set<TokenId>{1}));
    options.repeatPenalty = 1;
    options.frequencyPenalty = 0.6F;
    EXPECT_EQ(drawn(options, {3, 2}, history), (std::set<TokenId>{1}));
    options.frequencyPenalty = 0.4F;
    EXPECT_EQ(drawn(options, {3, 2}, history), (std::set<TokenId>{0}));
    options.presencePenalty = 0.4F;
    EXPECT_EQ(drawn(options, {3, 2}, history), (std::set<TokenId>{1}));
    options.repeatLast = 0;
    EXPECT_EQ(drawn(options, {3, 2}, history), (std::set<TokenId>{0}));
}

TEST(Sampler, ObeysBiasAndNeverDrawsWhatIsSuppressed) {
    SamplingOptions options = all();
    options.logitBias = {{0, -100.0F}, {77, 5.0F}};
    options.suppressed = {2, -1, 99};
    EXPECT_EQ(drawn(options, {1, 1, 50, nan}), (std::set<TokenId>{1}));
}

TEST(Sampler, FollowsProbabilitiesAndTemperature) {
    SamplingOptions options = all();
    Sampler sampler(options);
    int first = 0;
    for (int i = 0; i < 10000; ++i) {
        std::vector<float> logits = {std::log(3.0F), 0};
        first += sampler.sample(logits, {}) == 0;
    }
    EXPECT_NEAR(first, 7500, 200);
}

TEST(Sampler, RefusesNumbersOutsideTheirRange) {
    SamplingOptions options;
    EXPECT_TRUE(checkSampling(options));
    options.topP = 1.5F;
    const auto refused = checkSampling(options);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("top-p"), std::string::npos);
    options.topP = 1;
    options.temperature = nan;
    EXPECT_FALSE(checkSampling(options));
}

TEST(Sampler, TopNSigmaKeepsWhatLiesNearTheBest) {
    SamplingOptions options = all();
    options.topNSigma = 1;
    EXPECT_EQ(drawn(options, {10, 9.9F, 0, 0, 0, 0}), (std::set<TokenId>{0, 1})); // mean 3.3, deviation 4.7
}

TEST(Sampler, XtcDropsAllAboveTheThresholdButTheLeast) {
    SamplingOptions options = all();
    options.xtcProbability = 1;
    options.xtcThreshold = 0.2F; // of 0.4, 0.3, 0.2 and 0.1
    const std::vector<float> logits = {std::log(4.0F), std::log(3.0F), std::log(2.0001F), 0};
    EXPECT_EQ(drawn(options, logits), (std::set<TokenId>{2, 3}));
    options.xtcThreshold = 0.6F; // off
    EXPECT_EQ(drawn(options, logits).size(), 4u);
    options.xtcThreshold = 0.35F; // one token alone stays
    EXPECT_EQ(drawn(options, logits).size(), 4u);
}

TEST(Sampler, AdaptivePDrawsNearItsTarget) {
    SamplingOptions options = all();
    const std::vector<float> logits = {std::log(60.0F), std::log(25.0F), std::log(10.0F), std::log(4.0F), 0}; // of a hundred
    const std::vector<double> shares = {0.6, 0.25, 0.1, 0.04, 0.01};
    double before = 1;
    for (const float target : {0.5F, 0.3F, 0.15F}) {
        options.adaptiveTarget = target;
        Sampler sampler(options);
        double sum = 0;
        for (int i = 0; i < 4000; ++i) {
            std::vector<float> copy = logits;
            sum += shares[static_cast<std::size_t>(sampler.sample(copy, {}))];
        }
        EXPECT_NEAR(sum / 4000, static_cast<double>(target), 0.05) << target;
        EXPECT_LT(sum / 4000, before);
        before = sum / 4000;
    }
    options.adaptiveTarget = 0.3F;
    options.topK = 1; // what was cut stays cut
    EXPECT_EQ(drawn(options, logits), (std::set<TokenId>{0}));
    options.adaptiveDecay = 2;
    EXPECT_FALSE(checkSampling(options));
}

TEST(Sampler, DryForbidsWhatWouldRepeatAStretch) {
    SamplingOptions options = all();
    options.dryMultiplier = 100;
    const std::vector<TokenId> history = {1, 2, 3, 0, 1, 2}; // 3 would repeat 1 2 3
    EXPECT_EQ(drawn(options, {1, 1, 1, 1}, history), (std::set<TokenId>{0, 1, 2}));
    options.dryAllowed = 3;
    EXPECT_EQ(drawn(options, {1, 1, 1, 1}, history).size(), 4u);
    options.dryAllowed = 2;
    options.dryBreakers = {1};
    EXPECT_EQ(drawn(options, {1, 1, 1, 1}, history).size(), 4u); // the stretch since the breaker is too short
    options.dryBreakers = {};
    options.dryLast = 4;
    EXPECT_EQ(drawn(options, {1, 1, 1, 1}, history).size(), 4u); // the first one lies too far back
}

TEST(Sampler, DryIsQuickOnALongRepetition) {
    SamplingOptions options = all();
    options.dryMultiplier = 0.8F;
    options.dryLast = -1;
    const std::vector<TokenId> history(200'000, 1);
    Sampler sampler(options);
    std::vector<float> logits = {0, 0, 0};
    EXPECT_NE(sampler.sample(logits, history), 1); // 1.75 to the power of the length is beyond all logits
}

TEST(Sampler, TheTemperatureFollowsTheEntropy) {
    SamplingOptions options = all();
    options.temperature = 0.5F;
    options.temperatureRange = 0.5F;
    EXPECT_EQ(drawn(options, {1, 1, 1}).size(), 3u);
    EXPECT_EQ(drawn(options, {30, 1, 1}), (std::set<TokenId>{0})); // all but certain: no heat
}

// The mean surprise, in bits of the whole distribution, of what is drawn.
double surpriseFromVersion(int version, float tau) {
    SamplingOptions options = all();
    options.mirostat = version;
    options.mirostatTau = tau;
    std::vector<float> logits(1000);
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = -std::log(static_cast<float>(i + 1)); // Zipf's law
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    Sampler sampler(options);
    double surprise = 0;
    constexpr int draws = 2000;
    for (int i = 0; i < draws; ++i) {
        std::vector<float> copy = logits;
        const auto id = static_cast<std::size_t>(sampler.sample(copy, {}));
        surprise -= std::log2(std::exp(static_cast<double>(logits[id])) / sum);
    }
    return surprise / draws;
}

TEST(Sampler, MirostatFollowsTau) {
    for (const int version : {1, 2}) {
        const double low = surpriseFromVersion(version, 2), middle = surpriseFromVersion(version, 4),
                     high = surpriseFromVersion(version, 6);
        EXPECT_LT(low + 0.5, middle) << version;
        EXPECT_LT(middle + 0.5, high) << version;
    }
}

TEST(Sampler, RefusesNumbersOutsideTheirRanges) {
    const auto isRefused = [](auto change) {
        SamplingOptions options;
        change(options);
        return !checkSampling(options);
    };
    EXPECT_TRUE(isRefused([](SamplingOptions& o) { o.dryMultiplier = -1; }));
    EXPECT_TRUE(isRefused([](SamplingOptions& o) { o.dryBase = 0.5F; }));
    EXPECT_TRUE(isRefused([](SamplingOptions& o) { o.xtcProbability = 1.5F; }));
    EXPECT_TRUE(isRefused([](SamplingOptions& o) { o.mirostat = 3; }));
    EXPECT_TRUE(isRefused([](SamplingOptions& o) { o.mirostatTau = nan; }));
    EXPECT_FALSE(isRefused([](SamplingOptions& o) { o.mirostat = 2; }));
}

// The same draws from the highest logits alone, wherever those are enough.
TEST(Sampler, DrawsTheSameFromTheHighestLogits) {
    std::mt19937 random(7);
    std::vector<float> logits(500);
    for (float& logit : logits) logit = static_cast<float>(random() % 64) / 4; // with ties
    logits[3] = nan;
    logits[4] = -std::numeric_limits<float>::infinity();
    logits[5] = 99; // suppressed
    std::vector<SamplingOptions> tried(7);
    tried[1].temperature = 0;
    tried[2].topK = 1;
    tried[3].typicalP = 0.5F;
    tried[4].xtcProbability = 0.5F;
    tried[5].adaptiveTarget = 0.3F;
    tried[6].temperatureRange = 0.5F;
    for (SamplingOptions& options : tried) {
        options.suppressed = {5, 9};
        Sampler all(options), few(options);
        const std::size_t needed = few.neededLogits();
        ASSERT_EQ(needed, (options.temperature == 0 || options.topK == 1 ? 1u : 40u) + 2);
        const std::vector<TokenLogit> highest = highestLogits(logits, needed);
        ASSERT_EQ(highest.size(), needed);
        for (int i = 0; i < 200; ++i) {
            std::vector<float> copy = logits;
            ASSERT_EQ(few.sample(highest), all.sample(copy, {})) << i;
        }
    }
}

TEST(Sampler, NeedsAllLogitsWhereItChangesThem) {
    const auto needed = [](auto change) {
        SamplingOptions options;
        change(options);
        return Sampler(options).neededLogits();
    };
    EXPECT_EQ(needed([](SamplingOptions&) {}), 40u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.topK = 0; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.mirostat = 2; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.topNSigma = 1; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.repeatPenalty = 1.1F; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.dryMultiplier = 0.8F; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.logitBias = {{1, 2.0F}}; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.temperature = 0, o.presencePenalty = 1; }), 0u);
    EXPECT_EQ(needed([](SamplingOptions& o) { o.temperature = 0, o.topK = 0; }), 1u);
}

TEST(HighestLogits, AreInOrder) {
    const float never = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(highestLogits(std::vector<float>{1, nan, 3, never, 3, 2}, 3), (std::vector<TokenLogit>{{2, 3}, {4, 3}, {5, 2}}));
    EXPECT_EQ(highestLogits(std::vector<float>{1, nan, never}, 3), (std::vector<TokenLogit>{{0, 1}}));
}

} // namespace
} // namespace wb::text
