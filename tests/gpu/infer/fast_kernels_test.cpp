// SPDX-License-Identifier: MIT
#include "gpu/compute/kernel_choice.h"
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/infer/kernels_test.h"
#include "tests/gpu/support/sample.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

// The fast kernels compared with the exact ones, and when they are used.
namespace wb::gpu {
namespace {

class FastKernels : public MultiplyKernels {
protected:
    static std::vector<Dtype> triedTypes() {
        using enum Dtype;
        const std::vector<Dtype> types = test::sample<Dtype>(
            {Q4_K, IQ4_XS}, {Q8_0, Q3_K, Q4_0, Q2_K, Q5_K, Q6_K, Q4_1, Q5_0, Q5_1, IQ4_NL, MXFP4, NVFP4, TQ2_0});
        EXPECT_TRUE(types.size() < fastDtypes.size() || std::ranges::is_permutation(types, fastDtypes));
        return types;
    }

    // The products of these, too: every block type.
    static std::vector<Dtype> multipliedTypes() {
        using enum Dtype;
        std::vector<Dtype> types = triedTypes();
        for (const Dtype type : test::sample<Dtype>({Q5_1}, {IQ1_S, TQ1_0, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S}))
            if (std::ranges::find(types, type) == types.end()) types.push_back(type);
        return types;
    }

    // The same products by both kernels, of one token or of some in a batch.
    void expectSame(Dtype dtype, FastForm form, std::uint32_t epilogue, std::uint32_t count = 1) {
        const auto bytes = matrix(dtype);
        const std::uint32_t atOnce = count == 1 ? 1 : recorded;
        const std::vector<float> x = randomRow(columns * atOnce, 7), biases = randomRow(rows, 8),
                                 before = randomRow(rows * atOnce, 9);
        const DeviceMatrix weights = onDevice(dtype, bytes, biases);
        const Prepared prepared{room(columns * atOnce), room(columns / 32 * 12 * atOnce)};
        const StepSizes one = batch(0, count, atOnce);
        const FastTypes fast{{{dtype, form, true}}};
        const View exactly = upload(before), fastly = upload(before);
        run([&](Recorder& recorder) -> Result<void> {
            WB_TRY(prepare(*device, recorder, one, {.rows = upload(x), .columns = columns, .codes = true}, prepared));
            MultiplyStep step = makeStep(weights, epilogue);
            WB_TRY(multiply(*device, recorder, one, step, prepared, exactly));
            step.fast = &fast;
            return multiply(*device, recorder, one, step, prepared, fastly);
        });
        const std::size_t numbers = rows * atOnce; // those beyond the tokens stay
        EXPECT_LE(nmse(readFloats(fastly, numbers), readFloats(exactly, numbers)), 1e-12)
            << name(dtype) << " " << epilogue << " " << count;
    }
};

// All rows of odd parts: only the order of sums differs.
TEST_F(FastKernels, GiveNearlyTheExactProducts) {
    for (const Dtype dtype : multipliedTypes())
        for (const FastForm form : {FastForm::Packed, FastForm::Float}) {
            if (form == FastForm::Packed && !device->offers(Feature::IntegerDot)) continue;
            expectSame(dtype, form, WB_STORE);
            expectSame(dtype, form, WB_STORE, tokens);
            if (dtype != Dtype::Q4_K) continue;
            expectSame(dtype, form, WB_ADD), expectSame(dtype, form, WB_GATE);
            for (const std::uint32_t count : {2u, 8u, 16u}) expectSame(dtype, form, WB_ADD, count);
        }
}

TEST_F(FastKernels, AreTriedBesideTheExactOnes) {
    for (const Dtype dtype : triedTypes()) {
        const auto verdicts = testForms(device, dtype);
        ASSERT_TRUE(verdicts) << verdicts.error().message();
        EXPECT_EQ(verdicts->size(), device->offers(Feature::IntegerDot) ? 2u : 1u);
        for (const FastVerdict& verdict : *verdicts) {
            EXPECT_TRUE(verdict.isRight()) << name(dtype) << " " << verdict.error;
            EXPECT_LE(verdict.error, 1e-11);
            EXPECT_GT(verdict.speedup, 0);
            std::printf("  | %s | %s | %.2f | %.2f | %.1e |\n", std::string(name(dtype)).c_str(),
                        verdict.form == FastForm::Packed ? "packed" : "float", verdict.speedup, verdict.batchSpeedup,
                        verdict.error);
        }
    }
    const auto attention = testFastAttention(device);
    ASSERT_TRUE(attention) << attention.error().message();
    EXPECT_TRUE(attention->isRight()) << attention->error;
    std::printf("  | attention | | %.2f | | %.1e |\n", attention->speedup, attention->error);
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
    EXPECT_TRUE(mayBeFast(card, Auto) && mayBeFast(card, Fast) && mayBeFast(software, Fast));
    EXPECT_FALSE(mayBeFast(software, Auto) || mayBeFast(card, Exact) || mayBeFast(software, Exact));
    const FastVerdict slow{Dtype::Q8_0, FastForm::Float, 1e-13, 0.9}, wrong{Dtype::Q8_0, FastForm::Float, 1e-3, 9};
    EXPECT_TRUE(compute::isUsed(slow, Fast));
    EXPECT_FALSE(compute::isUsed(slow, Auto) || compute::isUsed(wrong, Auto) || compute::isUsed(wrong, Fast));
}

class FastEngine : public InferTest, public testing::WithParamInterface<std::pair<std::string, quant::FileType>> {};

// Single tokens and a batch with the fast kernels. Where sums differ in their last bits, some activations are rounded to the next
// code of 8 bits, and from there on the error is that of such roundings, whatever made them (docs/reference/accuracy.md).
TEST_P(FastEngine, GivesNearlyTheExactLogits) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam().first);
    const ModelPtr model = inType(arch.model, GetParam().second);
    ASSERT_TRUE(model);
    const auto exact = onDevice(model, {.kernels = infer::KernelSet::Exact}),
               fast = onDevice(model, {.kernels = infer::KernelSet::Fast});
    ASSERT_TRUE(exact && fast);
    EXPECT_EQ(exact->kernels(), "exact");
    EXPECT_TRUE(fast->kernels().starts_with("fast for ")) << fast->kernels();
    const auto truth = test::allLogits(*exact, arch.tokens, 1), logits = test::allLogits(*fast, arch.tokens, 1);
    const double error = nmse(logits, truth);
    EXPECT_LE(error, 2e-4);
    EXPECT_NE(logits, truth) << "the fast kernels were not used";
    EXPECT_LE(nmse(test::allLogits(*fast, arch.tokens, arch.tokens.size()), truth), 2e-4);
    std::printf("  | %s | %s | %.1e |\n", GetParam().first.c_str(), fast->kernels().c_str(), error);
}

