// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/recurrent_kernels.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

// The states of recurrent layers: their kernels, and what a session does where they cannot be rewound.
namespace wb::infer {
namespace {

using test::ArchModel;
using test::makeEngine;

constexpr EngineOptions options{.threads = 2, .context = 512};

std::vector<Token> manyRecurrentTokens(const ArchModel& arch, std::size_t count) {
    std::vector<Token> tokens;
    while (tokens.size() < count) tokens.insert(tokens.end(), arch.tokens.begin(), arch.tokens.end());
    tokens.resize(count);
    return tokens;
}

void expectLogitsOfAFreshSession(const ArchModel& arch, Session& session) {
    Session fresh(makeEngine(arch.model, options));
    ASSERT_TRUE(fresh.append(session.tokens()));
    EXPECT_TRUE(std::ranges::equal(session.logits(), fresh.logits()));
}

class RecurrentSession : public testing::TestWithParam<const char*> {};

// Another response to the same prompt, and another last message: both are read from the snapshot before the prompt's end.
TEST_P(RecurrentSession, ContinuesFromASnapshotNearTheEndOfThePrompt) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    Session session(makeEngine(arch.model, options));
    const std::size_t tail = session.engine().tailTokens();
    ASSERT_GT(tail, 0u);
    std::vector<Token> prompt = manyRecurrentTokens(arch, 100);
    ASSERT_TRUE(session.append(prompt));
    for (const Token token : {5, 6, 7}) ASSERT_TRUE(session.append(std::span(&token, 1)));
    EXPECT_EQ(session.reusable(prompt), prompt.size() - tail);
    ASSERT_TRUE(session.replace(prompt));
    expectLogitsOfAFreshSession(arch, session);
    prompt.back() = 9;
    prompt.push_back(10);
    EXPECT_EQ(session.reusable(prompt), 100 - tail);
    ASSERT_TRUE(session.replace(prompt));
    expectLogitsOfAFreshSession(arch, session);
}

TEST_P(RecurrentSession, ReadsFromTheBeginningWhereNoSnapshotIsEarlyEnough) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    Session session(makeEngine(arch.model, options));
    std::vector<Token> tokens = manyRecurrentTokens(arch, 60);
    ASSERT_TRUE(session.append(tokens));
    tokens.resize(10);
    tokens.push_back(3);
    EXPECT_EQ(session.reusable(tokens), 0u);
    ASSERT_TRUE(session.replace(tokens));
    expectLogitsOfAFreshSession(arch, session);
    session.truncate(5);
    EXPECT_TRUE(session.tokens().empty());
}

// Turn after turn: the snapshots are spread over the conversation, so that a message in its middle can be edited.
TEST_P(RecurrentSession, KeepsSnapshotsOfEarlierTurns) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    Session session(makeEngine(arch.model, options));
    std::vector<Token> tokens = manyRecurrentTokens(arch, 400);
    for (std::size_t turn = 0; turn < 10; ++turn) ASSERT_TRUE(session.append(std::span(tokens).subspan(turn * 40, 40)));
    tokens.resize(210);
    tokens.push_back(3);
    const std::size_t kept = session.reusable(tokens);
    EXPECT_GT(kept, 0u);
    EXPECT_LE(kept, 210u);
    ASSERT_TRUE(session.replace(tokens));
    expectLogitsOfAFreshSession(arch, session);
    EXPECT_LE(session.reusable(manyRecurrentTokens(arch, 400)), 210u) << "snapshots of replaced tokens are not used";
}

// After a stop the session has its former tokens, however many layers were computed.
TEST_P(RecurrentSession, ContinuesAfterAStop) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    Session session(makeEngine(arch.model, options));
    const std::vector<Token> tokens = manyRecurrentTokens(arch, 90);
    ASSERT_TRUE(session.append(std::span(tokens).first(40)));
    std::stop_source stopped;
    stopped.request_stop();
    const Batch several{std::span(tokens).subspan(40, 30), 40, {}, {}}, one{std::span(tokens).subspan(40, 1), 40, {}, {}};
    const auto engine = makeEngine(arch.model, options);
    ASSERT_TRUE(engine->evaluate({std::span(tokens).first(40), 0, {}, {}}, {}));
    for (const Batch& batch : {several, one, several}) {
        const auto done = engine->evaluate(batch, stopped.get_token());
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, ErrorCode::Canceled);
        EXPECT_EQ(engine->reusable(40), 40u);
    }
    std::vector<float> logits(engine->vocabulary());
    ASSERT_TRUE(engine->evaluate({std::span(tokens).subspan(40), 40, logits, {}}, {}));
    ASSERT_TRUE(session.append(std::span(tokens).subspan(40)));
    EXPECT_TRUE(std::ranges::equal(session.logits(), logits));
    const auto lost = engine->evaluate({std::span(tokens).first(5), 7, {}, {}}, {}); // no state of 7 tokens is kept
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().reason, Reason("infer.state"));
}

