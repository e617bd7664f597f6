// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_run.h"
#include "core/convert/run/work_files.h"
#include "core/formats/open.h"
#include "tests/unit/small_disk/small_disk.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

// The same for a run that writes several files into a folder of its own.
namespace wb::convert {
namespace {

namespace fs = std::filesystem;

// 64 tensors of 8 KiB, as safetensors.
std::string manyTensors() {
    constexpr std::uint64_t count = 64, bytes = 8192;
    std::string header = "{";
    for (std::uint64_t i = 0; i < count; ++i)
        header += fmt::format(R"({}"t{:02}":{{"dtype":"F32","shape":[2048],"data_offsets":[{},{}]}})", i == 0 ? "" : ",", i,
                              i * bytes, (i + 1) * bytes);
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = header.size();
    std::string file(reinterpret_cast<const char*>(&length), sizeof length);
    file += header;
    for (std::uint64_t i = 0; i < count * bytes / sizeof(float); ++i) {
        const auto value = static_cast<float>(i % 1009) * 0.25F;
        file.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return file;
}

TEST(FullDiskOfWeights, StopsTheRunWhichGoesOnLater) {
    const test::TemporaryFolder disk, elsewhere;
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    const auto model = formats::open(elsewhere.file("many.safetensors", manyTensors()), strict);
    ASSERT_TRUE(model) << model.error().message();
    const WeightsRequest request{.isFolder = true, .shardBytes = 100'000};
    const fs::path target = disk.path() / "out", straight = elsewhere.path() / "straight";
    const auto plan = planWeights(*model, request, target);
    ASSERT_TRUE(plan);
    ASSERT_TRUE(runWeights(*plan, straight, {}, {}));
    std::string reason;
    const auto body = [&](test::Findings& found) {
        const auto isUnnamed = [&] {
            for (const fs::path& path : plan->paths(target)) found.need(!fs::exists(path), path.string() + " has its name");
        };
        std::atomic<int> items{0};
        const Progress progress{{}, [&](std::uint64_t, std::uint64_t) {
                                    if (++items != 20) return;
                                    std::ofstream out(disk.path() / "filler", std::ios::binary);
                                    const std::string page(4096, 'x');
                                    while (out.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
                                    }
                                }};
        RunOptions options;
        options.threads = 1;
        options.flushBytes = 1;
        const auto full = runWeights(*plan, target, options, progress);
        found.need(!full && full.error().code == ErrorCode::NoSpace, "the run ended otherwise on a full disk");
        isUnnamed();
        fs::remove(disk.path() / "filler");
        const auto resumed = runWeights(*plan, target, options, {});
        found.need(resumed.has_value(), resumed ? "" : resumed.error().message());
        if (!resumed) return;
        for (const auto& entry : fs::directory_iterator(straight))
            found.need(test::readFile(entry.path()) == test::readFile(target / entry.path().filename()), entry.path().string());
        found.need(!fs::exists(run::journalPath(target)), "the journal was left behind");
    };
    const auto wrong = test::onSmallDisk(disk.path(), plan->fileBytes() + (128 << 10), body, reason);
    if (!wrong) GTEST_SKIP() << reason;
    EXPECT_EQ(*wrong, "");
    const auto tooSmall = test::onSmallDisk(
        disk.path(), plan->fileBytes() / 2,
        [&](test::Findings& found) {
            const auto refused = runWeights(*plan, target, {}, {});
            found.need(!refused && refused.error().reason == Reason("run.disk_space"), "not refused before the first byte");
            found.need(!fs::exists(target), "the folder was left behind");
        },
        reason);
    EXPECT_EQ(tooSmall.value_or(reason), "");
}

} // namespace
} // namespace wb::convert
