// SPDX-License-Identifier: MIT
#include "tests/unit/infer/reference.h"

#include "core/formats/open.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace wb::test {

double nmse(std::span<const float> ours, std::span<const float> reference) {
    if (ours.size() != reference.size()) return 1e9;
    double error = 0, sum = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const double difference = static_cast<double>(ours[i]) - static_cast<double>(reference[i]);
        error += difference * difference;
        sum += static_cast<double>(reference[i]) * static_cast<double>(reference[i]);
    }
    return error == error ? error / sum : 1e9;
}

ArchModel ArchModel::open(const std::string& name) {
    const auto folder = shared() / "arch" / name;
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto model = formats::open(folder / "model.gguf", options);
    EXPECT_TRUE(model) << name;
    ArchModel result;
    result.model = *model;
    const auto bytes = readFile(folder / "reference.json");
    const auto json = nlohmann::json::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    result.tokens = json.at("tokens").get<std::vector<infer::Token>>();
    result.greedyPrompt = json.at("greedy_prompt").get<std::vector<infer::Token>>();
    result.greedy = json.at("greedy").get<std::vector<infer::Token>>();
    result.greedyMargin = json.at("greedy_margin").get<std::vector<double>>();
    result.logits = readFloats(folder / "logits.f32");
    result.hidden = readFloats(folder / "hidden.f32");
    return result;
}

std::unique_ptr<infer::Engine> makeEngine(const ModelPtr& model, const infer::EngineOptions& options) {
    const auto graph = infer::planGraph(model);
    EXPECT_TRUE(graph) << graph.error().message();
    if (!graph) return nullptr;
    auto engine = infer::cpu::makeCpuEngine(*graph, options, {});
    EXPECT_TRUE(engine) << engine.error().message();
    return engine ? std::move(*engine) : nullptr;
}

std::vector<float> allLogits(infer::Engine& engine, std::span<const infer::Token> tokens, std::size_t piece) {
    std::vector<float> logits(tokens.size() * engine.vocabulary());
    for (std::size_t done = 0; done < tokens.size(); done += piece) {
        const std::size_t count = std::min(piece, tokens.size() - done);
        const auto out = std::span(logits).subspan(done * engine.vocabulary(), count * engine.vocabulary());
        EXPECT_TRUE(engine.evaluate({tokens.subspan(done, count), done, out, {}}, {}));
    }
    return logits;
}

} // namespace wb::test
