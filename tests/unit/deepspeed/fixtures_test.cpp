// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/deepspeed.h"
#include "core/model/checkpoint.h"
#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/checkpoint_files.h"
#include "tests/unit/support/truth.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

// The checkpoints that DeepSpeed wrote against what its own zero_to_fp32 makes of them.
namespace wb::deepspeed {
namespace {

using nlohmann::json;

using Files = test::CheckpointFiles;

Files filesFromFixture(const std::string& fixture) {
    return test::checkpointFiles(test::shared() / "fixtures/distributed" / fixture / "global_step3");
}

Result<Model> read(const Files& files, const formats::OpenOptions& options = {}) {
    return test::readCheckpoint(readIndex, files, options);
}

json truthFromFixture(const std::string& fixture) { return test::truthFromFixture("distributed/" + fixture); }

class ZeroFixtures : public testing::TestWithParam<const char*> {};

TEST_P(ZeroFixtures, JoinAsTheirMakerJoinsThem) {
    WB_NEED_SHARED("fixtures/distributed");
    const json truth = truthFromFixture(GetParam());
    const auto model = read(filesFromFixture(GetParam()));
    ASSERT_TRUE(model) << model.error().message();
    std::uint64_t parameters = 0;
    for (const json& one : truth["tensors"]) {
        const TensorInfo* tensor = test::joinedTensor(*model, one["name"].get<std::string>());
        ASSERT_NE(tensor, nullptr) << one["name"];
        EXPECT_EQ(tensor->shape, Shape::make(one["shape"].get<std::vector<std::uint64_t>>())) << one["name"];
        EXPECT_EQ(test::hashOfValues(*model, *tensor), one["sha256"].get<std::string>()) << one["name"];
        EXPECT_FALSE(tensor->details->parts.empty());
        if (!tensor->details->isRepeated) parameters += tensor->shape.elements();
    }
    for (const json& name : truth["only_in_module"]) {
        const TensorInfo* tensor = test::joinedTensor(*model, name.get<std::string>());
        ASSERT_NE(tensor, nullptr) << name;
        parameters += tensor->shape.elements();
    }
    EXPECT_EQ(model->parameters(), parameters);
    EXPECT_TRUE(model->problems.empty() || model->problems.front().severity != Severity::Error);
    for (const json& group : truth["alias_groups"])
        for (const json& name : group)
            EXPECT_EQ(test::joinedTensor(*model, name.get<std::string>())->details->aliases.size(), group.size() - 1);
}

TEST_P(ZeroFixtures, HaveTheAnatomyOfTheRun) {
    WB_NEED_SHARED("fixtures/distributed");
    const json training = truthFromFixture(GetParam())["training"];
    const auto model = read(filesFromFixture(GetParam()));
    ASSERT_TRUE(model && model->checkpoint);
    const Checkpoint& checkpoint = *model->checkpoint;
    EXPECT_EQ(checkpoint.framework, "deepspeed");
    EXPECT_EQ(checkpoint.frameworkVersion, training["ds_version"].get<std::string>());
    EXPECT_EQ(checkpoint.step, training["step"].get<std::uint64_t>());
    EXPECT_EQ(checkpoint.epoch, training["epoch"].get<double>());
    EXPECT_EQ(checkpoint.precision, training["precision"].get<std::string>());
    EXPECT_EQ(checkpoint.zeroStage, training["zero_stage"].get<std::uint64_t>());
    EXPECT_EQ(checkpoint.world.data, training["dp_world_size"].get<std::uint64_t>());
    EXPECT_EQ(checkpoint.optimizerName, training["optimizer"].get<std::string>());
    EXPECT_EQ(checkpoint.learningRate, training["lr_scheduler"]["_last_lr"][0].get<double>());
    EXPECT_EQ(test::checkpointJson(*model)["scheduler"], training["lr_scheduler"]);
    EXPECT_EQ(checkpoint.rng, std::vector<std::string>{"python"});
    EXPECT_TRUE(checkpoint.isResumable);
    EXPECT_TRUE(checkpoint.missing.empty());
    ASSERT_NE(checkpoint.find(CheckpointPart::Optimizer), nullptr);
    EXPECT_EQ(checkpoint.find(CheckpointPart::Optimizer)->tensors, 36u); // step, exp_avg and exp_avg_sq of 12 parameters
    EXPECT_EQ(model->version, "ZeRO-" + std::to_string(*checkpoint.zeroStage));
}

// The moments of Adam are divided as the weights are: the same pieces, in the same order.
TEST_P(ZeroFixtures, DivideMomentsAsWeights) {
    WB_NEED_SHARED("fixtures/distributed");
    const auto model = read(filesFromFixture(GetParam()));
    ASSERT_TRUE(model);
    const TensorInfo* weight = test::joinedTensor(*model, "blocks.1.up.weight");
    const TensorInfo* moment = test::joinedTensor(*model, "optimizer.state.blocks.1.up.weight.exp_avg_sq");
    ASSERT_TRUE(weight && moment);
    EXPECT_EQ(moment->shape, weight->shape);
    ASSERT_EQ(moment->source.pieces().size(), weight->source.pieces().size());
    for (std::size_t i = 0; i < weight->source.pieces().size(); ++i) {
        EXPECT_EQ(moment->source.pieces()[i].elements, weight->source.pieces()[i].elements);
        EXPECT_EQ(moment->source.pieces()[i].file, weight->source.pieces()[i].file);
    }
    const TensorInfo* step = test::joinedTensor(*model, "optimizer.state.blocks.1.up.weight.step");
    ASSERT_NE(step, nullptr);
    float value = 0;
    std::vector<std::byte> scratch;
    ASSERT_TRUE(TensorReader::open(*model, *step)->readF32(0, std::span(&value, 1), scratch));
    EXPECT_EQ(value, 3.0f);
}

TEST_P(ZeroFixtures, LoseOnlyTheTensorsOfAMissingFile) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    const auto whole = read(all);
    ASSERT_TRUE(whole);
    for (std::size_t missing = 0; missing < all.size(); ++missing) {
        Files files = all;
        files.erase(files.begin() + static_cast<std::ptrdiff_t>(missing));
        const auto model = read(files);
        ASSERT_TRUE(model) << all[missing].first;
        EXPECT_FALSE(model->checkpoint->isResumable);
        const auto names = [&](const Problem& problem) {
            return problem.severity == Severity::Error && problem.message().find(all[missing].first) != std::string::npos;
        };
        const bool isOnlyModel = all[missing].first == "mp_rank_00_model_states.pt"; // no other file names it
        EXPECT_TRUE(isOnlyModel || std::ranges::any_of(model->problems, names)) << all[missing].first;
        for (const TensorInfo& tensor : whole->tensors) {
            if (!tensor.logical || isOnlyModel) continue;
            std::set<std::string> used;
            for (const TensorPiece& piece : tensor.source.pieces()) used.insert(whole->files[piece.file].name);
            if (tensor.source.pieces().empty()) used.insert(whole->files[tensor.file()].name);
            const TensorInfo* now = test::joinedTensor(*model, tensor.name);
            const bool isBuffer = tensor.name == "mask" || tensor.name == "counter"; // every rank holds the whole buffer
            if (!used.contains(all[missing].first) || isBuffer) {
                ASSERT_NE(now, nullptr) << tensor.name;
                EXPECT_EQ(test::hashOfValues(*model, *now), test::hashOfValues(*whole, tensor)) << tensor.name;
            } else {
                EXPECT_TRUE(now == nullptr || !now->isReadable()) << tensor.name;
            }
        }
    }
}

TEST_P(ZeroFixtures, AreRefusedStrictlyWithoutARank) {
    WB_NEED_SHARED("fixtures/distributed");
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    Files files = filesFromFixture(GetParam());
    EXPECT_TRUE(read(files, strict));
    files.erase(files.begin());
    EXPECT_FALSE(read(files, strict));
}

TEST_P(ZeroFixtures, AreCutAndFlippedWithoutHarm) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    std::uint32_t random = 1;
    for (std::size_t file = 0; file < all.size(); ++file) {
        for (std::size_t part = 0; part < 24; ++part) {
            Files files = all;
            auto& bytes = files[file].second;
            if (part % 2 == 0) bytes.resize(bytes.size() * part / 24);
            else test::flipBits(bytes, random);
            const auto begin = std::chrono::steady_clock::now();
            const auto model = read(files);
            if (model)
                for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
            EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << all[file].first;
        }
    }
}

