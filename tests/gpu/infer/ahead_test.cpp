// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"
#include "core/text/sampler.h"
#include "gpu/infer/device_runner.h"
#include "gpu/infer/next_token.h"
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/infer/kernels_test.h"
#include "tests/gpu/support/sample.h"

#include <algorithm>
#include <bit>

// Tokens that the device draws itself and evaluates before it is asked to.
namespace wb::gpu {
namespace {

class EmbedKernel : public MultiplyKernels, public testing::WithParamInterface<Dtype> {};

TEST_P(EmbedKernel, GivesTheRowsThatTheProcessorDecodes) {
    const Dtype dtype = GetParam();
    const std::vector<std::byte> bytes = matrix(dtype);
    const std::vector<float> none(rows);
    const DeviceMatrix table = onDevice(dtype, bytes, none);
    std::vector<float> decoded(rows * columns);
    decode(dtype, bytes, decoded);
    for (const std::uint32_t token : {0u, 5u, 9u, 10u, 26u}) {
        const View drawn = upload(std::vector<std::uint32_t>{token}), x = room(columns);
        run([&](Recorder& recorder) { return embed(*device, recorder, table, drawn, 1.5F, x); });
        std::vector<float> wanted(decoded.begin() + token * columns, decoded.begin() + (token + 1) * columns);
        for (float& value : wanted) value *= 1.5F;
        EXPECT_EQ(readFloats(x, columns), wanted) << token;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, EmbedKernel,
                         testing::Values(Dtype::F32, Dtype::F16, Dtype::BF16, Dtype::Q8_0, Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0,
                                         Dtype::Q5_1, Dtype::Q2_K, Dtype::Q3_K, Dtype::Q4_K, Dtype::Q5_K, Dtype::Q6_K,
                                         Dtype::IQ4_NL, Dtype::IQ4_XS, Dtype::MXFP4, Dtype::IQ3_S, Dtype::IQ2_XXS));

class DrawKernel : public InferKernels {
protected:
    infer::Token drawn(std::span<const text::TokenLogit> highest, const text::Draw& next) {
        std::vector<std::uint32_t> pairs, words(WB_BATCH_WORDS);
        for (const text::TokenLogit& each : highest) {
            pairs.push_back(std::bit_cast<std::uint32_t>(each.logit));
            pairs.push_back(static_cast<std::uint32_t>(each.token));
        }
        writeDraw(next, words);
        const View batch = upload(words), ranked = upload(pairs), token = room(1);
        run([&](Recorder& recorder) { return draw(*device, recorder, batch, ranked, token); });
        return static_cast<infer::Token>(read(token, 1).front());
    }
};

TEST_F(DrawKernel, DrawsAsTheSamplerDoes) {
    using Options = text::SamplingOptions;
    const std::vector<Options> all{{.temperature = 0},
                                   {},
                                   {.temperature = 2, .topK = 5, .topP = 1, .minP = 0},
                                   {.temperature = 0.5F, .topK = 256, .topP = 0.5F, .minP = 0},
                                   {.temperature = 1.5F, .topK = 100, .topP = 1, .minP = 0.2F}};
    std::size_t alike = 0, tries = 0;
    for (Options options : all)
        for (options.seed = 1; options.seed <= 12; ++options.seed, ++tries) {
            std::vector<float> logits = randomRow(400, options.seed);
            for (float& logit : logits) logit *= 3;
            text::Sampler sampler(options);
            const std::vector<text::TokenLogit> highest = text::highestLogits(logits, sampler.neededLogits());
            const std::optional<text::Draw> next = sampler.nextDraw();
            ASSERT_TRUE(next);
            alike += drawn(highest, *next) == sampler.sample(highest);
        }
    EXPECT_GE(alike, tries - 1); // a number at the border between two tokens
    EXPECT_FALSE(text::Sampler({.xtcProbability = 0.5F}).nextDraw());
    EXPECT_FALSE(text::Sampler({.repeatPenalty = 1.2F}).nextDraw());
}

// Where there are fewer tokens than candidates, or none.
TEST_F(DrawKernel, DrawsFromTheTokensThatThereAre) {
    const std::vector<text::TokenLogit> one{{7, 1.0F}, {}, {}}, none(3);
    const text::Draw next{.count = 3, .temperature = 1, .unit = 0.99F};
    EXPECT_EQ(drawn(one, next), 7);
    EXPECT_EQ(drawn(none, next), 0);
}

struct AheadCase {
    std::string family;
    quant::FileType type;
};

class TokensAhead : public InferTest, public testing::WithParamInterface<AheadCase> {
protected:
    void SetUp() override {
        InferTest::SetUp();
        WB_NEED_SHARED("arch");
        const test::ArchModel arch = test::ArchModel::open(GetParam().family);
        model = inType(arch.model, GetParam().type);
        ASSERT_TRUE(model);
        prompt.assign(arch.tokens.begin(), arch.tokens.begin() + 10);
    }

    std::unique_ptr<infer::Engine> engine() {
        const auto graph = infer::planGraph(model);
        infer::Placement placement;
        placement.options = {.threads = 1, .context = context, .kernels = infer::KernelSet::Exact};
        placement.gpuLayers = graph->layers.size() + 1;
        auto made = makeDeviceEngine(device, *graph, placement, {}, {});
        EXPECT_TRUE(made) << made.error().message();
        return std::move(*made);
    }

    // Tokens drawn, with the logits they were drawn from. Every `foreign`th token is not the one that was drawn; 0: none.
    struct Drawn {
        std::vector<infer::Token> tokens;
        std::vector<text::TokenLogit> logits;
        std::uint64_t ahead;
    };
    Drawn draw(const text::SamplingOptions& options, bool announces, int foreign) {
        infer::Session session(engine());
        text::Sampler sampler(options);
        session.needRanked(sampler.neededLogits());
        EXPECT_TRUE(session.append(prompt));
        Drawn result;
        for (int i = 0; i < 24; ++i) {
            const auto ranked = session.ranked();
            result.logits.insert(result.logits.end(), ranked.begin(), ranked.end());
            infer::Token token = sampler.sample(ranked);
            if (foreign > 0 && i % foreign == foreign - 1) token = prompt[static_cast<std::size_t>(i) % prompt.size()];
            result.tokens.push_back(token);
            if (announces) session.expectDraw(sampler.nextDraw());
            EXPECT_TRUE(session.append(std::span(&token, 1)));
        }
        result.ahead = dynamic_cast<const DeviceRunner&>(session.engine()).evaluatedAhead();
        return result;
    }

    ModelPtr model;
    std::vector<infer::Token> prompt;
};

TEST_P(TokensAhead, AreThoseThatAreAskedFor) {
    for (const float temperature : {0.0F, 0.8F}) {
        const text::SamplingOptions options{.temperature = temperature, .topK = 20, .seed = 5};
        const Drawn announced = draw(options, true, 0), plain = draw(options, false, 0);
        EXPECT_EQ(announced.tokens, plain.tokens);
        EXPECT_EQ(announced.logits, plain.logits);
        EXPECT_GE(announced.ahead, 20u); // of 23
        EXPECT_EQ(plain.ahead, 0u);
    }
}

// Another token than the drawn one, an earlier position, a batch: what was evaluated ahead leaves no trace.
TEST_P(TokensAhead, LeaveNoTraceWhereOthersAreAskedFor) {
    const text::SamplingOptions options{.temperature = 0.8F, .topK = 20, .seed = 5};
    const Drawn announced = draw(options, true, 3), plain = draw(options, false, 3);
    EXPECT_EQ(announced.tokens, plain.tokens);
    EXPECT_EQ(announced.logits, plain.logits);
    std::vector<std::vector<float>> logits;
    for (const bool announces : {true, false}) {
        infer::Session session(engine());
        session.needRanked(1);
        const auto read = [&](std::span<const infer::Token> tokens) {
            if (announces) session.expectDraw(text::Draw{});
            EXPECT_TRUE(session.append(tokens));
        };
        read(prompt);
        session.truncate(4);
        read(std::span(prompt).subspan(4, 1));
        read(std::span(prompt).subspan(5, 4));
        session.needRanked(0);
        read(std::span(prompt).subspan(9, 1));
        logits.emplace_back(session.logits().begin(), session.logits().end());
    }
    EXPECT_EQ(logits[0], logits[1]);
}

INSTANTIATE_TEST_SUITE_P(Families, TokensAhead,
                         testing::ValuesIn(test::sample<AheadCase>({{"llama-k256", quant::FileType::Q6_K},
                                                                    {"gemma3", quant::FileType::F16}},
                                                                   {{"qwen2", quant::FileType::Q8_0},
                                                                    {"cohere2", quant::FileType::Q4_0},
                                                                    {"granite", quant::FileType::Q8_0}})),
                         [](const auto& test) {
                             std::string name = test.param.family;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace
} // namespace wb::gpu
