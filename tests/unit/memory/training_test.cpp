// SPDX-License-Identifier: MIT
#include "core/memory/amounts.h"
#include "core/memory/cards/fit.h"
#include "core/memory/training/optimizers.h"
#include "core/memory/rule_of_thumb.h"
#include "tests/unit/memory/measured.h"

#include <gmock/gmock.h>

namespace wb::memory {
namespace {

using testing::HasSubstr;

constexpr double trainingMib = 1 << 20;

TrainingEstimate subjectTraining(const Subject& subject, const TrainingSettings& settings) {
    auto result = estimateTraining(subject, settings);
    EXPECT_TRUE(result) << result.error().message();
    return result.value_or(TrainingEstimate{});
}

// What PyTorch calls allocated: neither the allocator's reserve nor the context.
double trainingAllocated(const TrainingEstimate& estimate) {
    return static_cast<double>(estimate.gpu() - estimate.part(PartKind::Reserve) - estimate.part(PartKind::Context));
}

struct MeasuredRow {
    std::string model;
    TrainingSettings settings;
    double allocated = 0; // MiB
    double reserved = 0;
    double allowed = 0; // share
};

std::vector<MeasuredRow> measuredRows(const char* file) {
    std::vector<MeasuredRow> rows;
    for (const auto& line : test::table(file)) {
        MeasuredRow row;
        row.model = line.at("model");
        row.settings.base = baseFromName(line.at("base"));
        row.settings.method = line.at("base") == "nf4" ? Method::Qlora : Method::Lora;
        row.settings.rank = std::stoull(line.at("rank"));
        row.settings.batch = std::stoull(line.at("batch"));
        row.settings.sequence = std::stoull(line.at("sequence"));
        row.settings.targets = Targets::Attention;
        row.settings.flash = line.at("flash") == "yes";
        row.allocated = std::stod(line.at("allocated"));
        row.reserved = line.contains("reserved") ? std::stod(line.at("reserved")) : 0;
        row.allowed = std::stod(line.at("allowed")) / 100;
        rows.push_back(row);
    }
    return rows;
}

TEST(Training, WithCheckpointsIsWithinFivePercentOfMeasuredRuns) {
    const auto rows = measuredRows("training_checkpointing.tsv");
    ASSERT_EQ(rows.size(), 59u);
    double errors = 0;
    for (const MeasuredRow& row : rows) {
        const TrainingEstimate estimate = subjectTraining(test::measuredModel(row.model), row.settings);
        const double error = trainingAllocated(estimate) / trainingMib / row.allocated - 1;
        EXPECT_NEAR(error, 0, row.allowed) << row.model << " " << row.settings.batch << " x " << row.settings.sequence;
        errors += std::abs(error);
        const double most =
            static_cast<double>(estimate.gpu() - estimate.part(PartKind::Context) + estimate.gpuErrorBytes(estimate.gpu())) /
            trainingMib;
        EXPECT_LE(row.reserved, most * 1.05) << row.model << ": what the allocator keeps lies within the error";
    }
    EXPECT_LT(errors / static_cast<double>(rows.size()), 0.012);
}

TEST(Training, WithoutCheckpointsIsWithinFivePercentOfMeasuredRuns) {
    const auto rows = measuredRows("training_plain.tsv");
    ASSERT_EQ(rows.size(), 11u);
    for (MeasuredRow row : rows) {
        row.settings.checkpointing = false;
        const double bytes = trainingAllocated(subjectTraining(test::measuredModel(row.model), row.settings));
        EXPECT_NEAR(bytes / trainingMib / row.allocated, 1, row.allowed) << row.model;
    }
}

std::uint64_t trainableOfModel(const char* name, std::uint64_t rank, Targets targets) {
    return subjectTraining(*subjectOfSize(name), {.method = Method::Lora, .rank = rank, .targets = targets}).trainable;
}

TEST(Adapters, HaveTheParametersOfTheirRankAndTargets) {
    EXPECT_EQ(trainableOfModel("Llama-3.1-8B", 16, Targets::Attention), 13'631'488u);
    EXPECT_EQ(trainableOfModel("Llama-3.1-8B", 16, Targets::All), 41'943'040u);
    EXPECT_EQ(trainableOfModel("Llama-3.1-8B", 64, Targets::All), 167'772'160u);
    EXPECT_EQ(trainableOfModel("Llama-2-7B", 16, Targets::Attention), 16'777'216u);
    EXPECT_EQ(trainableOfModel("Llama-2-7B", 16, Targets::All), 39'976'960u);
    const Subject seven = *subjectOfSize("Llama-2-7B");
    const std::uint64_t rows = 32ull * (4 * 4096 + 2 * 11008 + 4096);
    EXPECT_EQ(subjectTraining(seven, {.method = Method::Lora, .dora = true}).trainable, 39'976'960u + rows);
    EXPECT_EQ(subjectTraining(seven, {.method = Method::Prompt, .virtualTokens = 20}).trainable, 20u * 4096);
    EXPECT_EQ(subjectTraining(seven, {.method = Method::Prefix, .virtualTokens = 20}).trainable, 20u * 2 * 32 * 4096);
}

// docs/reference/memory.md, "Rules for training": bytes a parameter of Llama-2-7B.
TEST(FullTraining, TakesTheTextbooksBytesAParameter) {
    const Subject seven = *subjectOfSize("Llama-2-7B");
    const auto each = [&](TrainingSettings settings) {
        settings.method = Method::Full;
        const TrainingEstimate estimate = subjectTraining(seven, settings);
        const std::uint64_t states =
            estimate.part(PartKind::Base) + estimate.part(PartKind::Gradients) + estimate.part(PartKind::Optimizer);
        return static_cast<double>(states) / static_cast<double>(estimate.parameters);
    };
    EXPECT_DOUBLE_EQ(each({}), 16);
    EXPECT_DOUBLE_EQ(each({.base = BaseType::Fp32}), 16);
    EXPECT_DOUBLE_EQ(each({.gradientsInFp32 = true}), 18);
    EXPECT_DOUBLE_EQ(each({.optimizer = optimizerFromName("adamw-bf16")}), 8);
    EXPECT_NEAR(each({.optimizer = optimizerFromName("paged_adamw_8bit")}), 10, 0.05);
    EXPECT_DOUBLE_EQ(each({.optimizer = optimizerFromName("SGD")}), 8);
    EXPECT_NEAR(each({.optimizer = optimizerFromName("adafactor")}), 8, 0.01);
    EXPECT_NEAR(each({.optimizer = optimizerFromName("muon")}), 12, 0.2);
    EXPECT_LT(each({.rank = 128, .optimizer = optimizerFromName("galore")}), 9.5);
    EXPECT_DOUBLE_EQ(each({.averages = true}), 18) << "a running average in 16 bits";
    EXPECT_DOUBLE_EQ(each({.optimizer = optimizerFromName("lion")}), 12);
    EXPECT_NEAR(each({.optimizer = optimizerFromName("lion-8bit")}), 9, 0.05);
    EXPECT_DOUBLE_EQ(each({.optimizer = optimizerFromName("sgd-momentum")}), 12);
    EXPECT_NEAR(each({.optimizer = optimizerFromName("adafactor-momentum")}), 12, 0.01);
    EXPECT_DOUBLE_EQ(each({.optimizer = optimizerFromName("adam-mini")}), 12);
}

// arXiv 1910.02054, figure 1: 7.5 B parameters on 64 GPUs.
TEST(Zero, SharesWhatThePaperSays) {
    Subject subject = *subjectOfSize("7.5B");
    const auto states = [&](std::uint64_t stage) {
        const TrainingEstimate estimate = subjectTraining(subject, {.method = Method::Full, .zeroStage = stage, .gpus = 64});
        return static_cast<double>(estimate.part(PartKind::Base) + estimate.part(PartKind::Gradients) +
                                   estimate.part(PartKind::Optimizer)) /
               1e9;
    };
    EXPECT_NEAR(states(0), 120, 0.1);
    EXPECT_NEAR(states(1), 31.4, 0.1);
    EXPECT_NEAR(states(2), 16.6, 0.1);
    EXPECT_NEAR(states(3), 1.9, 0.05);
}

TEST(Zero, GathersTheLargestLayersAndMovesStatesToMainMemory) {
    const Subject subject = *subjectOfSize("Llama-3.1-70B");
    const TrainingEstimate lora = subjectTraining(subject, {.method = Method::Lora, .zeroStage = 3, .gpus = 8});
    EXPECT_NEAR(static_cast<double>(lora.part(PartKind::Gathered)) / (1 << 30), 3.2, 0.05);
    const TrainingEstimate off =
        subjectTraining(subject, {.method = Method::Full, .offload = Offload::Optimizer, .zeroStage = 3, .gpus = 8});
    EXPECT_EQ(off.part(PartKind::Optimizer), 0u);
    EXPECT_NEAR(static_cast<double>(off.host()), 14.0 * 70.55e9, 1e10);
    EXPECT_EQ(off.total(), 8 * off.gpu() + off.host());
}

TEST(Training, IsWithinThePublishedFiguresOfTheTextbook) {
    const Subject seven = *subjectOfSize("Llama-2-7B");
    const auto gigabytes = [&](const TrainingSettings& settings) {
        return static_cast<double>(subjectTraining(seven, settings).gpu()) / 1e9;
    };
    EXPECT_NEAR(gigabytes({.method = Method::Lora, .sequence = 512}), 16.4, 0.05 * 16.4);
    EXPECT_NEAR(gigabytes({.method = Method::Lora, .sequence = 2048, .batch = 4}), 22.4, 0.05 * 22.4);
    EXPECT_NEAR(gigabytes({.method = Method::Lora, .sequence = 2048, .checkpointing = false}), 31.4, 0.05 * 31.4);
    EXPECT_NEAR(gigabytes({.method = Method::Qlora, .doubleQuantized = true}), 8.5, 0.05 * 8.5);
    EXPECT_NEAR(gigabytes({.method = Method::Qlora, .rank = 64, .doubleQuantized = true, .batch = 4}), 17.8, 0.05 * 17.8);
}

TEST(Training, GrowsWithSequenceBatchAndRank) {
    const Subject subject = *subjectOfSize("Llama-3.2-1B");
    const auto total = [&](const TrainingSettings& settings) { return subjectTraining(subject, settings).total(); };
    for (const Method method : {Method::Full, Method::Lora, Method::Qlora, Method::Prompt, Method::Prefix, Method::Dpo}) {
        std::uint64_t last = 0;
        for (std::uint64_t sequence = 128; sequence <= 1 << 20; sequence *= 4) {
            const std::uint64_t bytes = total({.method = method, .sequence = sequence});
            EXPECT_GT(bytes, last);
            last = bytes;
        }
        EXPECT_LT(total({.method = method, .batch = 1}), total({.method = method, .batch = 2}));
    }
    EXPECT_LT(total({.method = Method::Lora, .rank = 8}), total({.method = Method::Lora, .rank = 64}));
    EXPECT_LT(total({.method = Method::Dpo}), total({.method = Method::Dpo, .reference = Reference::Copy}));
    EXPECT_LT(total({.chunkedLoss = true}), total({}));
}

TEST(Training, OfAbsurdNumbersDoesNotOverflow) {
    const Subject subject = *subjectOfSize("999T");
    TrainingSettings settings{.method = Method::Full, .sequence = std::uint64_t{1} << 32, .batch = 1 << 20, .flash = false};
    settings.gpus = 65536;
    settings.checkpointing = false;
    const auto result = estimateTraining(subject, settings);
    EXPECT_TRUE(result ? result->total() > std::uint64_t{1} << 60 : result.error().reason == Reason("memory.too_large"));
}

TEST(TrainingSettings, ThatContradictAreRefusedByName) {
    const Subject subject = *subjectOfSize("7B");
    const auto refusal = [&](const TrainingSettings& settings) {
        const auto result = estimateTraining(subject, settings);
        return result ? std::string() : result.error().subject;
    };
    EXPECT_EQ(refusal({.method = Method::Full, .base = BaseType::Nf4}), "base");
    EXPECT_EQ(refusal({.method = Method::Qlora, .base = BaseType::Bf16}), "base");
    EXPECT_EQ(refusal({.method = Method::Lora, .doubleQuantized = true}), "double-quant");
    EXPECT_EQ(refusal({.method = Method::Full, .dora = true}), "dora");
    EXPECT_EQ(refusal({.offload = Offload::All}), "offload");
    EXPECT_EQ(refusal({.zeroStage = 4}), "zero");
    EXPECT_EQ(refusal({.sequence = 0}), "sequence");
    EXPECT_EQ(refusal({.batch = 0}), "batch");
    EXPECT_EQ(refusal({.gpus = 0}), "number of GPUs");
    EXPECT_EQ(refusal({.rank = 0}), "rank");
}

TEST(TrainingFit, NamesTheLongestSequenceThatFits) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const TrainingEstimate estimate = subjectTraining(subject, {.method = Method::Qlora, .sequence = 512});
    EXPECT_EQ(gpuBytesAt(subject.spec, estimate, 512) / 1024, estimate.gpu() / 1024);
    const Memory card = cardMemory(*cardsNamed("RTX 4090")[0]);
    const Fit fit = checkFit(subject, estimate, card);
    EXPECT_EQ(fit.verdict, Verdict::Fits);
    ASSERT_TRUE(fit.longestContext);
    TrainingSettings settings = estimate.settings;
    settings.sequence = *fit.longestContext;
    EXPECT_EQ(checkFit(subject, subjectTraining(subject, settings), card).verdict, Verdict::Fits);
}

TEST(TrainingRule, StandsBesideTheEstimateWithItsReasons) {
    const Subject seven = *subjectOfSize("Llama-2-7B");
    const auto rule = [&](const TrainingSettings& settings) { return trainingRule(subjectTraining(seven, settings)); };
    EXPECT_THAT(rule({.method = Method::Full}).text.text(), HasSubstr("80.9 GB to 134.8 GB"));
    EXPECT_THAT(rule({.method = Method::Full, .zeroStage = 3, .gpus = 8}).text.text(), HasSubstr("13.5 GB to 15.2 GB"));
    EXPECT_THAT(rule({.method = Method::Lora}).text.text(), HasSubstr("19.0 GB to 24.0 GB"));
    EXPECT_THAT(rule({.method = Method::Qlora}).text.text(), HasSubstr("13.5 GB to 17.3 GB"));
    EXPECT_EQ(rule({.method = Method::Prompt}).bytes, 5'000'000'000u);
    EXPECT_GE(rule({.method = Method::Lora, .checkpointing = false, .flash = false}).why.size(), 4u);
}

} // namespace
} // namespace wb::memory
