// SPDX-License-Identifier: MIT
#include "core/memory/cards/memories.h"
#include "core/memory/cards/placement.h"
#include "core/quant/mix/recommendation.h"

#include <gtest/gtest.h>

#include <array>

namespace wb::memory {
namespace {

constexpr std::uint64_t gib = 1 << 30;

Memory device(std::uint64_t bytes, std::uint64_t bandwidth = 500) {
    return {.name = "card", .bytes = bytes, .margin = usualMargin, .bandwidth = bandwidth};
}

Weights namedWeights(const Subject& subject, const char* type) { return *subject.weights(weightTypeFromName(type)); }

// Whatever the split, every byte lies on exactly one device.
TEST(Splits, AddUpOverTheDevices) {
    const Subject subject = *subjectOfSize("Qwen3-30B-A3B");
    const Weights weights = namedWeights(subject, "Q4_K_M");
    for (const std::vector<std::uint64_t>& split : {std::vector<std::uint64_t>{49, 0}, {0, 49}, {20, 29}, {1, 1, 47}, {5, 5, 5}})
        for (const std::uint64_t layers : {std::uint64_t{1}, std::uint64_t{15}, std::uint64_t{49}, allLayers})
            for (const std::uint64_t experts : {0u, 10u, 48u}) {
                Settings settings{.context = 16384, .gpuLayers = layers, .cpuExperts = experts};
                settings.split = split;
                const Plan plan = planMemoryUse(subject.spec, weights, settings);
                ASSERT_EQ(plan.devices.size(), split.size());
                std::uint64_t sum = 0;
                for (const DeviceBytes& one : plan.devices) sum += one.total();
                EXPECT_EQ(sum, plan.gpu.total());
                Settings one = settings;
                one.split.clear();
                const Plan alone = planMemoryUse(subject.spec, weights, one);
                for (const PartKind kind : {PartKind::Weights, PartKind::Keys, PartKind::Values})
                    EXPECT_EQ(plan.gpu[kind], alone.gpu[kind]) << partName(kind);
                EXPECT_EQ(plan.processor.total(), alone.processor.total());
                const auto result = estimate(subject, weights, settings);
                ASSERT_TRUE(result) << result.error().message();
                std::uint64_t parts = 0;
                for (const MemoryPart& part : result->parts) parts += part.bytes;
                EXPECT_EQ(parts, result->total());
            }
}

TEST(Splits, AreProportionalToTheMemoryByDefault) {
    const std::vector<Memory> gpus = {device(24 * gib), device(8 * gib)};
    EXPECT_EQ(usualSplit(32, gpus), (std::vector<std::uint64_t>{24, 8}));
    EXPECT_EQ(usualSplit(33, gpus), (std::vector<std::uint64_t>{25, 8}));
}

// Only the device that has the output computes logits: 128,256 words of 16 slots here.
TEST(Splits, LeaveTheLogitsToTheLastDevice) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    Settings settings{.microBatch = 2048, .conversations = 1, .outputs = 2048, .gpuLayers = allLayers};
    settings.split = {16, 17};
    const Plan plan = planMemoryUse(subject.spec, subject.stored, settings);
    EXPECT_GT(plan.devices[1][PartKind::Compute], 2048u * 128'256 * 4);
    EXPECT_LT(plan.devices[0][PartKind::Compute], plan.devices[1][PartKind::Compute]);
}

TEST(Placement, PutsEverythingOnTheDevicesWhereItFits) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const Weights weights = namedWeights(subject, "Q4_K_M");
    const std::vector<Memory> one = {device(12 * gib)};
    const Placement whole = bestPlacement(subject, weights, {}, one, nullptr);
    EXPECT_EQ(whole.settings.gpuLayers, allLayers);
    EXPECT_TRUE(whole.fits());
    EXPECT_EQ(whole.fromMain, 0u);
    EXPECT_TRUE(whole.tokensPerSecond);
    const std::vector<Memory> two = {device(4 * gib), device(5 * gib)};
    const Placement split = bestPlacement(subject, weights, {}, two, nullptr);
    ASSERT_EQ(split.settings.split.size(), 2u);
    EXPECT_EQ(split.settings.split[0] + split.settings.split[1], 33u);
    EXPECT_TRUE(split.fits());
    for (const Fit& fit : split.devices) EXPECT_EQ(fit.verdict, Verdict::Fits);
}

TEST(Placement, LeavesWholeLayersOfADenseModelToTheProcessor) {
    const Subject subject = *subjectOfSize("Llama-3.1-70B");
    const Weights weights = namedWeights(subject, "Q4_K_M");
    const std::vector<Memory> gpus = {device(24 * gib)};
    const Memory main{.name = "main", .side = Side::Processor, .bytes = 64 * gib, .margin = usualMargin};
    const Placement placement = bestPlacement(subject, weights, {}, gpus, &main);
    EXPECT_TRUE(placement.fits());
    EXPECT_GT(placement.settings.gpuLayers, 20u);
    EXPECT_LT(placement.settings.gpuLayers, 81u);
    EXPECT_GT(placement.fromMain, 0u);
    Settings more = placement.settings; // one layer more does not fit
    ++more.gpuLayers;
    EXPECT_NE(planPlacement(subject, weights, more, gpus, nullptr).devices[0].verdict, Verdict::Fits);
}

TEST(Placement, LeavesExpertsToTheProcessorFirst) {
    const Subject subject = *subjectOfSize("Qwen3-30B-A3B");
    const Weights weights = namedWeights(subject, "Q4_K_M");
    const std::vector<Memory> gpus = {device(12 * gib)};
    const Memory main{.name = "main", .side = Side::Processor, .bytes = 64 * gib, .margin = usualMargin};
    const Placement placement = bestPlacement(subject, weights, {}, gpus, &main);
    EXPECT_TRUE(placement.fits());
    EXPECT_EQ(placement.settings.gpuLayers, allLayers) << "attention and caches stay on the device";
    EXPECT_GT(placement.settings.cpuExperts, 10u);
    EXPECT_LT(placement.settings.cpuExperts, 48u);
    Settings fewer = placement.settings;
    --fewer.cpuExperts;
    EXPECT_NE(planPlacement(subject, weights, fewer, gpus, nullptr).devices[0].verdict, Verdict::Fits) << "no fewer would do";
}

TEST(Placement, SaysWhereNothingFits) {
    const Subject subject = *subjectOfSize("Llama-3.1-70B");
    const std::vector<Memory> gpus = {device(gib / 4)};
    const Memory main{.name = "main", .side = Side::Processor, .bytes = 8 * gib, .margin = usualMargin};
    const Placement placement = bestPlacement(subject, subject.stored, {}, gpus, &main);
    EXPECT_FALSE(placement.settings.usesGpu());
    EXPECT_FALSE(placement.fits());
    EXPECT_EQ(placement.main->verdict, Verdict::No);
}

// VRAM and RAM are never added up: a model of 20 GiB does not fit into 12 and 12.
TEST(Placement, NeverAddsUpTwoMemories) {
    const Subject subject = *subjectOfSize("Qwen2.5-32B");
    const Weights weights = namedWeights(subject, "Q4_K_M");
    const Memory card = device(12 * gib);
    EXPECT_EQ(fitNow(subject, weights, {}, card).verdict, Verdict::No);
    const Memory main{.name = "main", .side = Side::Processor, .bytes = 12 * gib};
    EXPECT_EQ(fitNow(subject, weights, {}, main).verdict, Verdict::No);
}

TEST(Cards, AreTheSmallestThatHoldTheModel) {
    const Subject subject = *subjectOfSize("Llama-3.1-70B");
    const Weights weights = namedWeights(subject, "Q4_K_M");
    const auto choices = cardsFor(subject, weights, {});
    ASSERT_FALSE(choices.empty());
    std::array<int, 5> counts{};
    for (const CardChoice& choice : choices) {
        ++counts[choice.count];
        EXPECT_LE(choice.need, choice.card->allocatable());
        EXPECT_GE(choice.card->allocatable() * choice.count, weights.total());
    }
    EXPECT_EQ(counts[1], 4);
    EXPECT_EQ(counts[2], 4);
    EXPECT_EQ(counts[4], 4);
    EXPECT_EQ(choices.front().card->memory, 48 * gib);
}

// Several alike would crowd the others out, and bitsandbytes is for CUDA.
TEST(Cards, ForQloraAreOfNvidiaAndOneOfEachSize) {
    TrainingSettings settings;
    settings.method = Method::Qlora;
    const auto choices = cardsFor(*subjectOfSize("7B"), settings);
    ASSERT_GE(choices.size(), 3u);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        EXPECT_EQ(choices[i].card->vendor, "NVIDIA") << choices[i].card->title();
        if (i > 0) {
            EXPECT_GT(choices[i].card->allocatable(), choices[i - 1].card->allocatable());
        }
    }
}

