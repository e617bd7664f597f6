// SPDX-License-Identifier: MIT
#include "core/memory/serving/calibration.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wb::memory {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t mib = 1 << 20;

// The lines of a load as llama.cpp prints them (src/llama-model.cpp, llama-kv-cache.cpp, llama-context.cpp), with others between.
constexpr const char* log = R"(build: 9310 (e2ef8fe42) with GNU 12.2.0 for x86_64-linux-gnu
llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 5060 Ti) (0000:01:00.0) - 15200 MiB free
print_info: general.name          = Llama 3.1 8B Instruct
load_tensors: offloaded 33/33 layers to GPU
load_tensors:        CUDA0 model buffer size =  4403.49 MiB
load_tensors:   CPU_Mapped model buffer size =   281.81 MiB
llama_context: n_seq_max     = 1
llama_context: n_ctx         = 8192
llama_context: n_ctx_seq     = 8192
llama_context: n_batch       = 2048
llama_context: n_ubatch      = 512
llama_context: flash_attn    = enabled
llama_context:  CUDA_Host  output buffer size =     0.49 MiB
llama_kv_cache:      CUDA0 KV buffer size =   544.00 MiB
llama_kv_cache: size =  544.00 MiB (  8192 cells,  32 layers,  1/1 seqs), K (q8_0):  272.00 MiB, V (q8_0):  272.00 MiB
sched_reserve:      CUDA0 compute buffer size =   258.50 MiB
sched_reserve:  CUDA_Host compute buffer size =    24.01 MiB
~llama_context:      CUDA0 compute buffer size is 258.5000 MiB, matches expectation of 258.5000 MiB
)";

TEST(RuntimeLogs, SayPartsAndSettings) {
    const auto read = readRuntimeLog(log, "load.log");
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_EQ(read->devices.size(), 1u);
    const RuntimeLog::Device& device = read->devices[0];
    EXPECT_EQ(device.title, "NVIDIA GeForce RTX 5060 Ti");
    EXPECT_EQ(device.bytes[PartKind::Keys], 272 * mib);
    EXPECT_EQ(device.bytes[PartKind::Values], 272 * mib);
    EXPECT_NEAR(static_cast<double>(device.bytes[PartKind::Weights]), 4403.49 * mib, 1);
    EXPECT_NEAR(static_cast<double>(device.bytes[PartKind::Compute]), 258.5 * mib, 1);
    EXPECT_NEAR(static_cast<double>(read->processor[PartKind::Compute]), 24.01 * mib, 1);
    EXPECT_EQ(read->build, "9310");
    EXPECT_EQ(read->model, "Llama 3.1 8B Instruct");
    const Settings settings = read->applyTo({.context = 1, .microBatch = 64});
    EXPECT_EQ(settings.context, 8192u);
    EXPECT_EQ(settings.microBatch, 512u);
    EXPECT_EQ(settings.keyType, Dtype::Q8_0);
    EXPECT_EQ(settings.gpuLayers, 33u);
    EXPECT_EQ(settings.backendUsed(), Backend::Cuda);
}

TEST(RuntimeLogs, OfOtherProgramsAreRefused) {
    for (const std::string text : {"", "hello\nworld", "buffer size = 12 MiB", "x model buffer size = many MiB"}) {
        const auto read = readRuntimeLog(text, "other.log");
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message(), HasSubstr("other.log"));
    }
    EXPECT_TRUE(readRuntimeLog("load_tensors: CPU model buffer size = 99999999999999999999999 MiB", "large.log"));
}

MeasuredLoad loadFromEstimated(std::uint64_t estimated, std::uint64_t measured, const char* device = "NVIDIA GeForce RTX 5060 Ti") {
    MeasuredLoad load;
    load.date = "2026-11-23";
    load.runtime = "llama.cpp";
    load.backend = "cuda";
    load.device = device;
    load.estimated = estimated;
    load.measured = measured;
    return load;
}

Settings onCuda() {
    Settings settings;
    settings.gpuLayers = allLayers;
    settings.backend = Backend::Cuda;
    return settings;
}

TEST(Calibration, ShiftsByTheMedianOfTheSameClass) {
    const std::vector<MeasuredLoad> loads = {loadFromEstimated(100 * mib, 130 * mib), loadFromEstimated(200 * mib, 220 * mib),
                                             loadFromEstimated(300 * mib, 400 * mib),
                                             loadFromEstimated(100 * mib, 900 * mib, "another card")};
    const auto correction = loadCorrection(loads, onCuda(), "RTX 5060 Ti, 16 GiB");
    ASSERT_TRUE(correction);
    EXPECT_EQ(correction->loads, 3u);
    EXPECT_EQ(correction->shift, 30 * static_cast<std::int64_t>(mib));
    EXPECT_EQ(correction->range, 70 * mib);
    EXPECT_FALSE(loadCorrection(loads, {}, "cpu")) << "another backend";
    EXPECT_FALSE(loadCorrection(loads, onCuda(), "RTX 4090"));
}