INSTANTIATE_TEST_SUITE_P(Families, RecurrentSession,
                         testing::Values("qwen3next", "qwen35", "qwen35moe", "lfm2", "lfm2moe", "granitehybrid", "nemotron_h",
                                         "nemotron_h_moe", "kimi-linear", "qwen4exp"),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::erase(text, '-');
                             return text;
                         });

// A stop while layers are computed, from another thread: the state before the batch is kept.
TEST(RecurrentEngine, ReturnsToTheStateBeforeAStoppedBatch) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("qwen35");
    const std::vector<Token> tokens = manyRecurrentTokens(arch, 300);
    const auto reference = makeEngine(arch.model, options), engine = makeEngine(arch.model, options);
    std::vector<float> expected(engine->vocabulary()), logits = expected;
    for (Engine* each : {reference.get(), engine.get()}) ASSERT_TRUE(each->evaluate({std::span(tokens).first(50), 0, {}, {}}, {}));
    const Batch batch{std::span(tokens).subspan(50, 250), 50, logits, {}};
    std::size_t stops = 0;
    for (std::size_t delay = 0; delay < 40; ++delay) { // microseconds; some of them end between two layers
        std::stop_source source;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(100 * delay));
            source.request_stop();
        });
        const auto done = engine->evaluate(batch, source.get_token());
        if (done) continue;
        ++stops;
        EXPECT_EQ(engine->reusable(50), 50u);
    }
    ASSERT_TRUE(engine->evaluate(batch, {}));
    ASSERT_TRUE(reference->evaluate({batch.tokens, 50, expected, {}}, {}));
    EXPECT_EQ(logits, expected) << stops << " stops";
}

} // namespace

