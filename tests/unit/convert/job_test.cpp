// SPDX-License-Identifier: MIT
#include "core/convert/plan_job.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

GgufRequest folderRequest(quant::FileType type) {
    GgufRequest request;
    request.source = test::shared() / "arch/qwen3-k256/hf";
    request.quantize.mix.fileType = type;
    return request;
}

std::vector<std::byte> jobContent(const Job& job, const fs::path& target) {
    const auto done = job.run(target, {}, {});
    EXPECT_TRUE(done) << done.error().message();
    return test::readFile(target);
}

TEST(Job, IsOfTheKindThatItsSourceAndAdaptersSay) {
    WB_NEED_SHARED("arch");
    const GgufPlanned plain = planGguf(folderRequest(quant::FileType::F16), {});
    ASSERT_FALSE(plain.failure) << plain.failure->message();
    EXPECT_TRUE(plain.plain && !plain.quantized && !plain.job->quantizes());
    EXPECT_EQ(plain.job->kind(), JobKind::Convert);
    EXPECT_EQ(plain.job->type(), "F16");
    EXPECT_EQ(plain.job->targets("out.gguf"), std::vector<fs::path>{"out.gguf"});
    EXPECT_GT(plain.job->peakMemory(1), 0u);
    const GgufPlanned smaller = planGguf(folderRequest(quant::FileType::Q4_K_M), {});
    ASSERT_FALSE(smaller.failure) << smaller.failure->message();
    EXPECT_TRUE(smaller.quantized && smaller.job->quantizes());
    EXPECT_EQ(smaller.job->kind(), JobKind::Convert);
    EXPECT_LT(smaller.job->bytes(), plain.job->bytes());
    GgufRequest gguf;
    gguf.source = test::shared() / "arch/llama/model.gguf";
    gguf.quantize.mix.fileType = quant::FileType::Q8_0;
    const auto job = planJob(gguf, {});
    ASSERT_TRUE(job) << job.error().message();
    EXPECT_EQ((*job)->kind(), JobKind::Quantize);
}

// The plan file of any job makes the same file again.
TEST(Job, ComesBackFromItsPlanFile) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    for (const quant::FileType type : {quant::FileType::F16, quant::FileType::BF16, quant::FileType::Q4_K_M}) {
        const auto job = planJob(folderRequest(type), {});
        ASSERT_TRUE(job) << job.error().message();
        const auto saved = parseSavedPlan((*job)->planText(), "plan");
        ASSERT_TRUE(saved) << saved.error().message();
        const auto again = planJob(requestFromPlan(std::get<quantize::PlanFile>(*saved), (*job)->source()), {});
        ASSERT_TRUE(again) << again.error().message();
        EXPECT_EQ((*again)->planText(), (*job)->planText());
        EXPECT_EQ((*again)->fingerprint().value_or("none"), (*job)->fingerprint().value_or(""));
        EXPECT_TRUE(jobContent(**job, folder.path() / "one.gguf") == jobContent(**again, folder.path() / "two.gguf"));
        fs::remove(folder.path() / "one.gguf");
        fs::remove(folder.path() / "two.gguf");
    }
    SafetensorsRequest request;
    request.source = test::shared() / "arch/qwen3-k256/hf";
    request.target = folder.path() / "out";
    request.weights.isFolder = true;
    request.weights.type = Dtype::F16;
    const auto weights = planJob(request, {});
    ASSERT_TRUE(weights) << weights.error().message();
    EXPECT_EQ((*weights)->type(), "huggingface");
    const auto saved = parseSavedPlan((*weights)->planText(), "plan");
    ASSERT_TRUE(saved && std::holds_alternative<WeightsPlanFile>(*saved));
    const auto again = planJob(requestFromPlan(std::get<WeightsPlanFile>(*saved), request.source, request.target), {});
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ((*again)->fingerprint().value_or("none"), (*weights)->fingerprint().value_or(""));
}

TEST(Job, IsCanceledAndContinued) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const auto job = planJob(folderRequest(quant::FileType::Q4_K_M), {});
    ASSERT_TRUE(job) << job.error().message();
    std::stop_source stop;
    RunOptions options;
    options.threads = 1;
    options.flushBytes = 1;
    const auto report = [&stop](std::uint64_t done, std::uint64_t total) {
        EXPECT_LE(done, total);
        if (done > total / 2) stop.request_stop();
    };
    const fs::path target = folder.path() / "out.gguf";
    const auto stopped = (*job)->run(target, options, {stop.get_token(), report});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
    EXPECT_FALSE(fs::exists(target));
    const auto resumed = (*job)->run(target, options, {});
    ASSERT_TRUE(resumed) << resumed.error().message();
    EXPECT_GT(resumed->resumedItems, 0u);
    EXPECT_TRUE(test::readFile(target) == jobContent(**job, folder.path() / "straight.gguf"));
}

} // namespace
} // namespace wb::convert
