// SPDX-License-Identifier: MIT
#include "gpu/compute/kernel_choice.h"
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/infer/kernels_test.h"

#include <cmath>
#include <cstdio>

// The fast kernels compared with the exact ones, and when they are used.
namespace wb::gpu {
namespace {

class FastKernels : public MultiplyKernels {
protected:
    // The same product by both kernels.
    void expectSame(Dtype dtype, FastForm form, std::uint32_t epilogue) {
        const auto bytes = matrix(dtype);
        const std::vector<float> x = randomRow(columns, 7), biases = randomRow(rows, 8), before = randomRow(rows, 9);
        const DeviceMatrix weights = onDevice(dtype, bytes, biases);
        const Prepared prepared{room(columns), room(columns / 32 * 12)};
        const StepSizes one = batch(0, 1, 1);
        const FastTypes fast{{{dtype, form}}};
        const View exactly = upload(before), fastly = upload(before);
        run([&](Recorder& recorder) -> Result<void> {
            WB_TRY(prepare(*device, recorder, one, {.rows = upload(x), .columns = columns, .codes = true}, prepared));
            MultiplyStep step = makeStep(weights, epilogue);
            WB_TRY(multiply(*device, recorder, one, step, prepared, exactly));
            step.fast = &fast;
            return multiply(*device, recorder, one, step, prepared, fastly);
        });
        EXPECT_LE(nmse(readFloats(fastly, rows), readFloats(exactly, rows)), 1e-12) << name(dtype) << " " << epilogue;
    }
};

// All rows of odd parts: only the order of sums differs.
TEST_F(FastKernels, GiveNearlyTheExactProducts) {
    for (const Dtype dtype : fastDtypes)
        for (const FastForm form : {FastForm::Packed, FastForm::Float}) {
            if (form == FastForm::Packed && !device->offers(Feature::IntegerDot)) continue;
            expectSame(dtype, form, WB_STORE);
            if (dtype == Dtype::Q4_K) expectSame(dtype, form, WB_ADD), expectSame(dtype, form, WB_GATE);
        }
}

TEST_F(FastKernels, AreTriedBesideTheExactOnes) {
    for (const Dtype dtype : fastDtypes) {
        const auto verdict = testFast(device, dtype);
        ASSERT_TRUE(verdict) << verdict.error().message();
        EXPECT_TRUE(verdict->isRight()) << name(dtype) << " " << verdict->error;
        EXPECT_LE(verdict->error, 1e-11);
        EXPECT_GT(verdict->speedup, 0);
        std::printf("  | %s | %s | %.2f | %.1e |\n", std::string(name(dtype)).c_str(),
                    verdict->form == FastForm::Packed ? "packed" : "float", verdict->speedup, verdict->error);
    }
}

TEST(FastVerdict, IsOnlyBetterWhereItIsRightAndFaster) {
    const FastVerdict good{Dtype::Q4_K, FastForm::Packed, 1e-13, 3};
    FastVerdict wrong = good, slow = good, none = good;
    wrong.error = 1e-5;
    slow.speedup = 0.9;
    none.error = std::nan("");
    EXPECT_TRUE(good.isRight() && good.isBetter());
    EXPECT_FALSE(wrong.isRight() || wrong.isBetter());
    EXPECT_TRUE(slow.isRight() && !slow.isBetter());
    EXPECT_FALSE(none.isRight() || none.isBetter());
}

TEST(FastVerdict, CountsByTheKindOfDeviceAndTheWish) {
    using enum infer::KernelSet;
    DeviceInfo card, software;
    card.kind = DeviceKind::Discrete;
    software.kind = DeviceKind::Software;
    EXPECT_TRUE(compute::mayBeFast(card, Auto) && compute::mayBeFast(card, Fast) && compute::mayBeFast(software, Fast));
    EXPECT_FALSE(compute::mayBeFast(software, Auto) || compute::mayBeFast(card, Exact) || compute::mayBeFast(software, Exact));
    const FastVerdict slow{Dtype::Q8_0, FastForm::Float, 1e-13, 0.9}, wrong{Dtype::Q8_0, FastForm::Float, 1e-3, 9};
    EXPECT_TRUE(compute::isUsed(slow, Fast));
    EXPECT_FALSE(compute::isUsed(slow, Auto) || compute::isUsed(wrong, Auto) || compute::isUsed(wrong, Fast));
}

class FastEngine : public InferTest, public testing::WithParamInterface<std::pair<std::string, quant::FileType>> {};

// Single tokens with the fast kernels. Where sums differ in their last bits, some activations are rounded to the next code of 8
// bits, and from there on the error is that of such roundings, whatever made them (docs/reference/accuracy.md). Batches have the
// exact kernels.
TEST_P(FastEngine, GivesNearlyTheExactLogits) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam().first);
    const ModelPtr model = inType(arch.model, GetParam().second);
    ASSERT_TRUE(model);
    const auto exact = onDevice(model, {.kernels = infer::KernelSet::Exact}),
               fast = onDevice(model, {.kernels = infer::KernelSet::Fast});
    ASSERT_TRUE(exact && fast);
    EXPECT_EQ(exact->kernels(), "exact");
    EXPECT_TRUE(fast->kernels().starts_with("fast for Q")) << fast->kernels();
    const auto truth = test::allLogits(*exact, arch.tokens, 1), logits = test::allLogits(*fast, arch.tokens, 1);
    const double error = nmse(logits, truth);
    EXPECT_LE(error, 2e-4);
    EXPECT_NE(logits, truth) << "the fast kernels were not used";
    EXPECT_EQ(test::allLogits(*fast, arch.tokens, arch.tokens.size()), truth);
    std::printf("  | %s | %s | %.1e |\n", GetParam().first.c_str(), fast->kernels().c_str(), error);
}

INSTANTIATE_TEST_SUITE_P(Types, FastEngine,
                         testing::Values(std::pair{"llama-k256", quant::FileType::Q4_K_M},
                                         std::pair{"qwen3-k256", quant::FileType::Q6_K},
                                         std::pair{"qwen2", quant::FileType::Q8_0}));

// Experts, whose router may choose another one of two that are nearly equal: token by token.
TEST_F(InferTest, FastKernelsMultiplyExperts) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open("qwen3moe");
    const ModelPtr model = inType(arch.model, quant::FileType::Q8_0);
    ASSERT_TRUE(model);
    const auto exact = onDevice(model), fast = onDevice(model, {.kernels = infer::KernelSet::Fast});
    ASSERT_TRUE(exact && fast);
    EXPECT_TRUE(!device->info().software() || exact->kernels() == "exact");
    const auto truth = test::allLogits(*exact, arch.tokens, 1), logits = test::allLogits(*fast, arch.tokens, 1);
    std::vector<double> errors;
    for (std::size_t at = 0; at < logits.size(); at += fast->vocabulary())
        errors.push_back(nmse(std::span(logits).subspan(at, fast->vocabulary()), std::span(truth).subspan(at, fast->vocabulary())));
    std::ranges::sort(errors);
    EXPECT_LE(errors[errors.size() / 2], 1e-4);
    EXPECT_LE(errors[errors.size() * 9 / 10], 1e-3);
}

} // namespace
} // namespace wb::gpu
