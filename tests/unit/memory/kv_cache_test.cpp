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
    if (json.is_number_unsigned()) return Value::ofUnsigned(ValueType::U32, json.get<std::uint64_t>());
    if (json.is_number()) return Value::ofFloat(ValueType::F64, json.get<double>());
    if (json.is_string()) return Value::of(json.get<std::string>());
    ValueArray array;
    for (const Json& element : json) array.first.push_back(valueOf(element));
    array.count = array.first.size();
    if (array.count > 0) array.elementType = array.first[0].type;
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

arch::ModelSpec specOf(const Model& model) {
    const auto spec = arch::readSpec(model);
    EXPECT_TRUE(spec) << spec.error().message();
    return spec.value_or(arch::ModelSpec{});
}

arch::ModelSpec specOf(const std::filesystem::path& file) { return specOf(modelOf(Json::parse(std::ifstream(file)))); }

// What the reference runtime plans to the byte (golden/memory), for one sequence with f16 caches.
TEST(KvCache, EqualsTheReferenceRuntime) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const auto folder = test::shared() / "golden/memory";
    const Json rows = Json::parse(std::ifstream(folder / "rows.json"));
    std::map<std::string, int> agreed;
    std::map<std::string, int> differed;
    for (const Json& row : rows) {
        if (row["n_seq_max"] != 1 || row["swa_full"] || !row["flash"] || row["type_k"] != "f16" || row["type_v"] != "f16") continue;
        if (row["n_ubatch"] != 512 || row["n_batch"] < 512 || row["load_mtp"]) continue;
        const std::string name = row["model"];
        const std::uint64_t bytes = kvBytes(specOf(folder / "models" / (name + ".json")), row["n_ctx"]).value_or(0);
        ++(bytes == row["measured"]["kv_bytes"] ? agreed : differed)[name];
    }
    for (const auto& [name, count] : differed) ADD_FAILURE() << name << " differs in " << count << " rows";
    EXPECT_GT(agreed.size(), 20u);
}

TEST(RecurrentState, EqualsTheReferenceRuntime) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const auto folder = test::shared() / "golden/memory";
    std::map<std::string, std::uint64_t> expected;
    for (const Json& row : Json::parse(std::ifstream(folder / "rows.json")))
        if (row["n_seq_max"] == 1 && !row["load_mtp"]) expected[row["model"]] = row["measured"]["state_bytes"];
    int recurrent = 0;
    for (const auto& [name, bytes] : expected) {
        EXPECT_EQ(stateBytes(specOf(folder / "models" / (name + ".json"))), bytes) << name;
        recurrent += bytes > 0;
    }
    EXPECT_GT(recurrent, 7);
}

TEST(ComputeBuffers, ComeNearTheReferenceRuntime) {
    WB_NEED_SHARED("golden/memory/rows.json");
    const auto folder = test::shared() / "golden/memory";
    const Json rows = Json::parse(std::ifstream(folder / "rows.json"));
    std::map<std::string, std::pair<double, double>> ratios; // smallest and largest
    for (const Json& row : rows) {
        if (row["n_seq_max"] != 1 || row["swa_full"] || !row["flash"] || row["type_k"] != "f16" || row["type_v"] != "f16") continue;
        if (row["n_ubatch"] != 512 || row["n_outputs_max"] != 1 || row["load_mtp"] || row["device"] != "cpu") continue;
        const std::string name = row["model"];
        const auto bytes = computeBytes(specOf(folder / "models" / (name + ".json")), row["n_ctx"]);
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

arch::ModelSpec stateSpaceModel(const char* architecture, std::initializer_list<std::pair<const char*, std::uint64_t>> numbers) {
    Model model;
    model.format = "gguf";
    model.architecture = architecture;
    for (const auto& [key, number] : numbers)
        model.metadata.members.push_back({std::string(architecture) + "." + key, Value::ofUnsigned(ValueType::U32, number)});
    return specOf(model);
}

// Derived from the graphs, not from plans: Mamba holds no more than Mamba-2 of the same widths, and neither grows with the context.
TEST(ComputeBuffers, CountModelsWithoutAttention) {
    const arch::ModelSpec mamba = stateSpaceModel("mamba", {{"block_count", 64},
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
    const arch::ModelSpec rwkv = stateSpaceModel("rwkv7", {{"block_count", 24},
                                                           {"embedding_length", 2048},
                                                           {"attention.head_count", 0},
                                                           {"feed_forward_length", 8192},
                                                           {"wkv.head_size", 64},
                                                           {"vocab_size", 65536}});
    EXPECT_EQ(stateBytes(rwkv), 24u * 4 * (2 * 2048 + 2048 * 64));
    EXPECT_EQ(computeBytes(rwkv, 4096), 4u * (512 * 16 * 2048 + 2 * 2048 * 64 + 65536));
}

// The largest numbers that a spec may hold.
TEST(MemoryEstimates, DoNotWrapAround) {
    const arch::ModelSpec state = stateSpaceModel("mamba2", {{"block_count", arch::maxLayers},
                                                             {"embedding_length", arch::maxWidth},
                                                             {"ssm.conv_kernel", 4},
                                                             {"ssm.inner_size", arch::maxHeadLength},
                                                             {"ssm.state_size", arch::maxHeadLength},
                                                             {"ssm.group_count", 8},
                                                             {"ssm.time_step_rank", arch::maxHeadLength}});
    EXPECT_GT(stateBytes(state), std::uint64_t{1} << 40);
    EXPECT_GT(computeBytes(state, arch::maxContext).value_or(0), std::uint64_t{1} << 30);
    const arch::ModelSpec attention = stateSpaceModel("llama", {{"block_count", arch::maxLayers},
                                                                {"embedding_length", arch::maxWidth},
                                                                {"feed_forward_length", arch::maxWidth},
                                                                {"attention.head_count", arch::maxHeads},
                                                                {"attention.key_length", arch::maxHeadLength},
                                                                {"attention.value_length", arch::maxHeadLength}});
    EXPECT_GT(kvBytes(attention, 1 << 20).value_or(0), std::uint64_t{1} << 59);
    EXPECT_GT(computeBytes(attention, ~std::uint64_t{0}).value_or(0), std::uint64_t{1} << 40);
}

TEST(MemoryEstimates, SayNothingAboutWhatTheyDoNotKnow) {
    EXPECT_FALSE(kvBytes({}, 4096));
    EXPECT_FALSE(computeBytes({}, 4096));
    EXPECT_EQ(stateBytes({}), 0u);
    EXPECT_FALSE(kvBytes(stateSpaceModel("llama", {{"attention.head_count", 8}}), 4096)) << "no layers are stated";
}

} // namespace
} // namespace wb::memory