TEST(Calibration, KeepsTheSums) {
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const std::uint64_t before = estimate(subject, subject.stored, onCuda())->total();
    for (const std::int64_t shift : {std::int64_t{50'000'000}, std::int64_t{-50'000'000}, std::int64_t{-1'000'000'000'000}}) {
        Settings settings = onCuda();
        settings.correction = Correction{"RTX 5060 Ti", 3, shift, 1000};
        const auto shifted = estimate(subject, subject.stored, settings);
        ASSERT_TRUE(shifted);
        std::uint64_t parts = 0;
        for (const MemoryPart& part : shifted->parts) parts += part.bytes;
        EXPECT_EQ(parts, shifted->total());
        if (shift > -1'000'000'000)
            EXPECT_EQ(static_cast<std::int64_t>(shifted->total()) - static_cast<std::int64_t>(before), shift);
        else EXPECT_GT(shifted->total(), subject.stored.total()) << "weights and caches are never taken away";
    }
    Settings settings = onCuda();
    settings.correction = Correction{"RTX 5060 Ti", 3, 50'000'000, 1000};
    const Memory same{.name = "NVIDIA RTX 5060 Ti, 16 GiB", .bytes = 16ull << 30}, other{.name = "RTX 4090", .bytes = 24ull << 30};
    EXPECT_EQ(fitNow(subject, subject.stored, settings, same).need - fitNow(subject, subject.stored, settings, other).need,
              50'000'000u);
}

TEST(Calibration, ComparesALogWithItsEstimate) {
    const auto read = readRuntimeLog(log, "load.log");
    ASSERT_TRUE(read);
    const Subject subject = *subjectOfSize("Llama-3.1-8B");
    const auto weights = subject.weights(weightTypeFromName("Q4_K_M"));
    const auto estimated = estimate(subject, *weights, read->applyTo({}));
    ASSERT_TRUE(estimated) << estimated.error().message();
    const auto loads = measuredLoads(*read, *estimated, "llama", "2026-11-23");
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_EQ(loads[0].parts[PartKind::Keys], 272 * mib);
    EXPECT_EQ(loads[0].estimated, estimated->plan.gpu.total() - allocatorRules(estimated->settings).overhead);
    EXPECT_NEAR(static_cast<double>(loads[0].estimated), static_cast<double>(loads[0].measured),
                0.05 * static_cast<double>(loads[0].measured));
}

TEST(MeasuredFiles, KeepLoadsAndRefuseOtherLines) {
    const test::TemporaryFolder folder;
    const auto file = loadsFile(folder.path() / "state");
    EXPECT_TRUE(readLoads(file)->empty());
    MeasuredLoad load = loadFromEstimated(1, 2);
    load.model = "a \"strange\", name";
    load.settings = "=cmd()";
    load.parts[PartKind::Compute] = 77;
    ASSERT_TRUE(addLoads(file, std::vector{load}));
    ASSERT_TRUE(addLoads(file, std::vector{loadFromEstimated(3, 4)}));
    const auto loads = readLoads(file);
    ASSERT_TRUE(loads) << loads.error().message();
    ASSERT_EQ(loads->size(), 2u);
    EXPECT_EQ(loads->front().model, load.model);
    EXPECT_EQ(loads->front().settings, " =cmd()") << "no spreadsheet computes it";
    EXPECT_EQ(loads->front().parts[PartKind::Compute], 77u);
    EXPECT_EQ(loads->back(), loadFromEstimated(3, 4));
    std::ofstream(file, std::ios::app) << "not a load\n";
    const auto broken = readLoads(file);
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().message(), HasSubstr("Line 4"));
    ASSERT_TRUE(clearLoads(file));
    EXPECT_TRUE(readLoads(file)->empty());
}

TEST(MeasuredFiles, CountTheSameLoadOnce) {
    const test::TemporaryFolder folder;
    const auto file = loadsFile(folder.path());
    MeasuredLoad load = loadFromEstimated(1, 2);
    load.date = "2026-11-22";
    ASSERT_TRUE(addLoads(file, std::vector{load, loadFromEstimated(3, 4)}));
    load.date = "2026-11-23";
    ASSERT_TRUE(addLoads(file, std::vector{load}));
    auto loads = readLoads(file);
    ASSERT_EQ(loads->size(), 2u);
    EXPECT_EQ(loads->back(), load) << "the newer date";
    load.measured = 5; // the same settings took more this time
    ASSERT_TRUE(addLoads(file, std::vector{load}));
    EXPECT_EQ(readLoads(file)->size(), 3u);
}

TEST(MeasuredFiles, ForgetTheOldest) {
    const test::TemporaryFolder folder;
    const auto file = loadsFile(folder.path());
    std::vector<MeasuredLoad> many;
    for (std::uint64_t i = 0; i < maxLoads + 5; ++i) many.push_back(loadFromEstimated(i, i));
    ASSERT_TRUE(addLoads(file, many));
    const auto loads = readLoads(file);
    ASSERT_TRUE(loads);
    ASSERT_EQ(loads->size(), maxLoads);
    EXPECT_EQ(loads->front().estimated, 5u);
}

} // namespace
} // namespace wb::memory
