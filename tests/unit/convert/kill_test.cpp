// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/convert/gguf/convert_run.h"
#include "core/convert/plan_job.h"
#include "core/convert/weights/weights_run.h"
#include "core/convert/run/work_files.h"
#include "core/formats/open.h"
#include "tests/unit/convert/folder.h"
#include "tests/unit/quantize/child.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

// Runs that are killed at any moment.
namespace wb::convert {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 100;

// Kills `write` at random points of the time that it takes, each with a fresh target; a run that was quick enough counts too. Then
// the same is done again to its end, unless it was killed behind that, and `check` looks at what is there. `isNamed` is whether the
// result has its name.
void killAtRandom(const std::function<bool()>& write, const std::function<bool()>& isNamed, const std::function<void()>& check,
                  const std::function<void()>& clean) {
    const auto begin = Clock::now();
    ASSERT_EQ(quantize::inChild(write), 0);
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count();
    check();
    clean();
    std::mt19937 random(20'261'123);
    int killed = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto after = 1 + static_cast<unsigned>(random() % static_cast<std::uint64_t>(std::max<std::int64_t>(whole, 1)));
        killed += quantize::inChild(write, after) == -1;
        if (!isNamed()) {
            ASSERT_EQ(quantize::inChild(write), 0) << "round " << round;
        }
        check();
        clean();
    }
    testing::Test::RecordProperty("killed", killed);
}

// The same for a run that writes `files` into a folder of its results alone: they equal those of a run that was not killed.
void killWhileItWrites(const fs::path& folder, const std::vector<fs::path>& files, const std::function<bool()>& write) {
    std::vector<std::vector<std::byte>> expected(files.size());
    const auto check = [&] {
        for (std::size_t i = 0; i < files.size(); ++i) {
            const auto written = test::readFile(files[i]);
            if (expected[i].empty()) expected[i] = written;
            EXPECT_TRUE(!written.empty() && written == expected[i]) << files[i];
        }
    };
    killAtRandom(
        write, [&] { return fs::exists(files.front()); }, check,
        [&] {
            for (const auto& entry : fs::directory_iterator(folder)) fs::remove(entry.path());
        });
}

// Runs the plan with a journal that is saved often.
bool runPlanned(const JobPtr& job, const fs::path& target, std::uint64_t flushBytes) {
    RunOptions options;
    options.flushBytes = flushBytes;
    return job && job->run(target, options, {});
}

TEST(Kill, LeavesNoHalfGgufFile) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.gguf";
    const auto expected = test::readFile(archFolder("llama-k256").parent_path() / "model.gguf");
    const auto write = [&] {
        const auto plan = planFolder(archFolder("llama-k256"), {{}, "Hf", {}});
        run::RunOptions options;
        options.flushBytes = 1 << 16;
        return plan && runConvert(*plan, target, options, {});
    };
    const auto check = [&] { EXPECT_TRUE(test::readFile(target) == expected); };
    killAtRandom(
        write, [&] { return fs::exists(target); }, check,
        [&] {
            for (const fs::path& file : run::workFiles(target, {target})) fs::remove(file);
        });
}

TEST(Kill, LeavesNoHalfFolder) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out";
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    const WeightsRequest request{.type = Dtype::F32, .isFolder = true, .shardBytes = 1'000'000};
    std::map<std::string, std::vector<std::byte>> expected;
    const auto write = [&] {
        const auto model = formats::open(archFolder("llama-k256"), strict);
        if (!model) return false;
        const auto plan = planWeights(*model, request, target);
        RunOptions options;
        options.flushBytes = 1 << 16;
        return plan && runWeights(*plan, target, options, {});
    };
    const auto check = [&] {
        for (const auto& entry : fs::directory_iterator(target)) {
            auto& bytes = expected[entry.path().filename().string()];
            const auto written = test::readFile(entry.path());
            if (bytes.empty()) bytes = written;
            EXPECT_TRUE(bytes == written) << entry.path();
        }
        EXPECT_EQ(static_cast<std::size_t>(std::distance(fs::directory_iterator(target), fs::directory_iterator())),
                  expected.size());
    };
    // config.json gets its name last: where it is, everything is.
    killAtRandom(
        write, [&] { return fs::exists(target / "config.json"); }, check,
        [&] {
            fs::remove_all(target);
            fs::remove(run::journalPath(target));
        });
}

// The files of a split are renamed to their final names together.
TEST(Kill, LeavesNoHalfSplit) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.gguf", source = archFolder("llama-k256").parent_path() / "model.gguf";
    GgufRequest request;
    request.source = source;
    request.accepts = Accepts::Gguf;
    request.quantize.mix.copy = true;
    request.quantize.copies = quantize::CopyMode::Keep;
    request.quantize.split.bytes = 1'000'000;
    const auto planned = planGguf(request, {});
    ASSERT_TRUE(planned.job) << planned.failure->message();
    const auto files = planned.job->targets(target);
    ASSERT_EQ(files.size(), 3u);
    const auto write = [&] {
        const auto again = planGguf(request, {});
        RunOptions options;
        options.flushBytes = 1 << 16;
        return again.job && again.job->run(target, options, {});
    };
    killWhileItWrites(folder.path(), files, write);
}

TEST(Kill, LeavesNoHalfQuantization) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.gguf";
    GgufRequest request;
    request.source = archFolder("llama-k256").parent_path() / "model.gguf";
    request.accepts = Accepts::Gguf;
    request.quantize.mix.fileType = quant::FileType::Q4_K_M;
    killWhileItWrites(folder.path(), {target}, [&] {
        const auto planned = planGguf(request, {});
        return runPlanned(planned.job, target, 1 << 16);
    });
}

// Two models that are merged by TIES, whose thresholds are found in a pass before.
TEST(Kill, LeavesNoHalfMerge) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.safetensors";
    SafetensorsRequest request;
    request.source = archFolder("llama-k256");
    request.target = target;
    request.weights.shardBytes = 0;
    request.merge.models = {archFolder("llama-k256").string()};
    request.merge.settings.method = merge::MergeMethod::Ties;
    request.merge.settings.weights = {1};
    request.merge.settings.density = 0.5;
    killWhileItWrites(folder.path(), {target}, [&] {
        const auto planned = planSafetensors(request, {});
        return runPlanned(planned ? planned->job : nullptr, target, 1 << 16);
    });
}

// Ranks of a training run that are joined.
TEST(Kill, LeavesNoHalfJoin) {
    WB_NEED_SHARED("fixtures/distributed");
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.safetensors";
    SafetensorsRequest request;
    request.source = test::shared() / "fixtures/distributed/zero3_w2_bf16";
    request.target = target;
    request.weights.shardBytes = 0;
    killWhileItWrites(folder.path(), {target}, [&] {
        const auto planned = planSafetensors(request, {});
        return runPlanned(planned ? planned->job : nullptr, target, 1 << 12);
    });
}

} // namespace
} // namespace wb::convert

#endif
