// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/model/checkpoint.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/checkpoint_files.h"
#include "tests/unit/support/truth.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

// Folders of training runs as the programs open them, with the worker.
namespace wb {
namespace {

using nlohmann::json;
using test::truthFromFixture;

// Names in the truth mean the joined tensor where there is one.
void expectTensors(const Model& model, const json& truth) {
    for (const json& one : truth["tensors"]) {
        const std::string name = one["name"];
        const TensorInfo* found = nullptr;
        for (const TensorInfo& tensor : model.tensors)
            if (tensor.name == name && (found == nullptr || tensor.logical)) found = &tensor;
        ASSERT_NE(found, nullptr) << name;
        EXPECT_EQ(found->shape, Shape::make(one["shape"].get<std::vector<std::uint64_t>>())) << name;
        if (found->shape.elements() != 0) {
            EXPECT_EQ(test::hashOfValues(model, *found), one["sha256"].get<std::string>()) << name;
        }
    }
}

class CheckpointFolders : public testing::TestWithParam<std::pair<const char*, FormatId>> {};

TEST_P(CheckpointFolders, OpenAsOneModel) {
    WB_NEED_SHARED("fixtures/distributed");
    const std::string fixture = GetParam().first;
    const auto model = formats::open(test::shared() / "fixtures" / fixture);
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, GetParam().second);
    ASSERT_NE((*model)->checkpoint, nullptr);
    for (const Problem& problem : (*model)->problems) EXPECT_EQ(problem.severity, Severity::Note) << problem.message();
    expectTensors(**model, truthFromFixture(fixture));
    for (const ModelFile& file : (*model)->files) EXPECT_TRUE(std::filesystem::exists((*model)->folder / file.name)) << file.name;
}

INSTANTIATE_TEST_SUITE_P(All, CheckpointFolders,
                         testing::Values(std::pair("distributed/zero1_w2_fp32", FormatId::DeepSpeed),
                                         std::pair("distributed/zero2_w2_bf16", FormatId::DeepSpeed),
                                         std::pair("distributed/zero3_w2_bf16", FormatId::DeepSpeed),
                                         std::pair("distributed/zero3_w4_bf16_groups", FormatId::DeepSpeed),
                                         std::pair("distributed/zero_universal", FormatId::DeepSpeed),
                                         std::pair("distributed/dcp_dtensor_2x2", FormatId::Dcp),
                                         std::pair("distributed/dcp_fsdp2_w4", FormatId::Dcp),
                                         std::pair("distributed/dcp_safetensors", FormatId::Dcp),
                                         std::pair("distributed/megatron_tp2_pp2", FormatId::Megatron),
                                         std::pair("distributed/megatron_tp2_dist", FormatId::Megatron)),
                         [](const auto& one) {
                             std::string name = one.param.first;
                             return name.substr(name.rfind('/') + 1);
                         });

TEST(TrainerFolder, HasTheAnatomyOfTheRun) {
    WB_NEED_SHARED("fixtures/torch/trainer");
    for (const std::string fixture : {"torch/trainer/checkpoint-10", "torch/trainer/checkpoint-20"}) {
        const json truth = truthFromFixture(fixture);
        const auto model = formats::open(test::shared() / "fixtures" / fixture);
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ((*model)->format, FormatId::HuggingFace);
        expectTensors(**model, truth);
        const json found = test::checkpointJson(**model);
        EXPECT_EQ(found["step"], truth["training"]["step"]);
        EXPECT_EQ(found["epoch"], truth["training"]["epoch"]);
        EXPECT_EQ(found["learning_rate"], truth["training"]["lr"]);
        EXPECT_EQ(found["optimizer"]["name"], truth["training"]["optimizer"]);
        EXPECT_EQ(found["rng"], (json{"cpu", "numpy", "python"}));
        EXPECT_EQ(found["scheduler"]["last_epoch"], truth["scheduler"]["last_epoch"]);
        EXPECT_EQ(found["resumable"], true);
        std::uint64_t weights = 0;
        for (const json& one : truth["tensors"])
            if (!one["name"].get<std::string>().starts_with("optimizer.")) {
                std::uint64_t elements = 1;
                for (const std::uint64_t size : one["shape"]) elements *= size;
                weights += elements;
            }
        EXPECT_EQ((*model)->parameters(), weights);
    }
}

TEST(TrainerFolder, OpensAsASeriesWithLosses) {
    WB_NEED_SHARED("fixtures/torch/trainer");
    const auto model = formats::open(test::shared() / "fixtures/torch/trainer");
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_NE((*model)->series, nullptr);
    ASSERT_EQ((*model)->series->size(), 2u);
    EXPECT_EQ((*model)->series->at(0).path, "checkpoint-10");
    EXPECT_EQ((*model)->series->at(1).step, 20u);
    EXPECT_TRUE((*model)->series->at(1).loss);
    EXPECT_EQ((*model)->checkpoint->step, 20u); // the newest is shown
    EXPECT_EQ((*model)->files.front().name.find("checkpoint-20/"), 0u);
    EXPECT_TRUE(TensorReader::open(**model, (*model)->tensors.front()));
}

TEST(TrainerFolder, NamesTheMissingParts) {
    WB_NEED_SHARED("fixtures/torch/trainer");
    const test::TemporaryFolder folder;
    const auto copy = folder.path() / "checkpoint-20";
    std::filesystem::copy(test::shared() / "fixtures/torch/trainer/checkpoint-20", copy);
    std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
    for (const char* name : {"optimizer.pt", "rng_state.pth"}) // Windows removes no file that is read-only, as a copy may be
        std::filesystem::permissions(copy / name, std::filesystem::perms::owner_all);
    std::filesystem::remove(copy / "optimizer.pt");
    std::filesystem::remove(copy / "rng_state.pth");
    const auto model = formats::open(copy);
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_FALSE((*model)->checkpoint->isResumable);
    ASSERT_EQ((*model)->checkpoint->missing.size(), 2u);
    EXPECT_EQ(missingText((*model)->checkpoint->missing[0]), "optimizer: optimizer.pt");
    EXPECT_EQ(missingText((*model)->checkpoint->missing[1]), "rng: rng_state.pth");
}

TEST(CheckpointFolder, JoinsFlatParametersOfAllRanks) {
    WB_NEED_SHARED("fixtures/distributed/fsdp1_local");
    const auto model = formats::open(test::shared() / "fixtures/distributed/fsdp1_local");
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::Dcp);
    EXPECT_EQ((*model)->checkpoint->world.data, 2u);
    EXPECT_FALSE((*model)->checkpoint->isResumable);
    const auto find = [&](std::string_view name) {
        const auto found = std::ranges::find((*model)->tensors, name, &TensorInfo::name);
        EXPECT_NE(found, (*model)->tensors.end()) << name;
        return *found;
    };
    EXPECT_EQ(find("pytorch_model_fsdp_rank1._flat_param.0.tensor").shape, Shape::make({314}));
    const TensorInfo flat = find("_flat_param");
    EXPECT_EQ(flat.shape, Shape::make({629}));
    EXPECT_TRUE(flat.logical);
    // The full state in expected.json is what the parts are of: the first parameter starts the flat one.
    const auto reader = TensorReader::open(**model, flat);
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> values(629);
    std::vector<std::byte> scratch;
    ASSERT_TRUE(reader->readF32(0, values, scratch));
    std::ifstream in(test::shared() / "fixtures/distributed/fsdp1_local.expected.json");
    std::size_t found = 0;
    const auto truth = nlohmann::json::parse(in);
    for (const auto& tensor : truth["tensors"]) {
        std::vector<float> first;
        for (const auto& number : tensor["first"])
            if (number.is_number()) first.push_back(number.get<float>());
        if (first.size() == 4 && !std::ranges::search(values, first).empty()) ++found;
    }
    EXPECT_GE(found, 6u);
    EXPECT_EQ(test::hashOfValues(**model, find("mask")), test::hashOfValues(**model, find("pytorch_model_fsdp_rank0.mask")));
}

