// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "core/convert/plan_job.h"
#include "tests/unit/quantize/small_model.h"
#include "tests/unit/small_disk/small_disk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

// The disk becomes full in the middle of a split, of a merge and of an ONNX graph that gets weights.
namespace wb::convert {
namespace {

namespace fs = std::filesystem;

// Punches a hole into the second half of each part file, as on a file system that reserves nothing, and fills the disk.
void fillDisk(const fs::path& disk) {
    for (const auto& entry : fs::recursive_directory_iterator(disk)) {
        if (!entry.is_regular_file() || entry.path().extension() != ".part") continue;
        const int part = open(entry.path().c_str(), O_RDWR | O_CLOEXEC);
        const auto half = static_cast<off_t>(entry.file_size() / 2 / 4096 * 4096);
        fallocate(part, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, half, half + 4096);
        close(part);
    }
    std::ofstream out(disk / "filler", std::ios::binary);
    const std::string page(4096, 'x');
    while (out.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
    }
}

// The job stops with a reason, leaves no incomplete file under a final name, and resumes once there is space.
void expectToGoOn(const Job& job, const std::string& name) {
    const test::TemporaryFolder disk, elsewhere;
    const auto straight = job.targets(elsewhere.path() / name);
    ASSERT_TRUE(job.run(elsewhere.path() / name, {}, {}));
    std::uint64_t bytes = 0;
    for (const fs::path& file : straight) bytes += fs::file_size(file);
    const fs::path target = disk.path() / name;
    const auto body = [&](test::Findings& found) {
        bool isFull = false;
        const Progress progress{{}, [&](std::uint64_t at, std::uint64_t total) {
                                    if (at >= total / 4 && !std::exchange(isFull, true)) fillDisk(disk.path());
                                }};
        RunOptions options;
        options.threads = 1;
        options.flushBytes = 1; // every item is journalled
        const auto full = job.run(target, options, progress);
        found.need(isFull, "the disk never became full");
        found.need(!full, "the job ended well on a full disk");
        if (!full) {
            found.need(full.error().code == ErrorCode::NoSpace, full.error().message());
            found.need(full.error().reason == Reason("run.disk_full"), full.error().message());
        }
        for (const fs::path& file : job.targets(target)) found.need(!fs::exists(file), file.string() + " has its name");
        fs::remove(disk.path() / "filler");
        const auto resumed = job.run(target, options, {});
        found.need(resumed.has_value(), resumed ? "" : resumed.error().message());
        const auto written = job.targets(target);
        for (std::size_t i = 0; resumed && i < written.size(); ++i)
            found.need(test::readFile(written[i]) == test::readFile(straight[i]), written[i].string() + " differs");
        const auto left = std::distance(fs::directory_iterator(disk.path()), fs::directory_iterator());
        found.need(static_cast<std::size_t>(left) == written.size(), "something was left behind");
    };
    std::string reason;
    const auto wrong = test::onSmallDisk(disk.path(), bytes + (256 << 10), body, reason);
    if (!wrong) GTEST_SKIP() << reason;
    EXPECT_EQ(*wrong, "");
}

TEST(FullDiskOfJobs, StopsASplit) {
    const test::TemporaryFolder folder;
    GgufRequest request;
    request.source = quantize::writeSmallModel(folder, 20);
    request.accepts = Accepts::Gguf;
    request.quantize.mix.copy = true;
    request.quantize.copies = quantize::CopyMode::Keep;
    request.quantize.split.bytes = 6'000'000;
    const auto planned = planGguf(request, {});
    ASSERT_TRUE(planned.job) << planned.failure->message();
    ASSERT_GE(planned.job->targets("out.gguf").size(), 3u);
    expectToGoOn(*planned.job, "out.gguf");
}

TEST(FullDiskOfJobs, StopsAMerge) {
    const test::TemporaryFolder folder, other;
    SafetensorsRequest request;
    request.source = quantize::writeSmallModel(folder, 12);
    request.target = "out.safetensors";
    request.merge.models = {quantize::writeSmallModel(other, 12, 0.5f).string()};
    request.merge.settings.method = merge::MergeMethod::Ties;
    request.merge.settings.weights = {1};
    request.merge.settings.density = 0.5;
    const auto planned = planSafetensors(request, {});
    ASSERT_TRUE(planned) << planned.error().message();
    expectToGoOn(*planned->job, "out.safetensors");
}

TEST(FullDiskOfJobs, StopsAGraphThatGetsWeights) {
    WB_NEED_SHARED("corpus/silero_vad");
    GraphRequest request;
    request.source = request.graph = test::shared() / "corpus/silero_vad/silero_vad_16k_op15.onnx";
    const auto planned = planGraph(request, {});
    ASSERT_TRUE(planned) << planned.error().message();
    expectToGoOn(*planned->job, "out.onnx");
}

} // namespace
} // namespace wb::convert
#endif
