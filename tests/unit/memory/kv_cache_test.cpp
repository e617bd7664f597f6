// SPDX-License-Identifier: MIT
#include "core/memory/compute_buffers.h"
#include "core/memory/kv_cache.h"
#include "core/memory/recurrent.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>

namespace wb::memory {
namespace {

using Json = nlohmann::json;

Value valueOf(const Json& json) {
    if (json.is_boolean()) return Value::of(json.get<bool>());
    if (json.is_number_unsigned()) return Value::ofUnsigned(ValueType::U64, json.get<std::uint64_t>());
    if (json.is_number()) return Value::ofFloat(ValueType::F64, json.get<double>());
    if (json.is_string()) return Value::of(json.get<std::string>());
    ValueArray array;
    for (const Json& element : json) array.first.push_back(valueOf(element));
    array.count = array.first.size();
    return Value::of(std::move(array));
}

Model modelOf(const Json& json) {
    Model model;
    model.format = "gguf";
    for (const auto& [key, value] : json["metadata"].items()) model.metadata.members.push_back({key, valueOf(value)});
    model.metadata.count = model.metadata.members.size();
    model.architecture = json["metadata"]["general.architecture"].get<std::string>();
    return model;
}

// What the reference runtime plans to the byte (golden/memory), for one sequence with f16 caches.
TEST(KvCache, equalsTheReferenceRuntime) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const auto folder = test::shared() / "golden/memory";
    const Json rows = Json::parse(std::ifstream(folder / "rows.json"));
    std::map<std::string, int> agreed;
    std::map<std::string, int> differed;
    for (const Json& row : rows) {
        if (row["n_seq_max"] != 1 || row["swa_full"] || !row["flash"] || row["type_k"] != "f16" || row["type_v"] != "f16") continue;
        if (row["n_ubatch"] != 512 || row["n_batch"] < 512 || row["load_mtp"]) continue;
        const std::string name = row["model"];
        const Model model = modelOf(Json::parse(std::ifstream(folder / "models" / (name + ".json"))));
        const auto shape = kvShapeOf(model);
        const std::uint64_t bytes = shape ? kvBytes(*shape, row["n_ctx"]) : 0;
        ++(bytes == row["measured"]["kv_bytes"] ? agreed : differed)[name];
    }
    for (const auto& [name, count] : differed) ADD_FAILURE() << name << " differs in " << count << " rows";
    EXPECT_GT(agreed.size(), 20u);
}

TEST(RecurrentState, equalsTheReferenceRuntime) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const auto folder = test::shared() / "golden/memory";
    std::map<std::string, std::uint64_t> expected;
    for (const Json& row : Json::parse(std::ifstream(folder / "rows.json")))
        if (row["n_seq_max"] == 1 && !row["load_mtp"]) expected[row["model"]] = row["measured"]["state_bytes"];
    int recurrent = 0;
    for (const auto& [name, bytes] : expected) {
        EXPECT_EQ(stateBytes(modelOf(Json::parse(std::ifstream(folder / "models" / (name + ".json"))))), bytes) << name;
        recurrent += bytes > 0;
    }
    EXPECT_GT(recurrent, 7);
}

TEST(ComputeBuffers, comeNearTheReferenceRuntime) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const auto folder = test::shared() / "golden/memory";
    const Json rows = Json::parse(std::ifstream(folder / "rows.json"));
    std::map<std::string, std::pair<double, double>> ratios; // least and greatest
    for (const Json& row : rows) {
        if (row["n_seq_max"] != 1 || row["swa_full"] || !row["flash"] || row["type_k"] != "f16" || row["type_v"] != "f16") continue;
        if (row["n_ubatch"] != 512 || row["n_outputs_max"] != 1 || row["load_mtp"] || row["device"] != "cpu") continue;
        const std::string name = row["model"];
        const auto bytes = computeBytes(modelOf(Json::parse(std::ifstream(folder / "models" / (name + ".json")))), row["n_ctx"]);
        if (!bytes) continue;
        const double ratio = static_cast<double>(*bytes) / row["measured"]["compute_bytes"].get<double>();
        const auto [place, isNew] = ratios.try_emplace(name, ratio, ratio);
        place->second = {std::min(place->second.first, ratio), std::max(place->second.second, ratio)};
    }
    int exact = 0;
    for (const auto& [name, range] : ratios) {
        exact += range.first > 0.98 && range.second < 1.02;
        EXPECT_GT(range.first, 0.9) << name;
        EXPECT_LT(range.second, 1.1) << name;
    }
    EXPECT_GT(exact, 20) << "of " << ratios.size();
    EXPECT_GT(ratios.size(), 31u);
}