using Quantized = std::pair<std::string, quant::FileType>;

INSTANTIATE_TEST_SUITE_P(Types, FastEngine,
                         testing::ValuesIn(test::sample<Quantized>({{"llama-k256", quant::FileType::Q4_K_M}},
                                                                   {{"qwen3-k256", quant::FileType::Q6_K},
                                                                    {"qwen2", quant::FileType::Q8_0},
                                                                    {"llama-k256", quant::FileType::Q4_0},
                                                                    {"llama-k256", quant::FileType::Q5_K_M},
                                                                    {"llama-k256", quant::FileType::Q3_K_M},
                                                                    {"llama-k256", quant::FileType::Q2_K},
                                                                    {"llama-k256", quant::FileType::IQ4_XS},
                                                                    {"qwen2", quant::FileType::Q4_1},
                                                                    {"qwen2", quant::FileType::Q5_0},
                                                                    {"qwen2", quant::FileType::Q5_1},
                                                                    {"qwen2", quant::FileType::IQ4_NL},
                                                                    {"llama-k256", quant::FileType::IQ3_S}})));

// Every folder in a type that has fast kernels: single tokens by both sets. Errors are those of roundings to 8 bits, and routers
// may choose the other one of two experts that are nearly equal: token by token.
class FastFolders : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(FastFolders, GiveNearlyTheExactLogits) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam());
    const ModelPtr model = inType(arch.model, quant::FileType::Q8_0);
    ASSERT_TRUE(model);
    const auto exact = onDevice(model), fast = onDevice(model, {.kernels = infer::KernelSet::Fast});
    ASSERT_TRUE(exact && fast);
    EXPECT_TRUE(!device->info().software() || exact->kernels() == "exact");
    EXPECT_TRUE(fast->kernels().starts_with("fast for Q8_0")) << fast->kernels();
    const auto tokens = std::span(arch.tokens).first(16);
    const auto truth = test::allLogits(*exact, tokens, 1), logits = test::allLogits(*fast, tokens, 1);
    std::vector<double> errors;
    for (std::size_t at = 0; at < logits.size(); at += fast->vocabulary())
        errors.push_back(nmse(std::span(logits).subspan(at, fast->vocabulary()), std::span(truth).subspan(at, fast->vocabulary())));
    std::ranges::sort(errors);
    EXPECT_LE(errors[errors.size() / 2], 2e-4); // as above
    EXPECT_LE(errors[errors.size() * 9 / 10], 1e-3);
}

std::vector<std::string> allFolders() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& folder : std::filesystem::directory_iterator(test::shared() / "arch", error))
        if (folder.is_directory()) names.push_back(folder.path().filename().string());
    std::ranges::sort(names);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Folders, FastFolders, testing::ValuesIn(test::sample<std::string>({"qwen35moe"}, allFolders())));

} // namespace
} // namespace wb::gpu
