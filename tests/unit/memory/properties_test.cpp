// SPDX-License-Identifier: MIT
#include "core/memory/amounts.h"
#include "core/memory/fit.h"

#include <gmock/gmock.h>

#include <random>

// What holds for every model and every setting (specs/memory_estimates.md 13).
namespace wb::memory {
namespace {

using testing::HasSubstr;

template <typename T, std::size_t N>
T one(std::mt19937& random, const T (&choices)[N]) {
    return choices[random() % N];
}

Settings anySettings(std::mt19937& random) {
    Settings settings;
    settings.context = one<std::uint64_t>(random, {256, 4096, 8192, 40'000, 131'072});
    settings.batch = one<std::uint64_t>(random, {512, 2048});
    settings.microBatch = one<std::uint64_t>(random, {128, 512, 2048});
    settings.conversations = one<std::uint64_t>(random, {1, 2, 8});
    settings.unified = random() % 2 == 0;
    settings.flash = random() % 4 != 0;
    settings.fullWindows = random() % 4 == 0;
    settings.keyType = one<Dtype>(random, {Dtype::F16, Dtype::Q8_0, Dtype::Q4_0});
    settings.valueType = settings.flash ? settings.keyType : Dtype::F16;
    settings.gpuLayers = one<std::uint64_t>(random, {0, 1, 9, allLayers});
    settings.cpuExperts = one<std::uint64_t>(random, {0, 4, 1000});
    settings.build = one<std::uint32_t>(random, {newestBuild, 202605, 202604, 202505});
    if (settings.usesGpu()) settings.backend = one<Backend>(random, {Backend::Vulkan, Backend::Cuda, Backend::Metal});
    if (settings.usesGpu() && random() % 2 == 0) settings.split = {random() % 40, random() % 40, 3};
    return settings;
}

TEST(Properties, PartsAddUpToTheTotalAndToTheDevices) {
    std::mt19937 random(7);
    for (const Shape& shape : knownShapes()) {
        const Subject subject = *subjectOfShape(shape, Trust::Config);
        for (int i = 0; i < 40; ++i) {
            const Settings settings = anySettings(random);
            const auto result = estimate(subject, subject.stored, settings);
            if (!result) continue; // a type that does not fit the rows of this model
            std::uint64_t parts = 0, devices = 0;
            for (const Part& part : result->parts) {
                parts += part.bytes;
                EXPECT_FALSE(part.formula.empty()) << partName(part.kind);
            }
            for (std::size_t d = 0; d < std::max<std::size_t>(1, result->plan.devices.size()); ++d)
                devices += result->plan.onGpu(d).total();
            EXPECT_EQ(parts, result->total());
            EXPECT_EQ(devices + result->plan.processor.total(), result->total());
        }
    }
}

TEST(Properties, MoreOfAnythingNeverNeedsLess) {
    std::mt19937 random(11);
    for (const char* name : {"Llama-3.1-8B", "Qwen3-30B-A3B", "SmolLM2-135M", "Mixtral-8x7B"}) {
        const Subject subject = *subjectOfSize(name);
        const auto total = [&](const Settings& settings) { return planOf(subject.spec, subject.stored, settings).total(); };
        for (int i = 0; i < 200; ++i) {
            const Settings settings = anySettings(random);
            const std::uint64_t before = total(settings);
            const auto grows = [&](const char* what, auto change) {
                Settings more = settings;
                change(more);
                EXPECT_GE(total(more), before) << name << " with more " << what;
            };
            grows("context", [](Settings& s) { s.context *= 2; });
            grows("micro-batch", [](Settings& s) { s.microBatch *= 2; });
            grows("batch", [](Settings& s) { s.batch *= 2; });
            grows("outputs", [](Settings& s) { s.outputs = s.outputRows() * 2; });
            grows("slots with as much context each", [](Settings& s) { s.conversations *= 2, s.context *= 2; });
        }
    }
}

TEST(Properties, TrainingGrowsWithRankBatchAndSequence) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    for (const Method method : {Method::Lora, Method::Qlora, Method::Dpo}) {
        const auto total = [&](auto change) {
            TrainingSettings settings;
            settings.method = method;
            change(settings);
            return estimateTraining(subject, settings)->gpu();
        };
        const std::uint64_t before = total([](TrainingSettings&) {});
        EXPECT_GT(total([](TrainingSettings& s) { s.rank *= 4; }), before);
        EXPECT_GT(total([](TrainingSettings& s) { s.batch *= 2; }), before);
        EXPECT_GT(total([](TrainingSettings& s) { s.sequence *= 2; }), before);
    }
}

// 10^12 parameters, a context of 2^63, as many slots: refused by name, or counted without wrapping around.
TEST(Absurd, NumbersAreRefusedByName) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const auto refusal = [&](auto change) {
        Settings settings;
        change(settings);
        const auto result = estimate(subject, subject.stored, settings);
        EXPECT_FALSE(result);
        return result ? std::string() : result.error().message();
    };
    EXPECT_THAT(refusal([](Settings& s) { s.context = std::uint64_t{1} << 63; }), HasSubstr("context"));
    EXPECT_THAT(refusal([](Settings& s) { s.context = 0; }), HasSubstr("context"));
    EXPECT_THAT(refusal([](Settings& s) { s.batch = 0; }), HasSubstr("batch"));
    EXPECT_THAT(refusal([](Settings& s) { s.microBatch = 0; }), HasSubstr("micro-batch"));
    EXPECT_THAT(refusal([](Settings& s) { s.conversations = 0; }), HasSubstr("slots"));
    EXPECT_THAT(refusal([](Settings& s) { s.conversations = 10'000; }), HasSubstr("slots"));
    EXPECT_FALSE(subjectOfSize("99999999999999999999T"));
    const auto large = subjectOfSize("1T");
    ASSERT_TRUE(large);
    EXPECT_EQ(large->parameters, 1'000'000'000'000u);
    const auto counted = estimate(*large, large->stored, {.context = arch::maxContext});
    EXPECT_TRUE(counted ? counted->total() > 2'000'000'000'000u : counted.error().code == ErrorCode::TooLarge);
}

} // namespace
} // namespace wb::memory