Model stateSpaceModel(const char* architecture, std::initializer_list<std::pair<const char*, std::uint64_t>> numbers) {
    Model model;
    model.format = "gguf";
    model.architecture = architecture;
    for (const auto& [key, number] : numbers)
        model.metadata.members.push_back({std::string(architecture) + "." + key, Value::ofUnsigned(ValueType::U64, number)});
    return model;
}

// Derived from the graphs, not from plans: Mamba holds no more than Mamba-2 of the same widths, and neither grows with the context.
TEST(ComputeBuffers, countModelsWithoutAttention) {
    const Model mamba = stateSpaceModel("mamba", {{"block_count", 64},
                                                  {"embedding_length", 2560},
                                                  {"attention.head_count", 0},
                                                  {"vocab_size", 50280},
                                                  {"ssm.conv_kernel", 4},
                                                  {"ssm.inner_size", 5120},
                                                  {"ssm.state_size", 16},
                                                  {"ssm.time_step_rank", 160}});
    EXPECT_EQ(stateBytes(mamba), 64u * 4 * (3 * 5120 + 16 * 5120));
    const std::uint64_t perToken = 2560 + 2 * 5120 + 160 + 2 * 16 + 3 * 5120 + 5120;
    EXPECT_EQ(computeBytes(mamba, 4096), 4 * (512 * perToken + 16 * 5120 + 2 * 3 * 5120 + 50280));
    EXPECT_EQ(computeBytes(mamba, 1 << 20), computeBytes(mamba, 512));
    const Model rwkv = stateSpaceModel("rwkv7", {{"block_count", 24},
                                                 {"embedding_length", 2048},
                                                 {"attention.head_count", 0},
                                                 {"feed_forward_length", 8192},
                                                 {"wkv.head_size", 64},
                                                 {"vocab_size", 65536}});
    EXPECT_EQ(stateBytes(rwkv), 24u * 4 * (2 * 2048 + 2048 * 64));
    EXPECT_EQ(computeBytes(rwkv, 4096), 4u * (512 * 16 * 2048 + 2 * 2048 * 64 + 65536));
}

TEST(RecurrentState, doesNotWrapAround) {
    const std::uint64_t most = ~std::uint64_t{0};
    const Model absurd = stateSpaceModel("mamba2", {{"block_count", most},
                                                    {"embedding_length", most},
                                                    {"ssm.conv_kernel", most},
                                                    {"ssm.inner_size", most},
                                                    {"ssm.state_size", most},
                                                    {"ssm.group_count", most},
                                                    {"ssm.time_step_rank", most}});
    EXPECT_GT(stateBytes(absurd), std::uint64_t{1} << 50);
    EXPECT_GT(computeBytes(absurd, most).value_or(0), std::uint64_t{1} << 50);
}

TEST(KvCache, saysNothingAboutWhatItDoesNotKnow) {
    Model model;
    EXPECT_FALSE(kvShapeOf(model));
    model.format = "gguf";
    model.architecture = "llama";
    EXPECT_FALSE(kvShapeOf(model));
    model.metadata.members.push_back({"llama.block_count", Value::ofUnsigned(ValueType::U64, ~std::uint64_t{0})});
    model.metadata.members.push_back({"llama.attention.head_count", Value::ofUnsigned(ValueType::U64, 8)});
    EXPECT_FALSE(kvShapeOf(model)) << "an absurd number of layers";
    EXPECT_FALSE(computeBytes(model, 4096));
    model.metadata.members.push_back({"llama.embedding_length", Value::ofUnsigned(ValueType::U64, ~std::uint64_t{0})});
    model.metadata.members.push_back({"llama.feed_forward_length", Value::ofUnsigned(ValueType::U64, ~std::uint64_t{0})});
    EXPECT_LT(computeBytes(model, ~std::uint64_t{0}).value_or(0), std::uint64_t{1} << 50) << "absurd widths do not wrap around";
}

} // namespace
} // namespace wb::memory