namespace cpu {
namespace {

std::vector<float> randomNumbers(std::size_t count, std::mt19937& random) {
    std::normal_distribution<float> normal;
    std::vector<float> numbers(count);
    for (float& number : numbers) number = normal(random);
    return numbers;
}

// The same bits as the readable form, for lengths that fill vectors and others.
TEST(RecurrentKernels, OfEachLevelGiveTheBitsOfTheReadableForm) {
    const RecurrentKernels truth = scalarRecurrentKernels();
    test::forEachSimdTarget([&] {
        const RecurrentKernels kernels = simdRecurrentKernels();
        std::mt19937 random(1);
        for (const std::size_t columns : {1, 16, 20, 64, 128}) {
            const auto query = randomNumbers(columns, random), key = randomNumbers(columns, random),
                       values = randomNumbers(5, random);
            auto state = randomNumbers(5 * columns, random), wanted = state;
            std::vector<float> out(5), wantedOut(5), unit(columns), wantedUnit(columns);
            kernels.applyDelta(
                {state.data(), 5, columns, query.data(), key.data(), values.data(), 0.9F, 0.4F, out.data(), nullptr});
            truth.applyDelta(
                {wanted.data(), 5, columns, query.data(), key.data(), values.data(), 0.9F, 0.4F, wantedOut.data(), nullptr});
            EXPECT_EQ(state, wanted) << columns;
            EXPECT_EQ(out, wantedOut) << columns;
            const auto decays = randomNumbers(columns, random);
            kernels.applyDelta(
                {state.data(), 5, columns, query.data(), key.data(), values.data(), 0, 0.4F, out.data(), decays.data()});
            truth.applyDelta(
                {wanted.data(), 5, columns, query.data(), key.data(), values.data(), 0, 0.4F, wantedOut.data(), decays.data()});
            EXPECT_EQ(state, wanted) << columns;
            EXPECT_EQ(out, wantedOut) << columns;
            kernels.applyStateSpace(
                {state.data(), 5, columns, query.data(), key.data(), values.data(), 0.9F, 0.4F, 0.3F, out.data()});
            truth.applyStateSpace(
                {wanted.data(), 5, columns, query.data(), key.data(), values.data(), 0.9F, 0.4F, 0.3F, wantedOut.data()});
            EXPECT_EQ(state, wanted) << columns;
            EXPECT_EQ(out, wantedOut) << columns;
            kernels.toLength(key.data(), columns, 1e-6F, 0.25F, unit.data());
            truth.toLength(key.data(), columns, 1e-6F, 0.25F, wantedUnit.data());
            EXPECT_EQ(unit, wantedUnit) << columns;
            auto steps = key, wantedSteps = key;
            kernels.decayColumns(steps.data(), query.data(), -2.5F, columns);
            truth.decayColumns(wantedSteps.data(), query.data(), -2.5F, columns);
            EXPECT_EQ(steps, wantedSteps) << columns;
            auto gated = key, wantedGated = key;
            kernels.gateSigmoid(gated.data(), query.data(), columns);
            truth.gateSigmoid(wantedGated.data(), query.data(), columns);
            kernels.gateSilu(gated.data(), query.data(), columns);
            truth.gateSilu(wantedGated.data(), query.data(), columns);
            EXPECT_EQ(gated, wantedGated) << columns;
        }
        for (const std::size_t width : {1, 3, 4, 16}) {
            constexpr std::size_t channels = 37, stride = 41, tokens = 9;
            const auto kernel = randomNumbers(channels * width, random), bias = randomNumbers(channels, random);
            auto rows = randomNumbers(tokens * stride, random), wanted = rows;
            auto history = randomNumbers(channels * (width - 1), random), wantedHistory = history;
            kernels.convolve({rows.data(), stride, tokens, channels, kernel.data(), width, bias.data(), history.data(), channels});
            truth.convolve(
                {wanted.data(), stride, tokens, channels, kernel.data(), width, bias.data(), wantedHistory.data(), channels});
            EXPECT_EQ(rows, wanted) << width;
            EXPECT_EQ(history, wantedHistory) << width;
        }
    });
}

// The scalar kernel with a state of one row, compared with manually computed numbers.
TEST(RecurrentKernels, FollowTheDeltaRule) {
    float state[2] = {1, 2}, out = 0;
    const float query[2] = {1, 0}, key[2] = {0, 1}, value = 5;
    scalarRecurrentKernels().applyDelta({state, 1, 2, query, key, &value, 0.5F, 0.5F, &out, nullptr});
    EXPECT_FLOAT_EQ(state[0], 0.5F);               // decayed
    EXPECT_FLOAT_EQ(state[1], 1 + 0.5F * (5 - 1)); // half way from what the key recalls to the value
    EXPECT_FLOAT_EQ(out, 0.5F);
}

// From steps that vanish to such that erase a state.
TEST(RecurrentKernels, DecayByTheStep) {
    for (float x = -30; x < 30; x += 0.37F) {
        float step = x;
        const float bias = 0.25F;
        scalarRecurrentKernels().decayColumns(&step, &bias, -1.5F, 1);
        const double expected = std::exp(-1.5 * std::log1p(std::exp(static_cast<double>(x + bias))));
        EXPECT_NEAR(step, expected, 4e-6 * expected) << x;
    }
}

// Each column decays by its own factor, compared with manually computed numbers.
TEST(RecurrentKernels, LetEachColumnDecay) {
    float state[2] = {1, 2}, out = 0;
    const float query[2] = {1, 1}, key[2] = {0, 1}, value = 5, decays[2] = {0.5F, 0.25F};
    scalarRecurrentKernels().applyDelta({state, 1, 2, query, key, &value, 9, 0.5F, &out, decays});
    EXPECT_FLOAT_EQ(state[0], 0.5F);
    EXPECT_FLOAT_EQ(state[1], 0.5F + 0.5F * (5 - 0.5F));
    EXPECT_FLOAT_EQ(out, 3.25F);
}

// A state space of two rows, compared with manually computed numbers.
TEST(RecurrentKernels, FollowTheStateSpace) {
    float state[4] = {1, 2, 3, 4}, out[2] = {};
    const float input[2] = {1, 2}, output[2] = {1, 1}, values[2] = {10, 20};
    scalarRecurrentKernels().applyStateSpace({state, 2, 2, input, output, values, 0.5F, 0.1F, 2, out});
    EXPECT_FLOAT_EQ(state[0], 0.5F + 1); // half of it, and rate * value * input
    EXPECT_FLOAT_EQ(state[1], 1 + 2);
    EXPECT_FLOAT_EQ(state[3], 2 + 4);
    EXPECT_FLOAT_EQ(out[0], 1.5F + 3 + 20); // both columns, and skip * value
    EXPECT_FLOAT_EQ(out[1], 3.5F + 6 + 40);
}

} // namespace
} // namespace cpu
} // namespace wb::infer
