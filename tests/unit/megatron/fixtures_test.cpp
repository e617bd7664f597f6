// SPDX-License-Identifier: MIT
#include "core/formats/megatron/megatron.h"
#include "core/formats/megatron/rules.h"
#include "core/model/checkpoint.h"
#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/checkpoint_files.h"
#include "tests/unit/support/truth.h"

#include <gtest/gtest.h>

#include <chrono>

// Checkpoints of megatron-core with a file for each rank.
namespace wb::megatron {
namespace {

using nlohmann::json;
using Files = test::CheckpointFiles;

Files filesFromFixture(const std::string& fixture) {
    return test::checkpointFiles(test::shared() / "fixtures/distributed" / fixture,
                                 [](const std::string& name) { return name == "model_optim_rng.pt"; });
}

Result<Model> read(const Files& files, const formats::OpenOptions& options = {}) {
    return test::readCheckpoint(readIndex, files, options);
}

json truthFromFixture(const std::string& fixture) { return test::truthFromFixture("distributed/" + fixture); }

class MegatronFixtures : public testing::TestWithParam<const char*> {};

TEST_P(MegatronFixtures, JoinAsTheirMakerJoinsThem) {
    WB_NEED_SHARED("fixtures/distributed");
    const json truth = truthFromFixture(GetParam());
    const auto model = read(filesFromFixture(GetParam()));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_TRUE(model->problems.empty());
    for (const json& one : truth["tensors"]) {
        const TensorInfo* tensor = test::joinedTensor(*model, one["name"].get<std::string>());
        ASSERT_NE(tensor, nullptr) << one["name"];
        EXPECT_EQ(tensor->shape, Shape::make(one["shape"].get<std::vector<std::uint64_t>>())) << one["name"];
        EXPECT_EQ(test::hashOfValues(*model, *tensor), one["sha256"].get<std::string>()) << one["name"];
    }
    const Checkpoint& checkpoint = *model->checkpoint;
    EXPECT_EQ(checkpoint.step, truth["training"]["iteration"].get<std::uint64_t>());
    EXPECT_EQ(checkpoint.world.tensor, truth["training"]["tensor_parallel"].get<std::uint64_t>());
    EXPECT_EQ(checkpoint.world.pipeline, truth["training"]["pipeline_parallel"].get<std::uint64_t>());
    EXPECT_EQ(model->danger->verdict(), Verdict::Clean);
    EXPECT_FALSE(checkpoint.isResumable); // no optimizer
}

TEST_P(MegatronFixtures, LoseOnlyTheTensorsOfAMissingRank) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    const auto whole = read(all);
    ASSERT_TRUE(whole);
    for (std::size_t missing = 0; missing < all.size(); ++missing) {
        Files files = all;
        files.erase(files.begin() + static_cast<std::ptrdiff_t>(missing));
        const auto model = read(files);
        ASSERT_TRUE(model);
        const std::string folder = std::filesystem::path(all[missing].first).parent_path().filename().string();
        ASSERT_FALSE(model->problems.empty());
        EXPECT_NE(model->problems.front().message().find(folder), std::string::npos);
        std::size_t lost = 0, kept = 0;
        for (const TensorInfo& tensor : whole->tensors) {
            if (!tensor.logical) continue;
            const TensorInfo* now = test::joinedTensor(*model, tensor.name);
            ASSERT_NE(now, nullptr) << tensor.name;
            if (!now->isReadable()) {
                ++lost;
                EXPECT_NE(tensorDivision(tensor.name, true), Division::Replicated) << tensor.name;
            } else {
                ++kept;
                EXPECT_EQ(test::hashOfValues(*model, *now), test::hashOfValues(*whole, tensor)) << tensor.name;
            }
        }
        EXPECT_GT(lost, 0u);
        EXPECT_GT(kept, 0u);
    }
}

TEST_P(MegatronFixtures, AreCutAndFlippedWithoutHarm) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    std::uint32_t random = 1;
    for (std::size_t part = 0; part < 40; ++part) {
        Files files = all;
        auto& bytes = files[part % files.size()].second;
        if (part % 4 < 2) bytes.resize(bytes.size() * part / 40);
        else test::flipBits(bytes, random);
        const auto begin = std::chrono::steady_clock::now();
        const auto model = read(files);
        if (model)
            for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    }
}

INSTANTIATE_TEST_SUITE_P(All, MegatronFixtures, testing::Values("megatron_tp2", "megatron_tp2_pp2"),
                         [](const auto& name) { return std::string(name.param); });

TEST(MegatronRules, DivideByTheEndOfTheName) {
    EXPECT_EQ(tensorDivision("decoder.layers.0.mlp.linear_fc1.weight", true), Division::GatedRows);
    EXPECT_EQ(tensorDivision("decoder.layers.0.mlp.linear_fc1.weight", false), Division::Rows);
    EXPECT_EQ(tensorDivision("decoder.layers.0.mlp.linear_fc2.weight", true), Division::Columns);
    EXPECT_EQ(tensorDivision("decoder.layers.0.mlp.linear_fc2.bias", true), Division::Replicated);
    EXPECT_EQ(tensorDivision("decoder.final_layernorm.weight", true), Division::Replicated);
    EXPECT_EQ(shiftedLayer("decoder.layers.3.mlp.linear_fc1.weight", 4), "decoder.layers.7.mlp.linear_fc1.weight");
    EXPECT_EQ(shiftedLayer("embedding.word_embeddings.weight", 4), "embedding.word_embeddings.weight");
    EXPECT_EQ(shiftedLayer("decoder.layers.18446744073709551615.x", 4), "decoder.layers.18446744073709551615.x");
    EXPECT_EQ(parseRankName("mp_rank_01_002")->second, 2u);
    EXPECT_EQ(parseRankName("mp_rank_01")->tensor, 1u);
    for (const char* name : {"mp_rank_", "mp_rank_1", "mp_rank_01_", "mp_rank_01_02", "mp_rank_01_002_003_004", "iter_0000050"})
        EXPECT_FALSE(parseRankName(name)) << name;
}

} // namespace
} // namespace wb::megatron