TEST(CheckpointFolder, OpensNextToTheConfigurationOfAModel) {
    WB_NEED_SHARED("fixtures/distributed/zero3_w2_bf16");
    const test::TemporaryFolder folder;
    std::filesystem::copy(test::shared() / "fixtures/distributed/zero3_w2_bf16", folder.path() / "run",
                          std::filesystem::copy_options::recursive);
    std::filesystem::permissions(folder.path() / "run", std::filesystem::perms::owner_all);
    folder.file("run/config.json", R"({"model_type":"llama"})");
    const auto model = formats::open(folder.path() / "run");
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::DeepSpeed);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
        std::filesystem::permissions(entry.path(), std::filesystem::perms::owner_all);
}

TEST(LightningFile, HasTheAnatomyOfTheRun) {
    WB_NEED_SHARED("fixtures/torch");
    const json truth = truthFromFixture("torch/lightning.ckpt")["training"];
    const auto model = formats::open(test::shared() / "fixtures/torch/lightning.ckpt");
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_NE((*model)->checkpoint, nullptr);
    const json found = test::checkpointJson(**model);
    EXPECT_EQ(found["framework"], "lightning");
    EXPECT_EQ(found["step"], truth["step"]);
    EXPECT_EQ(found["epoch"], truth["epoch"]);
    EXPECT_EQ(found["learning_rate"], truth["lr"]);
    EXPECT_EQ(found["optimizer"]["name"], truth["optimizer"]);
    EXPECT_EQ(found["objects"]["hyper_parameters"], truth["hyper_parameters"]);
    EXPECT_EQ(found["resumable"], true);
}

