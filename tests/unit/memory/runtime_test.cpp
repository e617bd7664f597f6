// SPDX-License-Identifier: MIT
#include "core/memory/cards/fit.h"
#include "core/memory/serving/recurrent.h"
#include "core/memory/serving/serving.h"
#include "tests/unit/memory/golden_model.h"
#include "tests/unit/memory/measured.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

namespace wb::memory {
namespace {

constexpr double runtimeMib = 1 << 20;

using test::table;

Settings runtimeSettings(const std::map<std::string, std::string>& row) {
    Settings settings;
    settings.context = std::stoull(row.at("context"));
    settings.microBatch = std::stoull(row.at("ubatch"));
    settings.batch = std::max<std::uint64_t>(settings.batch, settings.microBatch);
    if (row.at("outputs") == "0") settings.outputs = 0;
    settings.build = buildFromText(row.at("build")).value_or(0);
    settings.keyType = settings.valueType = *cacheTypeFromName(row.at("kv"));
    // Rows say outright which logits there were; the build says the rest.
    if (!settings.outputs) settings.outputs = settings.conversations;
    return settings;
}

struct Loaded {
    Subject subject;
    Weights weights;
};

Loaded loaded(const std::string& model, const std::string& type) {
    Loaded result;
    if (model.starts_with("golden:")) {
        const auto description = test::goldenModel(model.substr(7));
        const std::string first = description["types"].begin().key();
        result.subject = *memorySubject(test::modelFromGolden(description, description["types"].contains(type) ? type : first));
        const auto weights = result.subject.weights(weightTypeFromName(type));
        result.weights = description["types"].contains(type) || !weights ? result.subject.stored : *weights;
        if (type == "F16") result.weights = *result.subject.weights(weightTypeFromName("FP16"));
        return result;
    }
    result.subject = *subjectOfSize(model);
    result.weights = *result.subject.weights(weightTypeFromName(type));
    return result;
}

// The tables of docs/reference/memory.md, "Parts printed by the runtime", with the error that each row is allowed.
TEST(RuntimeParts, AreThoseThatWerePrinted) {
    WB_NEED_SHARED("golden/memory/rows.json");
    for (const auto& row : table("runtime_parts.tsv")) {
        const Loaded model = loaded(row.at("model"), row.at("type"));
        Settings settings = runtimeSettings(row);
        if (row.at("backend") != "cpu") {
            settings.backend = backendFromName(row.at("backend"));
            settings.gpuLayers = allLayers;
        }
        const Plan plan = planMemoryUse(model.subject.spec, model.weights, settings);
        const DeviceBytes& device = row.at("device") == "gpu" ? plan.gpu : plan.processor;
        const std::string& part = row.at("part");
        const std::uint64_t bytes = part == "weights"   ? device[PartKind::Weights]
                                    : part == "kv_k"    ? device[PartKind::Keys]
                                    : part == "compute" ? device[PartKind::Compute]
                                                        : device[PartKind::Keys] + device[PartKind::Values];
        const double measured = std::stod(row.at("measured"));
        const double error = 100 * (static_cast<double>(bytes) / runtimeMib / measured - 1);
        std::cout << row.at("model") << ' ' << part << ' ' << row.at("device") << ": " << static_cast<double>(bytes) / runtimeMib
                  << " of " << measured << " MiB, " << error << " %\n";
        EXPECT_LE(std::abs(error), std::stod(row.at("allowed"))) << row.at("source");
    }
}

// Two models of the ladders as far as their caches, windows and states go; their other parts do not change with the context.
arch::ModelSpec ladderModel(const std::string& name) {
    arch::ModelSpec spec;
    const bool isGemma = name == "gemma26";
    spec.width = isGemma ? 2816 : 5120;
    spec.vocabulary = isGemma ? 262144 : 248320;
    spec.context = 262144;
    spec.window = isGemma ? 1024 : 0;
    spec.layers.resize(isGemma ? 30 : 64);
    spec.blockCount = spec.layers.size();
    for (std::size_t i = 0; i < spec.layers.size(); ++i) {
        arch::LayerSpec& layer = spec.layers[i];
        const bool isFull = isGemma ? i % 6 == 5 : i % 4 == 3;
        layer.cacheLayer = static_cast<std::uint32_t>(i);
        layer.feedForward = isGemma ? 2112 : 17408;
        if (!isGemma && !isFull) continue; // a recurrent layer, whose state does not change
        layer.heads = isGemma ? 16 : 24;
        layer.kvHeads = isGemma ? (isFull ? 2 : 8) : 4;
        layer.keyLength = layer.valueLength = isGemma && isFull ? 512 : 256;
        layer.window = isGemma && !isFull ? 1024 : 0;
    }
    if (name != "qwen27mtp") return spec;
    spec.layers.push_back(spec.layers.back()); // predicts further tokens, as the last one of the model
    spec.layers.back().predictsAhead = true;
    spec.blockCount = spec.layers.size();
    spec.predictionLayers = 1;
    return spec;
}

TEST(RuntimeLadders, GrowWithTheContextAsMeasured) {
    std::string group;
    double anchor = 0, anchored = 0;
    for (const auto& row : table("ladders.tsv")) {
        const arch::ModelSpec spec = ladderModel(row.at("shape"));
        Weights weights;
        weights.blocks.resize(spec.trunkLayers());
        weights.experts.resize(spec.trunkLayers());
        Settings settings;
        settings.context = std::stoull(row.at("context"));
        settings.keyType = settings.valueType = *cacheTypeFromName(row.at("kv"));
        settings.backend = Backend::Cuda;
        settings.gpuLayers = allLayers;
        settings.predictsAhead = spec.predictionLayers > 0;
        const double planned = static_cast<double>(planMemoryUse(spec, weights, settings).gpu.total()) / runtimeMib;
        const double measured = std::stod(row.at("measured"));
        if (row.at("group") != group) {
            group = row.at("group");
            anchor = measured;
            anchored = planned;
        }
        EXPECT_NEAR(anchor + planned - anchored, measured, std::stod(row.at("allowed"))) << group << " at " << settings.context;
    }
}

// Models of which only the layers are known, as far as their caches and states go.
arch::ModelSpec cacheModel(const std::string& name) {
    const bool isE4b = name == "e4b", isCommand = name == "command-r7b";
    arch::ModelSpec spec = ladderModel("qwen27");
    if (name == "qwen27") {
        spec.recurrent = {.kind = arch::Recurrence::DeltaNet, .convolution = 4, .inner = 6144, .state = 128, .groups = 16};
        for (std::size_t i = 0; i < spec.layers.size(); ++i)
            if (i % 4 != 3) spec.layers[i].recurrence = arch::Recurrence::DeltaNet;
        return spec;
    }
    const std::size_t layers = isE4b ? 24 : isCommand ? 32 : name == "gpt-oss-20b" ? 24 : 36;
    const std::size_t period = isE4b ? 6 : isCommand ? 4 : 2;
    spec.layers.assign(layers, {});
    spec.blockCount = layers;
    spec.window = isE4b ? 1024 : isCommand ? 4096 : 128;
    for (std::size_t i = 0; i < layers; ++i) {
        arch::LayerSpec& layer = spec.layers[i];
        const bool isFull = i % period == period - 1;
        layer.cacheLayer = static_cast<std::uint32_t>(i);
        layer.heads = 32;
        layer.kvHeads = isE4b ? 2 : 8;
        layer.keyLength = layer.valueLength = isE4b ? (isFull ? 512 : 256) : isCommand ? 128 : 64;
        layer.window = isFull ? 0 : spec.window;
    }
    return spec;
}

double cachePart(const arch::ModelSpec& spec, Settings settings, const std::string& part) {
    const RecurrentShape shape = specRecurrentShape(spec);
    const std::uint64_t states = 4 * shape.layers * settings.conversations;
    if (part == "convolution") return static_cast<double>(states * shape.convolution);
    if (part == "state") return static_cast<double>(states * shape.state);
    if (part == "difference") return cachePart(spec, settings, "all") - cachePart(spec, settings, "window");
    settings.fullWindows = part == "all";
    std::uint64_t bytes = 0;
    for (const LayerCache& cache : layerCaches(spec, settings))
        if (cache.hasWindow == (part != "full")) bytes += cache.keyBytes(settings.keyType) + cache.valueBytes(settings.valueType);
    return static_cast<double>(bytes);
}

TEST(RuntimeCaches, AreThoseThatWerePrinted) {
    for (const auto& row : table("caches.tsv")) {
        Settings settings{.context = std::stoull(row.at("context")), .conversations = std::stoull(row.at("sequences"))};
        settings.keyType = settings.valueType = *cacheTypeFromName(row.at("kv"));
        settings.build = *buildFromText(row.at("build"));
        const double bytes = cachePart(cacheModel(row.at("shape")), settings, row.at("part"));
        const double error = 100 * (bytes / runtimeMib / std::stod(row.at("measured")) - 1);
        EXPECT_LE(std::abs(error), std::stod(row.at("allowed")))
            << row.at("shape") << ' ' << row.at("part") << ": " << row.at("source");
    }
}

TEST(RuntimeTotals, AreNearThoseThatOthersMeasured) {
    WB_NEED_SHARED("golden/memory/rows.json");
    for (const auto& row : table("totals.tsv")) {
        EXPECT_GT(std::stod(row.at("measured_gb")), 0);
        if (row.at("allowed") == "-") continue;
        const Loaded model = loaded(row.at("model"), row.at("type"));
        Settings settings = runtimeSettings(row);
        settings.backend = Backend::Cuda;
        settings.gpuLayers = allLayers;
        const double planned = static_cast<double>(planMemoryUse(model.subject.spec, model.weights, settings).gpu.total()) / 1e9;
        const double error = 100 * (planned / std::stod(row.at("measured_gb")) - 1);
        std::cout << row.at("model") << ": " << planned << " of " << row.at("measured_gb") << " GB, " << error << " %\n";
        EXPECT_LE(std::abs(error), std::stod(row.at("allowed"))) << row.at("source");
    }
}

TEST(Builds, ChangeTheLaws) {
    Settings settings{.context = 32768};
    settings.gpuLayers = allLayers;
    settings.backend = Backend::Cuda;
    settings.keyType = settings.valueType = Dtype::Q8_0;
    EXPECT_TRUE(allocatorRules(settings).reservesScratch);
    settings.build = 202605;
    EXPECT_FALSE(allocatorRules(settings).reservesScratch) << "it grew during use";
    EXPECT_TRUE(allocatorRules(settings).logitsOfBatch);
    EXPECT_FALSE(allocatorRules(settings).copiesMask);
    settings.build = 202604;
    EXPECT_TRUE(allocatorRules(settings).copiesMask);
    settings.backend = Backend::Vulkan;
    settings.build = newestBuild;
    EXPECT_FALSE(allocatorRules(settings).reservesScratch) << "the plan of Vulkan holds none";
    EXPECT_EQ(allocatorRules(settings).overhead, 0u);
    EXPECT_EQ(buildFromText("2026-05"), 202605u);
    for (const char* wrong : {"2026-13", "2026-5", "May 2026", "", "1999-01"}) EXPECT_FALSE(buildFromText(wrong)) << wrong;
}

// docs/reference/memory.md, "Bytes per context token": q8_0 saves 40 % of what a token costs this model on CUDA, not 47 %.
TEST(Builds, CountWhatATokenReallyCosts) {
    const arch::ModelSpec spec = ladderModel("qwen27");
    Weights weights;
    weights.blocks.resize(spec.layers.size());
    weights.experts.resize(spec.layers.size());
    const auto tokenBytes = [&](Dtype type) {
        Settings settings{.context = 65536};
        settings.backend = Backend::Cuda;
        settings.gpuLayers = allLayers;
        settings.keyType = settings.valueType = type;
        const std::uint64_t shorter = planMemoryUse(spec, weights, settings).gpu.total();
        settings.context *= 2;
        return (planMemoryUse(spec, weights, settings).gpu.total() - shorter) / 65536;
    };
    EXPECT_EQ(tokenBytes(Dtype::F16), 66'560u);
    EXPECT_EQ(tokenBytes(Dtype::Q8_0), 39'936u);
    EXPECT_EQ(tokenBytes(Dtype::Q4_0), 23'552u);
}

TEST(Serving, FillsTheShareOfTheDevice) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    Settings settings;
    settings.runtime = Runtime::Vllm;
    settings.gpuLayers = allLayers;
    const Memory card{.name = "card", .bytes = 24ull << 30, .margin = usualMargin};
    const Fit fit = fitNow(subject, subject.stored, settings, card);
    EXPECT_EQ(fit.verdict, Verdict::Fits);
    EXPECT_NEAR(static_cast<double>(fit.need), 0.9 * static_cast<double>(card.bytes), 2) << "whatever the model needs";
    const Memory small{.name = "small", .bytes = 16ull << 30, .margin = usualMargin};
    EXPECT_EQ(fitNow(subject, subject.stored, settings, small).verdict, Verdict::No);
    const auto estimated = estimate(subject, subject.stored, settings);
    ASSERT_TRUE(estimated);
    EXPECT_EQ(estimated->plan.gpu[PartKind::Keys] + estimated->plan.gpu[PartKind::Values], 8192u * 131'072u);
    settings.split = {1, 1};
    const Plan two = planMemoryUse(subject.spec, subject.stored, settings);
    EXPECT_EQ(two.devices.size(), 2u);
    EXPECT_EQ(two.devices[0].total() + two.devices[1].total(), two.gpu.total());
    EXPECT_NEAR(static_cast<double>(two.devices[0][PartKind::Weights]), static_cast<double>(subject.stored.total()) / 2, 1);
}

TEST(Serving, RefusesWhatTheProgramsCannotDo) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const auto refused = [&](auto change, const char* setting) {
        Settings settings;
        settings.runtime = Runtime::Vllm;
        settings.gpuLayers = allLayers;
        change(settings);
        const auto result = estimate(subject, subject.stored, settings);
        ASSERT_FALSE(result) << setting;
        EXPECT_EQ(result.error().subject, setting);
    };
    refused([](Settings& s) { s.keyType = s.valueType = Dtype::Q4_0; }, "kv");
    refused([](Settings& s) { s.gpuLayers = 3; }, "gpu-layers");
    refused([](Settings& s) { s.cpuExperts = 3; }, "cpu-experts");
    refused([](Settings& s) { s.utilization = 0; }, "utilization");
    refused([](Settings& s) { s.backend = Backend::Cpu; }, "backend");
    refused([](Settings& s) { s.runtime = Runtime::Transformers, s.keyType = s.valueType = Dtype::Q8_0; }, "kv");
}

} // namespace
} // namespace wb::memory
