// SPDX-License-Identifier: MIT
#include "core/memory/cards/fit.h"
#include "core/memory/amounts.h"
#include "core/memory/open_subject.h"
#include "core/memory/rule_of_thumb.h"
#include "core/memory/shapes.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>

namespace wb::memory {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t subjectGib = 1 << 30;

Subject subjectNamed(std::string_view text) {
    auto subject = subjectOfSize(text);
    EXPECT_TRUE(subject) << subject.error().message();
    return subject.value_or(Subject{});
}

Estimate subjectEstimate(const Subject& subject, const WeightType* type, const Settings& settings = {}) {
    const auto weights = subject.weights(type);
    EXPECT_TRUE(weights) << weights.error().message();
    auto result = estimate(subject, weights.value_or(Weights{}), settings);
    EXPECT_TRUE(result) << result.error().message();
    return result.value_or(Estimate{});
}

std::uint64_t weightBytes(const Subject& subject, const char* type) {
    return subjectEstimate(subject, weightTypeFromName(type)).plan.processor[PartKind::Weights];
}

// Numbers that the publishers state.
TEST(Shapes, HaveTheParametersThatWerePublished) {
    const auto parameters = [](std::string_view name) { return subjectNamed(name).parameters; };
    EXPECT_EQ(parameters("Llama-2-7B"), 6'738'415'616u);
    EXPECT_EQ(parameters("llama-3.1-8b"), 8'030'261'248u);
    EXPECT_EQ(parameters("Qwen2.5-7B"), 7'615'616'512u);
    EXPECT_EQ(parameters("Qwen3-0.6B"), 596'049'920u);
    EXPECT_EQ(parameters("8x7B"), 46'702'792'704u);
    EXPECT_EQ(parameters("Qwen3-30B-A3B"), 30'532'122'624u);
}

TEST(Sizes, AreTheNumberTimesTheTextbooksBytes) {
    const Subject seven = subjectNamed("7B");
    EXPECT_EQ(seven.trust, Trust::Rule);
    EXPECT_EQ(seven.parameters, 7'000'000'000u);
    ASSERT_FALSE(seven.problems.empty());
    EXPECT_THAT(seven.problems[0].message(), HasSubstr("Mistral-7B"));
    EXPECT_NEAR(static_cast<double>(weightBytes(seven, "FP32")), 28e9, 1e8);
    EXPECT_NEAR(static_cast<double>(weightBytes(seven, "BF16")), 14e9, 1e8);
    EXPECT_NEAR(static_cast<double>(weightBytes(seven, "INT8")), 7e9 * 8.5 / 8, 1e8);
    EXPECT_NEAR(static_cast<double>(weightBytes(seven, "Q4_0")), 7e9 * 4.55 / 8, 1e8);
}

// docs/reference/memory.md, "Weights" and "Training forms of the base": what a model takes in forms that are no mixes of GGUF.
TEST(WeightForms, HaveTheirScalesAndLeaveTheRestIn16Bits) {
    const Subject eight = subjectNamed("Llama-3.1-8B");
    EXPECT_NEAR(static_cast<double>(weightBytes(eight, "NF4")), 5.70e9, 0.01e9);
    EXPECT_NEAR(static_cast<double>(weightBytes(eight, "FP8")), 6.979e9 * (1 + 4.0 / 16384) + 2 * 1.0510e9, 0.01e9);
    EXPECT_FALSE(typeDivergence(*weightTypeFromName("NF4"), eight));
    EXPECT_EQ(typeDivergence(*weightTypeFromName("INT4"), eight), typeDivergence(*weightTypeFromName("Q4_K_M")));
    Subject config = eight;
    config.isGguf = false;
    EXPECT_NEAR(static_cast<double>(weightBytes(config, "INT8")), 6.979e9 + 2 * 1.0510e9, 0.01e9);
    EXPECT_NEAR(static_cast<double>(weightBytes(config, "INT4")), 6.979e9 * (0.5 + 2.5 / 128) + 2 * 1.0510e9, 0.01e9);
    EXPECT_EQ(weightBytes(config, "Q4_K_M"), weightBytes(eight, "Q4_K_M"));
    EXPECT_FALSE(typeDivergence(*weightTypeFromName("INT4"), config));
}

TEST(Sizes, WithExpertsTakeAShapeWithExperts) {
    EXPECT_EQ(subjectNamed("235B-A22B").spec.experts.count, 128u);
    EXPECT_EQ(subjectNamed("30B-A3B").spec.layers.size(), 48u);
    EXPECT_EQ(subjectNamed("0.5B").spec.architecture, "qwen2");
}

TEST(Sizes, ThatAreNoneAreRefused) {
    for (const char* text :
         {"", "B", "7", "7X", "-7B", "1e9B", "0B", "nanB", "7B-", "7B-A", "7B-A9B", "9x9B", "99999999T", "7B-A3", "..B"})
        EXPECT_FALSE(subjectOfSize(text)) << text;
}

TEST(Sizes, OfAnyLengthDoNotOverflow) {
    for (const char* text : {"1T", "999T"}) {
        const Subject subject = subjectNamed(text);
        for (const WeightType& type : weightTypes()) {
            const auto weights = subject.weights(&type);
            ASSERT_TRUE(!weights || weights->total() > 10'000'000'000) << text << " " << type.name;
        }
        Settings settings;
        settings.context = arch::maxContext;
        settings.batch = settings.microBatch = settings.conversations = arch::maxContext;
        settings.flash = false;
        const auto result = estimate(subject, subject.stored, settings);
        EXPECT_TRUE(result ? result->total() > std::uint64_t{1} << 50 : result.error().reason == Reason("memory.too_large"));
    }
}

// A file, its folder and its config.json give one answer.
TEST(Sources, OfOneModelAgree) {
    WB_NEED_SHARED("arch");
    for (const char* name : {"llama", "qwen2", "qwen3", "qwen3moe", "mixtral"}) {
        const auto folder = test::shared() / "arch" / name;
        const auto file = openSubject(folder / "model.gguf", {}), whole = openSubject(folder / "hf", {}),
                   config = openSubject(folder / "hf/config.json", {});
        ASSERT_TRUE(file && whole && config) << name;
        EXPECT_EQ(file->trust, Trust::Header);
        EXPECT_EQ(config->trust, Trust::Config);
        const Plan first = subjectEstimate(*file, weightTypeFromName("FP16")).plan;
        for (const Subject* subject : {&*whole, &*config}) {
            const double parameters = static_cast<double>(file->parameters);
            EXPECT_NEAR(static_cast<double>(subject->parameters), parameters, 0.001 * parameters) << name;
            const Plan plan = subjectEstimate(*subject, weightTypeFromName("FP16")).plan;
            for (const PartKind kind : {PartKind::Keys, PartKind::Values, PartKind::State, PartKind::Output, PartKind::Compute})
                EXPECT_EQ(plan.processor[kind], first.processor[kind]) << name << ' ' << partName(kind);
            const double weights = static_cast<double>(first.processor[PartKind::Weights]);
            EXPECT_NEAR(static_cast<double>(plan.processor[PartKind::Weights]), weights, 0.001 * weights) << name;
        }
        // As stored: what of a folder lies on a graphics device.
        const Settings half{.gpuLayers = 1 + whole->spec.trunkLayers() / 2};
        const Plan split = planMemoryUse(whole->spec, whole->stored, half);
        EXPECT_GT(split.processor[PartKind::Weights], whole->stored.input) << name;
        EXPECT_GT(split.gpu[PartKind::Weights], whole->stored.head) << name;
        EXPECT_EQ(split.processor[PartKind::Weights] + split.gpu[PartKind::Weights], whole->stored.total() + whole->stored.tiedHead)
            << name;
    }
}

// Weights in pieces (AWQ, GPTQ) count as many parameters as the model computes with, and take what the pieces take.
TEST(Sources, InPiecesHaveTheirOwnParametersAndBytes) {
    auto model = std::make_shared<Model>();
    model->format = FormatId::HuggingFace;
    ValueObject config;
    const auto number = [&](const char* key, std::uint64_t value) {
        config.members.push_back({key, Value::ofUnsigned(ValueType::U64, value)});
    };
    config.members.push_back({"model_type", Value::of(std::string("llama"))});
    for (const auto& [key, value] : {std::pair("num_hidden_layers", 1),
                                     {"hidden_size", 64},
                                     {"num_attention_heads", 4},
                                     {"intermediate_size", 128},
                                     {"vocab_size", 100},
                                     {"max_position_embeddings", 512}})
        number(key, static_cast<std::uint64_t>(value));
    config.count = config.members.size();
    model->metadata.members.push_back({"config.json", Value::of(std::move(config))});
    const auto add = [&](std::string name, Dtype type, std::initializer_list<std::uint64_t> shape) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = type;
        tensor.shape = *wb::Shape::make(shape);
        tensor.source = TensorSource::stored(0, 0, *rowBytes(type, tensor.shape.elements()));
        model->tensors.push_back(std::move(tensor));
    };
    add("model.layers.0.mlp.up_proj.qweight", Dtype::I32, {8, 128}); // 64 rows of 4 bits, 8 in a word
    add("model.layers.0.mlp.up_proj.scales", Dtype::F16, {1, 128});
    TensorInfo whole;
    whole.name = "model.layers.0.mlp.up_proj.weight";
    whole.dtype = Dtype::F16;
    whole.shape = *wb::Shape::make({128, 64});
    whole.logical = true;
    auto details = std::make_shared<TensorDetails>();
    details->parts = {"model.layers.0.mlp.up_proj.qweight", "model.layers.0.mlp.up_proj.scales"};
    details->bitsPerWeight = 4.25;
    whole.details = details;
    model->tensors.push_back(whole);
    add("model.embed_tokens.weight", Dtype::F16, {100, 64});
    const auto subject = memorySubject(model);
    ASSERT_TRUE(subject) << subject.error().message();
    EXPECT_EQ(subject->parameters, 128u * 64 + 6400);
    EXPECT_EQ(subject->stored.blocks[0], 8u * 128 * 4 + 256);
    EXPECT_EQ(subject->stored.input, 12'800u);
}

TEST(MemorySettings, ThatContradictAreRefusedByName) {
    const Subject subject = subjectNamed("7B");
    const auto refusal = [&](const Settings& settings) {
        const auto result = estimate(subject, subject.stored, settings);
        return result ? std::string() : result.error().message();
    };
    EXPECT_THAT(refusal({.context = 0}), HasSubstr("context"));
    EXPECT_THAT(refusal({.context = std::uint64_t{1} << 63}), HasSubstr("context"));
    EXPECT_THAT(refusal({.context = 256, .conversations = 257}), HasSubstr("257 sequences"));
    EXPECT_THAT(refusal({.batch = 0}), HasSubstr("batch"));
    EXPECT_THAT(refusal({.microBatch = 0}), HasSubstr("micro-batch"));
    EXPECT_THAT(refusal({.flash = false, .valueType = Dtype::Q8_0}), HasSubstr("flash attention"));
}

TEST(MemoryEstimate, GrowsWithContextBatchAndSlots) {
    const Subject subject = subjectNamed("Llama-3.1-8B");
    std::uint64_t last = 0;
    for (std::uint64_t context = 256; context <= 1 << 20; context *= 2) {
        const std::uint64_t total = subjectEstimate(subject, nullptr, {.context = context}).total();
        EXPECT_GT(total, last);
        last = total;
    }
    const auto total = [&](const Settings& settings) { return subjectEstimate(subject, nullptr, settings).total(); };
    EXPECT_LT(total({.microBatch = 128}), total({.microBatch = 512}));
    EXPECT_LE(total({.conversations = 1}), total({.conversations = 4, .unified = true}));
    EXPECT_LT(total({.flash = true}), total({.flash = false}));
}

TEST(MemoryEstimate, OfATokenIsWhatALongerContextCosts) {
    const Subject subject = subjectNamed("Llama-3.1-8B");
    for (const Dtype type : {Dtype::F16, Dtype::Q8_0, Dtype::Q4_0}) {
        const Settings low{.context = 8192, .keyType = type, .valueType = type};
        const Settings high{.context = 16384, .keyType = type, .valueType = type};
        const Estimate a = subjectEstimate(subject, nullptr, low), b = subjectEstimate(subject, nullptr, high);
        EXPECT_EQ(b.total() - a.total(), 8192 * a.bytesPerToken);
    }
}

TEST(MemoryEstimate, TellsTheNumbersOfEachPart) {
    const Estimate result = subjectEstimate(subjectNamed("Llama-2-7B"), nullptr, {.context = 4096});
    for (const MemoryPart& part : result.parts) {
        ASSERT_FALSE(part.formula.empty());
        if (part.kind != PartKind::Keys) continue;
        EXPECT_EQ(part.bytes, subjectGib);
        EXPECT_EQ(part.formula[0].text(), "32 layers × 4,096 cells × 4,096 elements × 2 bytes (F16)");
    }
}

TEST(RuleOfThumb, StandsBesideTheEstimateWithItsReasons) {
    const Subject subject = subjectNamed("Llama-3.1-8B");
    const WeightType* const type = weightTypeFromName("Q4_K_M");
    const auto weights = subject.weights(type);
    ASSERT_TRUE(weights);
    const auto numbers = estimate(subject, *weights, {});
    ASSERT_TRUE(numbers);
    const RuleOfThumb rule = ruleOfThumb(subject, *weights, type, *numbers);
    EXPECT_NEAR(static_cast<double>(rule.bytes), 1.2 * 0.5 * 8'030'261'248, 1);
    ASSERT_GE(rule.why.size(), 2u);
    EXPECT_THAT(rule.why[0].text(), HasSubstr("4.89"));
    EXPECT_THAT(rule.why[1].text(), HasSubstr("8,192 tokens"));
}

TEST(Cards, AreReadFromTheirTable) {
    EXPECT_GT(cards().size(), 110u);
    ASSERT_EQ(cardsNamed("rtx 4090").size(), 1u);
    EXPECT_EQ(cardsNamed("RTX 4090")[0]->memory, 24 * subjectGib);
    EXPECT_EQ(cardsNamed("NVIDIA RTX 5060 Ti").size(), 2u);
    EXPECT_EQ(cardsNamed("RTX 5060 Ti, 16 GiB")[0]->allocatable(), 15849ull << 20);
    EXPECT_EQ(cardsNamed("M4 Max, 40 GPU cores, 128 GiB")[0]->allocatable(), 96 * subjectGib);
    EXPECT_TRUE(cardsNamed("Voodoo 2").empty());
    for (const Card& card : cards()) {
        EXPECT_GE(card.memory, 4 * subjectGib) << card.name;
        EXPECT_LE(card.allocatable(), card.memory) << card.name;
        EXPECT_GT(card.bandwidth, 0u) << card.name;
    }
}

TEST(Fit, KeepsItsMargin) {
    const Memory memory{.name = "card", .bytes = 10 * subjectGib, .margin = subjectGib};
    EXPECT_EQ(judge(9 * subjectGib, 0, memory), Verdict::Fits);
    EXPECT_EQ(judge(9 * subjectGib, 1, memory), Verdict::Tight);
    EXPECT_EQ(judge(10 * subjectGib, 0, memory), Verdict::Tight);
    EXPECT_EQ(judge(11 * subjectGib, subjectGib, memory), Verdict::Tight);
    EXPECT_EQ(judge(11 * subjectGib, subjectGib - 1, memory), Verdict::No);
    EXPECT_EQ(judge(unlimited, unlimited, memory), Verdict::Tight) << "an error as large as the need says nothing";
    EXPECT_EQ(judge(unlimited, 0, memory), Verdict::No);
}

TEST(Fit, NamesTheLongestContextThatFits) {
    const Subject subject = subjectNamed("Llama-3.1-8B");
    const auto weights = subject.weights(weightTypeFromName("Q4_K_M"));
    ASSERT_TRUE(weights);
    const Memory card = cardMemory(*cardsNamed("RTX 3060")[0]);
    const Fit fit = checkFit(subject, *weights, {}, card);
    EXPECT_EQ(fit.verdict, Verdict::Fits);
    ASSERT_TRUE(fit.longestContext);
    const auto verdictAt = [&](std::uint64_t context) { return checkFit(subject, *weights, {.context = context}, card).verdict; };
    EXPECT_EQ(verdictAt(*fit.longestContext), Verdict::Fits);
    EXPECT_NE(verdictAt(*fit.longestContext + 256), Verdict::Fits);
    const Memory small{.name = "card", .bytes = subjectGib};
    EXPECT_FALSE(checkFit(subject, *weights, {}, small).longestContext);
}

} // namespace
} // namespace wb::memory