// Files with the state of an optimizer and no folder around them.
TEST(SingleFile, HasTheAnatomyOfItsOptimizer) {
    WB_NEED_SHARED("fixtures/tensorflow/conv.keras");
    const auto described = [](const std::string& name) {
        const auto model = formats::open(test::shared() / "fixtures" / name);
        EXPECT_TRUE(model) << model.error().message();
        EXPECT_TRUE(model && (*model)->checkpoint) << name;
        return model && (*model)->checkpoint ? test::checkpointJson(**model) : json();
    };
    for (const std::string name : {"tensorflow/conv.keras", "tensorflow/text.keras", "tensorflow/conv.h5"}) {
        SCOPED_TRACE(name);
        const json truth = truthFromFixture(name)["training"], found = described(name);
        EXPECT_EQ(found["framework"], "keras");
        EXPECT_EQ(found["optimizer"]["name"], truth["optimizer"]);
        if (truth.contains("step")) {
            EXPECT_EQ(found["step"], truth["step"]);
        }
        if (truth.contains("lr")) {
            EXPECT_EQ(found["learning_rate"], truth["lr"]);
        }
        EXPECT_EQ(found["resumable"], true);
    }
    const json flax = described("jax/flax_train_state.msgpack");
    EXPECT_EQ(flax["step"], truthFromFixture("jax/flax_train_state.msgpack")["training"]["step"]);
    const json alone = described("torch/optimizer_adam.pt");
    EXPECT_EQ(alone["optimizer"]["name"], "Adam");
    EXPECT_EQ(alone["learning_rate"], 0.002);
    EXPECT_EQ(alone["resumable"], false);
    EXPECT_EQ(alone["missing"][0], "weights");
    const auto weights = formats::open(test::shared() / "fixtures/tensorflow/conv.weights.h5");
    ASSERT_TRUE(weights) << weights.error().message();
    EXPECT_EQ((*weights)->checkpoint, nullptr);
}

TEST(KerasSeries, ListsEpochs) {
    WB_NEED_SHARED("corpus/keras_series");
    const auto model = formats::open(test::shared() / "corpus/keras_series");
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_NE((*model)->series, nullptr);
    EXPECT_EQ((*model)->series->size(), 6u);
    EXPECT_EQ((*model)->series->back().epoch, 97.0);
    EXPECT_EQ((*model)->tensors.size(), 185u);
}

} // namespace
} // namespace wb