// RAM or a GPU, whichever leaves a model the most room now.
TEST(Memories, TheRoomiestIsRecommendedFor) {
    const std::vector<Memory> memories = {{.name = {}, .side = Side::Processor, .bytes = 64 * gib, .free = 9 * gib, .margin = gib},
                                          {.name = "card", .bytes = 24 * gib, .free = 20 * gib, .margin = gib},
                                          {.name = "busy", .bytes = 80 * gib, .free = gib / 2, .margin = gib}};
    EXPECT_EQ(roomiest(memories).name, "card");
    EXPECT_EQ(usableBytes(memories[0]), 8 * gib);
    EXPECT_EQ(usableBytes(memories[2]), 0u);
}

TEST(Types, AreTheSmallestOfUnnoticedLossThatFit) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    std::vector<TypedWeights> types;
    for (const WeightType& type : weightTypes())
        if (auto weights = subject.weights(&type)) types.push_back({&type, std::move(*weights)});
    const auto best = [&](std::uint64_t bytes) {
        const auto choice = typeFor(subject, types, {}, device(bytes));
        return choice ? std::string(choice->type->name) : std::string();
    };
    EXPECT_EQ(best(48 * gib), "Q6_K") << "more memory buys nothing that is noticed";
    EXPECT_EQ(best(8 * gib + gib / 2), "Q6_K");
    EXPECT_EQ(best(7 * gib + gib / 2), "Q5_K_M");
    EXPECT_EQ(best(gib), "");
    EXPECT_EQ(typeDivergence(*weightTypeFromName("FP16")).plain, 0);
    EXPECT_EQ(typeDivergence(*weightTypeFromName("Q4_K_M")), (quant::PublishedDivergence{0.0313, 0.0282}));
    EXPECT_FALSE(typeDivergence(*weightTypeFromName("TQ1_0")));
}