// Numbers of one byte in the pickles: counts of ranks, sizes of parameters, steps.
TEST_P(ZeroFixtures, SurviveHostileNumbers) {
    WB_NEED_SHARED("fixtures/distributed");
    const Files all = filesFromFixture(GetParam());
    const auto begin = std::chrono::steady_clock::now();
    for (const std::size_t file : {std::size_t{0}, all.size() - 1}) {
        const auto& bytes = all[file].second;
        const std::size_t end = std::min<std::size_t>(bytes.size(), 4000); // data.pkl is the first member
        std::size_t seen = 0;
        for (std::size_t at = 0; at + 1 < end; ++at) {
            if (bytes[at] != std::byte{'K'} || seen++ % 3 != 0) continue;
            for (const unsigned value : {0u, 255u}) {
                Files files = all;
                files[file].second[at + 1] = static_cast<std::byte>(value);
                const auto model = read(files);
                if (!model) continue;
                for (const TensorInfo& tensor : model->tensors)
                    if (tensor.logical && tensor.isReadable()) (void)TensorReader::open(*model, tensor);
            }
        }
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_P(ZeroFixtures, ReportManyMissingRanksShortly) {
    WB_NEED_SHARED("fixtures/distributed");
    Files files = filesFromFixture(GetParam());
    constexpr std::string_view key = "partition_count";
    for (auto& [name, bytes] : files) {
        const auto found = std::ranges::search(bytes, key, {}, [](std::byte byte) { return static_cast<char>(byte); });
        if (found.empty()) continue;
        const auto number = std::ranges::find(found.end(), bytes.end(), std::byte{'K'});
        ASSERT_NE(number, bytes.end());
        *std::next(number) = std::byte{255};
    }
    const auto model = read(files);
    ASSERT_TRUE(model);
    EXPECT_FALSE(model->checkpoint->isResumable);
    EXPECT_LE(model->problems.size(), 200u);
    EXPECT_LE(model->checkpoint->missing.size(), 100u);
    const TensorInfo* buffer = test::joinedTensor(*model, "mask");
    ASSERT_NE(buffer, nullptr);
    EXPECT_TRUE(buffer->isReadable());
}

TEST_P(ZeroFixtures, AreHarmless) {
    WB_NEED_SHARED("fixtures/distributed");
    const auto model = read(filesFromFixture(GetParam()));
    ASSERT_TRUE(model && model->danger);
    EXPECT_EQ(model->danger->verdict(), Verdict::Clean);
    for (const auto& [name, globals] : truthFromFixture(GetParam())["globals"].items()) {
        const auto file = std::ranges::find(model->danger->files, name, &ScannedFile::path);
        ASSERT_NE(file, model->danger->files.end()) << name;
        std::set<std::string> found;
        for (const DangerousName& global : file->globals) found.insert(global.module + " " + global.name);
        EXPECT_EQ(found, globals.get<std::set<std::string>>()) << name;
    }
}

Files universalFiles() {
    return test::checkpointFiles(test::shared() / "fixtures/distributed/zero_universal/global_step3_universal");
}

TEST(UniversalFixture, ListsEachStateAndTheParametersByName) {
    WB_NEED_SHARED("fixtures/distributed");
    const json truth = truthFromFixture("zero_universal");
    const auto model = read(universalFiles());
    ASSERT_TRUE(model) << model.error().message();
    for (const Problem& problem : model->problems) EXPECT_EQ(problem.severity, Severity::Note) << problem.message();
    for (const json& one : truth["tensors"]) {
        const std::string name = one["name"];
        const auto tensor = std::ranges::find(model->tensors, name, &TensorInfo::name);
        ASSERT_NE(tensor, model->tensors.end()) << name;
        EXPECT_EQ(test::hashOfValues(*model, *tensor), one["sha256"].get<std::string>()) << name;
    }
    ASSERT_NE(test::joinedTensor(*model, "embed.weight"), nullptr);
    ASSERT_NE(test::joinedTensor(*model, "optimizer.state.embed.weight.exp_avg"), nullptr);
    EXPECT_EQ(model->version, "universal");
    EXPECT_EQ(model->checkpoint->step, 3u);
    EXPECT_EQ(model->checkpoint->optimizerName, "AdamW");
    EXPECT_EQ(model->checkpoint->learningRate, 0.00025);
    EXPECT_TRUE(model->checkpoint->isResumable);
}

TEST(UniversalFixture, NamesAMissingParameter) {
    WB_NEED_SHARED("fixtures/distributed");
    Files files = universalFiles();
    std::erase_if(files, [](const auto& file) { return file.first == "zero/embed.weight/fp32.pt"; });
    const auto model = read(files);
    ASSERT_TRUE(model);
    EXPECT_FALSE(model->checkpoint->isResumable);
    const auto error = std::ranges::find(model->problems, Severity::Error, &Problem::severity);
    ASSERT_NE(error, model->problems.end());
    EXPECT_NE(error->message().find("zero/embed.weight/fp32.pt"), std::string::npos);
    EXPECT_NE(test::joinedTensor(*model, "scale"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, ZeroFixtures,
                         testing::Values("zero1_w2_fp32", "zero2_w2_bf16", "zero2_w4_fp32", "zero3_w2_bf16",
                                         "zero3_w4_bf16_groups"),
                         [](const auto& name) { return std::string(name.param); });

} // namespace
} // namespace wb::deepspeed
