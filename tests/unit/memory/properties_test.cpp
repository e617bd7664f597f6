// SPDX-License-Identifier: MIT
#include "core/memory/amounts.h"
#include "core/memory/cards/badge.h"
#include "core/memory/open_subject.h"
#include "tests/unit/memory/golden_model.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>

#include <random>

// What holds for every model and every setting.
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
            for (const MemoryPart& part : result->parts) {
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
        const auto total = [&](const Settings& settings) { return planMemoryUse(subject.spec, subject.stored, settings).total(); };
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
            if (settings.unified) grows("slots of one cache", [](Settings& s) { s.conversations *= 2; });
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
    EXPECT_THAT(refusal([](Settings& s) { s.conversations = 10'000; }), HasSubstr("10000 sequences"));
    EXPECT_FALSE(subjectOfSize("99999999999999999999T"));
    const auto large = subjectOfSize("1T");
    ASSERT_TRUE(large);
    EXPECT_EQ(large->parameters, 1'000'000'000'000u);
    const auto counted = estimate(*large, large->stored, {.context = arch::maxContext});
    EXPECT_TRUE(counted ? counted->total() > 2'000'000'000'000u : counted.error().code == ErrorCode::TooLarge);
}

// Headers that a stranger wrote: each number is refused by its key, or the weights are counted and a problem names the key.
TEST(Absurd, HeadersNameTheirKeys) {
    WB_NEED_SHARED("golden/memory/models");
    const auto description = test::goldenModel("gemma-3-4b");
    const ModelPtr honest = test::modelFromGolden(description, "Q4_K_M");
    const std::uint64_t weights = memorySubject(honest)->stored.total();
    for (const auto& [key, number] :
         std::initializer_list<std::pair<const char*, nlohmann::json>>{{"block_count", 0},
                                                                       {"block_count", 4'000'000'000u},
                                                                       {"embedding_length", 0},
                                                                       {"embedding_length", 4'000'000'000u},
                                                                       {"attention.head_count", 0},
                                                                       {"attention.head_count", 4'000'000'000u},
                                                                       {"attention.head_count_kv", 4'000'000'000u},
                                                                       {"attention.head_count_kv", {8, 4'000'000'000u}},
                                                                       {"attention.key_length", 4'000'000'000u},
                                                                       {"attention.sliding_window", -5},
                                                                       {"context_length", -1}}) {
        nlohmann::json changed = description;
        changed["metadata"][std::string("gemma3.") + key] = number;
        const auto subject = memorySubject(test::modelFromGolden(changed, "Q4_K_M"));
        std::string said = subject ? std::string() : subject.error().message();
        if (subject) {
            EXPECT_EQ(subject->stored.total(), weights) << key;
            for (const Problem& problem : subject->problems) said += problem.message();
            const auto counted = estimate(*subject, subject->stored, {});
            if (!counted) said += counted.error().message();
        }
        EXPECT_THAT(said, HasSubstr(key)) << number;
    }
}

// Long and wide ones that are no contradiction are counted without wrapping around.
TEST(Absurd, WindowsAndContextsAreCounted) {
    WB_NEED_SHARED("golden/memory/models");
    nlohmann::json description = test::goldenModel("gemma-3-4b");
    std::uint64_t before = 0;
    for (const std::uint64_t window : {1u, 512u, 1u << 20, 4'294'967'295u}) {
        description["metadata"]["gemma3.attention.sliding_window"] = window;
        description["metadata"]["gemma3.context_length"] = 4'294'967'295u;
        const auto subject = memorySubject(test::modelFromGolden(description, "Q4_K_M"));
        ASSERT_TRUE(subject) << subject.error().message();
        const auto counted = estimate(*subject, subject->stored, {.context = 1 << 20});
        ASSERT_TRUE(counted) << counted.error().message();
        EXPECT_GE(counted->total(), before) << window;
        before = counted->total();
    }
}

// A config of another shape: the key is named, and what it does not say is not guessed.
TEST(Absurd, ConfigsNameTheirKeys) {
    const test::TemporaryFolder folder;
    const nlohmann::json honest = {{"model_type", "llama"},         {"num_hidden_layers", 2}, {"hidden_size", 64},
                                   {"num_attention_heads", 4},      {"vocab_size", 100},      {"intermediate_size", 128},
                                   {"max_position_embeddings", 512}};
    ASSERT_TRUE(openSubject(folder.file("good.json", honest.dump()), {}));
    for (const char* key : {"num_hidden_layers", "hidden_size", "num_attention_heads", "vocab_size"})
        for (const nlohmann::json& value : {nlohmann::json(), nlohmann::json(0), nlohmann::json("many"), nlohmann::json(-3)}) {
            nlohmann::json changed = honest;
            if (value.is_null()) changed.erase(key);
            else changed[key] = value;
            const auto subject = openSubject(folder.file("config.json", changed.dump()), {});
            ASSERT_FALSE(subject) << key << value;
            EXPECT_THAT(subject.error().message(), HasSubstr(key)) << value;
        }
}

// Where a config says the caches alone, no memory is said to hold the model.
TEST(Absurd, NothingHoldsWeightsThatAreNotKnown) {
    WB_NEED_SHARED("arch/deepseek2-lite/hf/config.json");
    const auto subject = openSubject(test::shared() / "arch/deepseek2-lite/hf/config.json", {});
    ASSERT_TRUE(subject) << subject.error().message();
    EXPECT_FALSE(subject->hasWeights());
    const auto counted = estimate(*subject, subject->stored, {.context = 256});
    ASSERT_TRUE(counted);
    ASSERT_FALSE(counted->notModelled.empty());
    EXPECT_THAT(counted->notModelled.front().text(), HasSubstr("it cannot be checked whether they fit"));
    EXPECT_FALSE(fitBadge(*subject, std::vector{Memory{.name = "card", .bytes = 1ull << 40}}));
}

} // namespace
} // namespace wb::memory