TEST(Types, AreRecommendedByOneRule) {
    const std::vector<quant::TypeOffer> offers = {{30, 0.0, false}, {20, 0.2}, {10, 0.2}, {5, 0.4}, {1, std::nullopt}};
    const auto best = quant::adviseType(offers, 0); // the best quality that fits, and of equal ones the smallest
    ASSERT_TRUE(best);
    EXPECT_EQ(best->offer, 2u);
    EXPECT_FALSE(best->isUnnoticed);
    const auto small = quant::adviseType(offers, 0.4);
    ASSERT_TRUE(small);
    EXPECT_EQ(small->offer, 3u);
    EXPECT_FALSE(quant::adviseType(std::span(offers).last(1), 1)) << "no loss is published";
}

// From laptops of 6 GB to H200, MI300X and Apple's machines, each row with its source.
TEST(Cards, HaveMemoryBandwidthAndASource) {
    for (const Card& card : cards()) {
        EXPECT_GT(card.memory, 0u) << card.title();
        EXPECT_GT(card.bandwidth, 0u) << card.title();
        EXPECT_FALSE(card.source.empty()) << card.title();
        EXPECT_LE(card.allocatable(), card.memory) << card.title();
    }
    for (const char* name : {"RTX 4050 Laptop", "H200", "MI300X", "M4 Max, 40 GPU cores"})
        EXPECT_FALSE(cardsNamed(name).empty()) << name;
}

TEST(Memories, WhenIdleHaveWhatWasMeasuredOrAllButTheMargin) {
    Memory card = cardMemory(*cardsNamed("RTX 5060 Ti, 16 GiB").front());
    EXPECT_EQ(card.availableWhenIdle(), 15849ull << 20);
    card.name = "NVIDIA GeForce RTX 5060 Ti";
    card.source.clear();
    card.free = 3ull << 30;
    EXPECT_EQ(card.availableWhenIdle(), 15849ull << 20) << "by its name";
    card.bytes = 8ull << 30;
    EXPECT_EQ(card.availableWhenIdle(), (8ull << 30) - card.margin) << "the smaller one of the same name was not measured";
    card.free = card.bytes;
    EXPECT_EQ(card.availableWhenIdle(), card.bytes);
}

} // namespace
} // namespace wb::memory
