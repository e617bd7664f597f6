// SPDX-License-Identifier: MIT
#include "core/formats/series/series.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::series {
namespace {

TEST(Series, SortsCheckpointsByStepAndReadsTheLoss) {
    const test::TemporaryFolder folder;
    for (const char* name : {"checkpoint-100", "checkpoint-20", "runs", "checkpoint-none"})
        std::filesystem::create_directory(folder.path() / name);
    folder.file("checkpoint-100/model.safetensors", "12345");
    folder.file("checkpoint-100/optimizer.pt", "123");
    folder.file("checkpoint-100/trainer_state.json",
                R"({"global_step":100,"epoch":2.5,"log_history":[{"loss":3.0},{"eval_loss":1.5},{"loss":0.5}]})");
    folder.file("checkpoint-20/model.safetensors", "1");
    folder.file("checkpoint-20/trainer_state.json", R"({"global_step":20,"log_history":[{"loss":3.0},{"loss":2.0}]})");
    folder.file("runs/events", "1");
    folder.file("checkpoint-none/model.safetensors", "1");
    const auto entries = list(folder.path(), {});
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].path, "checkpoint-20");
    EXPECT_EQ(entries[0].loss, 2.0);
    EXPECT_EQ(entries[1].path, "checkpoint-100");
    EXPECT_EQ(entries[1].step, 100u);
    EXPECT_EQ(entries[1].epoch, 2.5);
    EXPECT_EQ(entries[1].loss, 1.5);
    EXPECT_EQ(entries[1].parts, (std::vector{CheckpointPart::Weights, CheckpointPart::Optimizer, CheckpointPart::Data}));
    EXPECT_GT(entries[1].bytes, 8u);
}

TEST(Series, ReadsKerasNames) {
    const test::TemporaryFolder folder;
    for (const char* name : {"net.97-0.65.hdf5", "net.08-0.57.hdf5", "net.h5", "net-1.h5"}) folder.file(name, "x");
    const auto entries = list(folder.path(), {});
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].epoch, 8.0);
    EXPECT_EQ(entries[1].epoch, 97.0);
    EXPECT_FALSE(entries[1].loss);
}

TEST(Series, ReadsNamesOfTorchFiles) {
    const test::TemporaryFolder folder;
    for (const char* name : {"epoch=9-step=100.ckpt", "model-epoch=10-val_loss=0.25.ckpt", "last.ckpt", "epoch=x.ckpt", "net.pth"})
        folder.file(name, "x");
    auto entries = list(folder.path(), {});
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].path, "model-epoch=10-val_loss=0.25.ckpt"); // without a step
    EXPECT_EQ(entries[0].epoch, 10.0);
    EXPECT_FALSE(entries[0].loss);
    EXPECT_EQ(entries[1].epoch, 9.0);
    EXPECT_EQ(entries[1].step, 100u);
    const test::TemporaryFolder other;
    for (const char* name : {"iter_40000.pth", "iter_8000.pth", "latest.pth"}) other.file(name, "x");
    entries = list(other.path(), {});
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].step, 8000u);
    EXPECT_EQ(entries[1].path, "iter_40000.pth");
    EXPECT_EQ(entries[1].bytes, 1u);
}

TEST(Series, ListsNumberedStepsOfOrbax) {
    const test::TemporaryFolder folder;
    for (const char* name : {"9", "9/default", "100", "100/metrics", "100/params", "7", "2024"})
        std::filesystem::create_directory(folder.path() / name);
    folder.file("9/default/_METADATA", "{}");
    folder.file("100/_CHECKPOINT_METADATA", "{}");
    folder.file("100/params/_METADATA", "{}");
    folder.file("100/metrics/metrics", R"({"loss":0.25,"accuracy":1})");
    folder.file("7/notes.txt", "no checkpoint");
    const auto entries = list(folder.path(), {});
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].path, "9");
    EXPECT_EQ(entries[0].step, 9u);
    EXPECT_FALSE(entries[0].loss);
    EXPECT_EQ(entries[1].path, "100");
    EXPECT_EQ(entries[1].loss, 0.25);
    EXPECT_EQ(entries[1].parts, std::vector{CheckpointPart::Weights});
}

TEST(Series, TakesDamageForNothing) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "checkpoint-1");
    folder.file("checkpoint-1/trainer_state.json", R"({"global_step":"x","log_history":[1,{"loss":"y"}]})");
    folder.file("checkpoint-1/model.safetensors", "1");
    const auto entries = list(folder.path(), {});
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].step, 1u);
    EXPECT_FALSE(entries[0].loss);
    EXPECT_TRUE(list(folder.path() / "missing", {}).empty());
}

} // namespace
} // namespace wb::series
