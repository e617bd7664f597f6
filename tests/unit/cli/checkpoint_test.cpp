// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

// Checkpoints of several ranks as `wb convert`, `wb inspect` and `wb scan` take them.
namespace wb {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using test::runWb;

std::string fixture(const std::string& name) { return (test::shared() / "fixtures/distributed" / name).string(); }

std::map<std::string, std::string> hashesFromPath(const std::string& path) {
    std::map<std::string, std::string> hashes;
    const auto run = runWb({"inspect", path, "--json", "--sha256"});
    EXPECT_EQ(run.status, 0) << run.err;
    const json document = run.json();
    for (const json& tensor : document["tensors"])
        if (tensor["sha256"].is_string()) hashes[tensor["name"].get<std::string>()] = tensor["sha256"].get<std::string>();
    return hashes;
}

TEST(CheckpointConversion, WritesTheJoinedWeights) {
    WB_NEED_SHARED("fixtures/distributed");
    const test::TemporaryFolder folder;
    for (const std::string name : {"zero2_w2_bf16", "zero3_w4_bf16_groups", "dcp_dtensor_2x2", "megatron_tp2"}) {
        SCOPED_TRACE(name);
        const std::string out = (folder.path() / (name + ".safetensors")).string();
        const auto run = runWb({"convert", fixture(name), out});
        ASSERT_EQ(run.status, 0) << run.err;
        const auto hashes = hashesFromPath(out);
        const json truth = json::parse(std::ifstream(fixture(name) + ".expected.json"));
        std::size_t missing = 0;
        for (const json& one : truth["tensors"]) {
            const auto found = hashes.find(one["name"].get<std::string>());
            if (found == hashes.end()) ++missing; // of tied ones one name is enough
            else EXPECT_EQ(found->second, one["sha256"].get<std::string>()) << one["name"];
        }
        EXPECT_LE(missing, name.starts_with("zero") ? 1u : 0u);
        for (const auto& [tensor, hash] : hashes) EXPECT_EQ(tensor.find("exp_avg"), std::string::npos) << tensor;
    }
}

TEST(CheckpointSeries, HasStatisticsOverTheTraining) {
    WB_NEED_SHARED("fixtures/torch/trainer");
    const std::string path = (test::shared() / "fixtures/torch/trainer").string();
    const auto run = runWb({"inspect", path, "--stats", "--series", "--tensor", "*norm*", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json series = run.json()["series_stats"];
    ASSERT_EQ(series.size(), 2u);
    EXPECT_EQ(series[0]["step"], 10);
    EXPECT_EQ(series[1]["step"], 20);
    ASSERT_FALSE(series[0]["tensors"].empty());
    EXPECT_EQ(series[0]["tensors"].size(), series[1]["tensors"].size());
    EXPECT_EQ(series[0]["tensors"][0]["name"], series[1]["tensors"][0]["name"]);
    EXPECT_TRUE(series[0]["tensors"][0]["stats"]["mean"].is_number());
    EXPECT_NE(runWb({"inspect", path, "--stats", "--series", "--tensor", "*norm*"}).out.find("Max abs"), std::string::npos);
    EXPECT_EQ(runWb({"inspect", path, "--series"}).status, 2);
    const auto alone = runWb({"inspect", path + "/checkpoint-10", "--stats", "--series"});
    EXPECT_EQ(alone.status, 1);
    EXPECT_NE(alone.err.find("not a folder of checkpoints"), std::string::npos);
}

// A checkpoint without the tensor stays in the list, and a problem names it.
TEST(CheckpointSeries, ShowsWhereATensorIsMissing) {
    WB_NEED_SHARED("fixtures/torch/trainer");
    const test::TemporaryFolder folder;
    const auto run = folder.path() / "run";
    std::filesystem::copy(test::shared() / "fixtures/torch/trainer", run, std::filesystem::copy_options::recursive);
    const auto first = run / "checkpoint-10";
    std::filesystem::permissions(first, std::filesystem::perms::owner_all);
    std::filesystem::remove(first / "model.safetensors");
    const std::string name = "model.norm.weight";
    const auto printed = runWb({"inspect", run.string(), "--stats", "--series", "--tensor", name, "--json"});
    ASSERT_EQ(printed.status, 0) << printed.err;
    const json document = printed.json();
    ASSERT_EQ(document["series_stats"].size(), 2u);
    EXPECT_EQ(document["series_stats"][0]["step"], 10);
    EXPECT_TRUE(document["series_stats"][0]["tensors"].empty());
    EXPECT_EQ(document["series_stats"][1]["tensors"].size(), 1u);
    const bool isNamed = std::ranges::any_of(document["problems"], [](const json& problem) {
        return problem["code"] == "stats.series_tensors" && problem["message"].get<std::string>().starts_with("checkpoint-10");
    });
    EXPECT_TRUE(isNamed) << document["problems"].dump();
}

TEST(CheckpointConversion, WritesMomentsOnRequest) {
    WB_NEED_SHARED("fixtures/distributed");
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "all.safetensors").string();
    ASSERT_EQ(runWb({"convert", fixture("zero3_w2_bf16"), out, "--with-optimizer"}).status, 0);
    const auto written = hashesFromPath(out), joined = hashesFromPath(fixture("zero3_w2_bf16"));
    for (const char* name : {"optimizer.state.embed.weight.exp_avg", "optimizer.state.embed.weight.exp_avg_sq", "embed.weight"}) {
        ASSERT_TRUE(written.contains(name)) << name;
        EXPECT_EQ(written.at(name), joined.at(name)) << name;
    }
}

TEST(CheckpointConversion, WritesWholeTensorsOfAnIncompleteOneOnRequest) {
    WB_NEED_SHARED("fixtures/distributed");
    const test::TemporaryFolder folder;
    const fs::path copy = folder.path() / "zero3";
    fs::copy(fixture("zero3_w4_bf16_groups"), copy, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(copy)) fs::permissions(entry.path(), fs::perms::owner_all);
    fs::remove(copy / "global_step3/bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt");
    const std::string out = (folder.path() / "out.safetensors").string();
    EXPECT_EQ(runWb({"convert", copy.string(), out}).status, 1);
    EXPECT_EQ(runWb({"convert", copy.string(), out, "--tensor", "embed.weight"}).status, 1);
    EXPECT_FALSE(fs::exists(out));
    // One element is in rank 0 alone.
    const auto run = runWb({"convert", copy.string(), out, "--tensor", "scale"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(hashesFromPath(out).at("scale"), hashesFromPath(fixture("zero3_w4_bf16_groups")).at("scale"));
}

TEST(CheckpointScan, FindsNothing) {
    WB_NEED_SHARED("fixtures/distributed");
    for (const char* name : {"zero3_w2_bf16", "zero_universal", "dcp_fsdp2_w2", "megatron_tp2_pp2", "megatron_tp2_dist"}) {
        const auto run = runWb({"scan", fixture(name), "--json"});
        EXPECT_EQ(run.status, 0) << name << run.err;
        EXPECT_EQ(run.json()["verdict"], "clean") << name;
        const json document = runWb({"inspect", fixture(name), "--json"}).json();
        EXPECT_EQ(document["verdict"], "clean") << name;
        EXPECT_EQ(document["kind"], run.json()["kind"]) << name;
    }
}

TEST(CheckpointInspection, NamesAMissingRank) {
    WB_NEED_SHARED("fixtures/distributed");
    const test::TemporaryFolder folder;
    const fs::path copy = folder.path() / "zero3";
    fs::copy(fixture("zero3_w2_bf16"), copy, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(copy)) fs::permissions(entry.path(), fs::perms::owner_all);
    fs::remove(copy / "global_step3/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt");
    const auto run = runWb({"inspect", copy.string(), "--json", "--sha256"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json document = run.json();
    EXPECT_EQ(document["checkpoint"]["resumable"], false);
    EXPECT_NE(document["checkpoint"]["missing"].dump().find("rank 1"), std::string::npos);
    EXPECT_EQ(document["problems"][0]["severity"], "error");
    const auto tables = runWb({"inspect", copy.string()});
    EXPECT_NE(tables.out.find("Resumable     no"), std::string::npos);
    EXPECT_NE(tables.out.find("unavailable"), std::string::npos);
}

} // namespace
} // namespace wb
