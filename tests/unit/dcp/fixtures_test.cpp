// SPDX-License-Identifier: MIT
#include "core/formats/dcp/dcp.h"
#include "core/model/checkpoint.h"
#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/checkpoint_files.h"
#include "tests/unit/support/truth.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

// The distributed checkpoints that PyTorch and megatron-core wrote.
namespace wb::dcp {
namespace {

using nlohmann::json;
using Files = test::CheckpointFiles;

Files filesFromFixture(const std::string& fixture) {
    return test::checkpointFiles(test::shared() / "fixtures/distributed" / fixture); // .metadata first
}

Result<Model> read(const Files& files, const formats::OpenOptions& options = {}) {
    return test::readCheckpoint(readIndex, files, options);
}

json truthFromFixture(const std::string& fixture) { return test::truthFromFixture("distributed/" + fixture); }

class DcpFixtures : public testing::TestWithParam<const char*> {};

TEST_P(DcpFixtures, JoinAsTheirMakerJoinsThem) {
    WB_NEED_SHARED("fixtures/distributed");
    const json truth = truthFromFixture(GetParam());
    const auto model = read(filesFromFixture(GetParam()));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_TRUE(model->problems.empty());
    for (const json& one : truth["tensors"]) {
        const TensorInfo* tensor = test::joinedTensor(*model, one["name"].get<std::string>());
        ASSERT_NE(tensor, nullptr) << one["name"];
        EXPECT_EQ(tensor->shape, Shape::make(one["shape"].get<std::vector<std::uint64_t>>())) << one["name"];
        if (tensor->shape.elements() == 0) continue;
        EXPECT_EQ(test::hashOfValues(*model, *tensor), one["sha256"].get<std::string>()) << one["name"];
    }
    EXPECT_EQ(model->danger->verdict(), Verdict::Clean);
}

TEST_P(DcpFixtures, LoseOnlyTheTensorsOfAMissingOrCutFile) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    const auto whole = read(all);
    ASSERT_TRUE(whole);
    for (std::size_t file = 1; file < all.size(); ++file) {
        if (!all[file].first.ends_with(".distcp")) continue;
        for (const bool isCut : {false, true}) {
            Files files = all;
            if (isCut) files[file].second.resize(files[file].second.size() / 2);
            else files.erase(files.begin() + static_cast<std::ptrdiff_t>(file));
            const auto model = read(files);
            ASSERT_TRUE(model);
            EXPECT_FALSE(model->checkpoint->isResumable);
            ASSERT_FALSE(model->problems.empty());
            EXPECT_NE(model->problems.front().message().find(all[file].first), std::string::npos);
            std::size_t lost = 0;
            for (const TensorInfo& tensor : whole->tensors) {
                if (!tensor.logical) continue;
                const TensorInfo* now = test::joinedTensor(*model, tensor.name);
                ASSERT_NE(now, nullptr) << tensor.name;
                if (!now->isReadable()) {
                    ++lost;
                } else if (tensor.shape.elements() != 0) {
                    EXPECT_EQ(test::hashOfValues(*model, *now), test::hashOfValues(*whole, tensor)) << tensor.name;
                }
            }
            const auto logical = static_cast<std::size_t>(std::ranges::count(whole->tensors, true, &TensorInfo::logical));
            EXPECT_TRUE(all.size() == 2 || lost < logical) << all[file].first;
        }
    }
}

TEST_P(DcpFixtures, AreCutAndFlippedWithoutHarm) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    std::uint32_t random = 1;
    for (std::size_t part = 0; part < 60; ++part) {
        Files files = all;
        auto& bytes = files[part % 3 == 0 ? part % files.size() : 0].second;
        if (part % 2 == 0) bytes.resize(bytes.size() * part / 60);
        else test::flipBits(bytes, random);
        const auto begin = std::chrono::steady_clock::now();
        const auto model = read(files);
        std::vector<std::byte> scratch;
        if (model)
            for (const TensorInfo& tensor : model->tensors) {
                const auto reader = TensorReader::open(*model, tensor);
                std::vector<float> values(reader ? std::min<std::uint64_t>(reader->elements(), 1024) : 0);
                if (reader) (void)reader->readF32(0, values, scratch);
            }
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    }
}

INSTANTIATE_TEST_SUITE_P(All, DcpFixtures,
                         testing::Values("dcp_dtensor_2x2", "dcp_fsdp2_w1", "dcp_fsdp2_w2", "dcp_fsdp2_w4", "fsdp1_sharded",
                                         "megatron_tp2_dist", "megatron_tp2_pp2_dist"),
                         [](const auto& name) { return std::string(name.param); });

TEST(DcpAnatomy, IsThatOfTheRun) {
    WB_NEED_SHARED("fixtures/distributed");
    for (const std::string fixture : {"dcp_fsdp2_w1", "dcp_fsdp2_w2", "dcp_fsdp2_w4"}) {
        const json truth = truthFromFixture(fixture);
        const auto model = read(filesFromFixture(fixture));
        ASSERT_TRUE(model);
        const json found = test::checkpointJson(*model);
        EXPECT_EQ(found["step"], truth["training"]["step"]);
        EXPECT_EQ(found["world"]["data"], truth["training"]["world_size"]);
        EXPECT_EQ(found["optimizer"]["name"], truth["training"]["optimizer"]);
        json group = truth["training"]["param_groups"][0];
        group.erase("params");
        EXPECT_EQ(found["optimizer"]["groups"][0], group);
        EXPECT_EQ(found["scheduler"], truth["objects"]["scheduler"]);
        EXPECT_EQ(found["objects"]["meta"]["name"], truth["objects"]["meta"]["name"]);
        EXPECT_EQ(found["objects"]["meta"]["lrs"], truth["objects"]["meta"]["lrs"]);
        EXPECT_EQ(found["resumable"], true);
    }
    const auto model = read(filesFromFixture("megatron_tp2_pp2_dist"));
    ASSERT_TRUE(model);
    const json found = test::checkpointJson(*model);
    EXPECT_EQ(found["step"], 50);
    EXPECT_EQ(found["world"]["tensor"], 2);
    EXPECT_EQ(found["world"]["pipeline"], 2);
    EXPECT_EQ(model->version, "torch_dist");
}

} // namespace
} // namespace wb::dcp
