// SPDX-License-Identifier: MIT
#include "core/infer/cpu/routing.h"
#include "tests/gpu/infer/kernels_test.h"

// The shaders of routers and experts compared with the CPU engine.
namespace wb::gpu {
namespace {

class ExpertKernels : public InferKernels {
protected:
    static constexpr std::uint32_t experts = 12, used = 3, width = 64, inner = 27;

    Routed routed(std::uint32_t tokens) {
        return {room(tokens * used), room(tokens * used), room(tokens), room(scheduleWords(tokens, experts, used))};
    }
};

// Every way to turn logits into weights, with a selection bias, a gate and groups, compared with the CPU.
TEST_F(ExpertKernels, AreChosenAsByTheProcessor) {
    constexpr std::uint32_t tokens = 7;
    const std::vector<float> logits = randomRow(experts * 8, 51), bias = randomRow(experts, 52), gate = randomRow(width, 53),
                             rows = randomRow(width * 8, 54), scale = randomRow(experts, 55);
    const View ofBias = upload(bias), ofGate = upload(gate), ofScale = upload(scale);
    using enum arch::Gating;
    for (const arch::Gating gating : {Softmax, Sigmoid, SoftmaxOfChosen})
        for (const bool rich : {true, false}) {
            infer::RouteOp op;
            op.experts = experts;
            op.used = used;
            op.gating = gating;
            op.normalizes = rich;
            op.scale = rich ? 2.5F : 1.0F;
            op.groups = rich ? 4 : 1;
            op.groupsUsed = rich ? 2 : 1;
            const Routed to = routed(8);
            const RouteStep step{.logits = upload(logits),
                                 .rows = upload(rows),
                                 .selectionBias = rich ? &ofBias : nullptr,
                                 .gate = rich ? &ofGate : nullptr,
                                 .experts = experts,
                                 .used = used,
                                 .width = width,
                                 .gating = gating,
                                 .normalizes = op.normalizes,
                                 .groups = rich ? 4u : 1u,
                                 .groupsUsed = rich ? 2u : 1u,
                                 .scale = op.scale,
                                 .expertScale = rich ? &ofScale : nullptr};
            run([&](Recorder& recorder) { return route(*device, recorder, batch(0, tokens, 8), step, to); });
            std::vector<std::uint32_t> chosen, order(experts), wanted(used);
            std::vector<float> weights, gates, scores(experts), ofToken(used);
            for (std::size_t t = 0; t < tokens; ++t) {
                std::vector<float> own(logits.begin() + t * experts, logits.begin() + (t + 1) * experts);
                cpu::chooseExperts(op, rich ? bias.data() : nullptr, own, scores, order, wanted, ofToken);
                for (std::size_t s = 0; rich && s < used; ++s) ofToken[s] *= scale[wanted[s]];
                chosen.insert(chosen.end(), wanted.begin(), wanted.end());
                weights.insert(weights.end(), ofToken.begin(), ofToken.end());
                gates.push_back(cpu::sharedExpertGate(gate, rows.data() + t * width));
            }
            EXPECT_EQ(read(to.chosen, chosen.size()), chosen) << static_cast<int>(gating);
            EXPECT_LE(nmse(readFloats(to.weights, weights.size()), weights), 1e-12) << static_cast<int>(gating);
            if (rich) {
                EXPECT_LE(nmse(readFloats(to.gates, gates.size()), gates), 1e-12);
            }
        }
}

// Each pair is in one group of its expert, and the products are those of its matrix; the stack is split into parts and has biases.
TEST_F(ExpertKernels, MultiplyTheirOwnTokens) {
    for (const std::uint32_t tokens : {1u, 30u}) {
        const std::uint32_t recorded = tokens == 1 ? 1 : 32;
        const std::vector<float> logits = randomRow(experts * recorded, 61), x = randomRow(width * recorded, 62),
                                 weights = randomRow(experts * inner * width, 63), biases = randomRow(experts * inner, 64);
        DeviceMatrix stack{findWeightLayout(Dtype::F32), inner, width, {}, experts};
        for (const auto& [first, count] : {std::pair<std::uint32_t, std::uint32_t>{0, 5}, {5, experts - 5}}) {
            MatrixPart part;
            part.rows = inner;
            part.firstExpert = first;
            part.experts = count;
            part.biasAt = 0;
            part.weights = upload(std::span(weights).subspan(first * inner * width, count * inner * width));
            part.scales = upload(std::span(biases).subspan(first * inner, count * inner));
            stack.parts.push_back(part);
        }
        const Routed to = routed(recorded);
        const std::size_t pairs = std::size_t{recorded} * used;
        const View results = room(pairs * inner), again = room(pairs * inner), sums = upload(x);
        const std::vector<float> rows = randomRow(pairs * width, 65);
        RouteStep step;
        step.logits = upload(logits);
        step.experts = experts;
        step.used = used;
        const StepSizes sizes = batch(0, tokens, recorded);
        run([&](Recorder& recorder) -> Result<void> {
            WB_TRY(route(*device, recorder, sizes, step, to));
            const Prepared ofTokens{upload(x), {}}, ofPairs{upload(rows), {}};
            WB_TRY(multiply(*device, recorder, sizes, {.matrix = &stack, .experts = {WB_EXPERTS_OF_TOKENS, to.schedule, used}},
                            ofTokens, results));
            WB_TRY(multiply(*device, recorder, sizes, {.matrix = &stack, .experts = {WB_EXPERTS_OF_PAIRS, to.schedule, used}},
                            ofPairs, again));
            return combine(*device, recorder, sizes, {upload(rows), to.weights, width, used, 0.5F}, sums);
        });
        const auto chosen = read(to.chosen, tokens * used);
        const auto chances = readFloats(to.weights, tokens * used);
        std::vector<float> wanted, wantedAgain, wantedSums(x);
        for (std::size_t p = 0; p < tokens * used; ++p) {
            const float* const own = weights.data() + chosen[p] * inner * width;
            for (std::size_t r = 0; r < inner; ++r) {
                const auto dot = [&](const float* input) {
                    double sum = static_cast<double>(biases[chosen[p] * inner + r]);
                    for (std::size_t c = 0; c < width; ++c)
                        sum += static_cast<double>(own[r * width + c]) * static_cast<double>(input[c]);
                    return static_cast<float>(sum);
                };
                wanted.push_back(dot(x.data() + p / used * width));
                wantedAgain.push_back(dot(rows.data() + p * width));
            }
        }
        for (std::size_t t = 0; t < tokens; ++t) {
            std::vector<float> sum(width);
            for (std::size_t s = 0; s < used; ++s)
                scalar.addScaled(sum.data(), rows.data() + (t * used + s) * width, chances[t * used + s], width);
            scalar.addScaled(wantedSums.data() + t * width, sum.data(), 0.5F, width);
        }
        EXPECT_LE(nmse(readFloats(results, wanted.size()), wanted), near) << tokens;
        EXPECT_LE(nmse(readFloats(again, wanted.size()), wantedAgain), near) << tokens;
        EXPECT_EQ(readFloats(sums, x.size()), wantedSums) << tokens;
    }
}

} // namespace
} // namespace wb::gpu
