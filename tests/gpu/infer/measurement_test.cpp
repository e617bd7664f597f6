// SPDX-License-Identifier: MIT
#include "gpu/compute/device_report.h"
#include "gpu/compute/kernel_choice.h"
#include "tests/gpu/infer/infer_test.h"

#include <fstream>

// The measured speed of a device, and what an automatic choice makes of it.
namespace wb::gpu {
namespace {

using compute::Measurement;

class Measured : public InferTest {
protected:
    void SetUp() override {
        InferTest::SetUp();
        setUp({m_cache.path()});
    }
    void TearDown() override {
        setUp({});
        InferTest::TearDown();
    }

    // As if the GPU were so many times as fast as the CPU.
    Measurement withSpeed(double times) const {
        return {device->info().id, device->info().driver, {}, {1000 * times, 100 * times}, {1000, 100}, 1};
    }
    std::filesystem::path file() const { return m_cache.path() / ("speed-" + device->info().id + ".json"); }

    // Of a small model, by an automatic choice that finds this device.
    std::unique_ptr<infer::Engine> loadAutomatically(infer::EngineOptions options = {}) {
        const auto graph = infer::planGraph(test::ArchModel::open("llama").model);
        EXPECT_TRUE(graph);
        options.context = context;
        options.threads = 1;
        return loadOn(*compute::makeInference(test::chosen(device, {})), *graph, options);
    }

    test::TemporaryFolder m_cache;
};

TEST_F(Measured, IsKeptWithAllItsKernelsWithinTheTime) {
    const auto measured = compute::measureChosen({DeviceRef::Kind::Number, device->info().index}, 1, {});
    ASSERT_TRUE(measured) << measured.error().message();
    const double limit = device->info().software() ? 600 : 20; // software competes with the machine's other work
    EXPECT_LE(measured->seconds, limit);
    for (const double rate : {measured->gpu.prompt, measured->gpu.generate, measured->cpu.prompt, measured->cpu.generate})
        EXPECT_GT(rate, 0);
    for (const Dtype type : {Dtype::Q4_K, Dtype::Unknown}) {
        const FastVerdict* const best = bestForm(measured->kernels, type);
        ASSERT_TRUE(best);
        EXPECT_TRUE(best->isRight());
    }
    const auto read = compute::readMeasurement(device->info());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->gpu.prompt, measured->gpu.prompt);
    EXPECT_EQ(read->cpu.generate, measured->cpu.generate);
    ASSERT_EQ(read->kernels.size(), measured->kernels.size());
    for (std::size_t i = 0; i < read->kernels.size(); ++i) {
        EXPECT_EQ(read->kernels[i].dtype, measured->kernels[i].dtype);
        EXPECT_EQ(read->kernels[i].form, measured->kernels[i].form);
        EXPECT_EQ(read->kernels[i].speedup, measured->kernels[i].speedup);
    }
    std::printf("  %.1f s: GPU %.0f and %.1f tokens/s, CPU %.0f and %.1f\n", measured->seconds, measured->gpu.prompt,
                measured->gpu.generate, measured->cpu.prompt, measured->cpu.generate);
}

TEST_F(Measured, StopsWhereItIsCanceled) {
    std::stop_source stop;
    stop.request_stop();
    const auto measured = compute::measureChosen({DeviceRef::Kind::Number, device->info().index}, 1, {stop.get_token(), {}});
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.error().code, ErrorCode::Canceled);
    EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(Measured, IsOfOneDeviceAndDriver) {
    ASSERT_TRUE(compute::saveMeasurement(withSpeed(2)));
    DeviceInfo updated = device->info(), other = device->info();
    updated.driver += ".1";
    other.id = "00" + other.id;
    EXPECT_TRUE(compute::readMeasurement(device->info()));
    EXPECT_FALSE(compute::readMeasurement(updated));
    EXPECT_FALSE(compute::readMeasurement(other));
}

TEST_F(Measured, IsIgnoredWhereItsFileIsDamaged) {
    ASSERT_TRUE(compute::saveMeasurement(withSpeed(2)));
    std::ifstream whole(file());
    const std::string text{std::istreambuf_iterator<char>(whole), {}};
    const auto isRead = [&](const std::string& damaged) {
        std::ofstream(file(), std::ios::trunc) << damaged;
        return compute::readMeasurement(device->info()).has_value();
    };
    EXPECT_TRUE(isRead(text));
    EXPECT_FALSE(isRead(text.substr(0, text.size() / 2)));
    EXPECT_FALSE(isRead(""));
    EXPECT_FALSE(isRead("[]"));
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string changed = text;
        return changed.replace(changed.find(from), from.size(), to);
    };
    EXPECT_FALSE(isRead(replaced("\"version\":1", "\"version\":2")));
    EXPECT_FALSE(isRead(replaced("\"shaders\":", "\"shaders\":1"))) << "of a program with other kernels";
    EXPECT_FALSE(isRead(replaced("\"prompt_tps\":2000", "\"prompt_tps\":0")));
    EXPECT_FALSE(isRead(replaced("\"prompt_tps\":2000", "\"prompt_tps\":\"nan\"")));
}

TEST_F(Measured, NeedsACacheFolder) {
    setUp({});
    const auto kept = compute::saveMeasurement(withSpeed(2));
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().reason, Reason("device.no_cache"));
    EXPECT_FALSE(compute::readMeasurement(device->info()));
}

// The measure is a whole turn: a GPU that reads fast and writes slowly loses.
TEST(ModelSpeed, IsThatOfATurn) {
    const compute::ModelSpeed speed{512, 64};
    EXPECT_DOUBLE_EQ(speed.turnSeconds(), 3);
    Measurement measurement;
    measurement.gpu = {5120, 32};
    measurement.cpu = speed;
    EXPECT_FALSE(measurement.isGpuFaster());
    measurement.gpu.generate = 64;
    EXPECT_TRUE(measurement.isGpuFaster());
}

TEST_F(Measured, DecidesAnAutomaticChoice) {
    WB_NEED_SHARED("arch");
    for (const auto& [times, runsOn] : {std::pair{2.0, device->info().option()}, {0.5, std::string("cpu")}}) {
        ASSERT_TRUE(compute::saveMeasurement(withSpeed(times)));
        const auto engine = loadAutomatically();
        ASSERT_TRUE(engine);
        EXPECT_EQ(engine->device(), runsOn);
        const std::vector<Problem> remarks = engine->remarks();
        ASSERT_EQ(remarks.size(), times > 1 ? 0u : 1u);
        for (const Problem& remark : remarks) EXPECT_EQ(remark.code, Reason("device.slower"));
    }
}

// A card with its own memory is used and other devices are not; a remark reports both.
TEST_F(Measured, IsMissedWhereItDoesNotExist) {
    WB_NEED_SHARED("arch");
    const auto engine = loadAutomatically();
    ASSERT_TRUE(engine);
    const std::vector<Problem> remarks = engine->remarks();
    ASSERT_EQ(remarks.size(), 1u);
    EXPECT_EQ(remarks[0].code, Reason("device.not_measured"));
    EXPECT_EQ(engine->device(), device->info().kind == DeviceKind::Discrete ? device->info().option() : "cpu");
    const auto asked = loadAutomatically({.gpuLayers = 2});
    ASSERT_TRUE(asked);
    EXPECT_TRUE(asked->remarks().empty()) << "layers were asked for";
}

// One device reads prompts and the other writes responses, where that is faster than either alone.
class MeasuredPhases : public Measured, public testing::WithParamInterface<std::string> {};

TEST_P(MeasuredPhases, AreSplit) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam());
    const bool isExact = GetParam() == "llama"; // routers of experts are almost so
    const ModelPtr model = isExact ? inType(arch.model, quant::FileType::Q8_0) : arch.model;
    const auto graph = infer::planGraph(model);
    ASSERT_TRUE(graph);
    const auto alone = onProcessor(model);
    for (const bool isPromptOnGpu : {true, false}) {
        Measurement measurement = withSpeed(1);
        (isPromptOnGpu ? measurement.gpu : measurement.cpu).prompt *= 10;
        (isPromptOnGpu ? measurement.cpu : measurement.gpu).generate *= 10;
        ASSERT_TRUE(compute::saveMeasurement(measurement));
        const auto backend = compute::makeInference(test::chosen(device, {}));
        const auto placement = backend->place(*graph, {.threads = 1, .context = context, .kernels = infer::KernelSet::Exact});
        ASSERT_TRUE(placement);
        const auto loaded = backend->load(*graph, *placement, {});
        ASSERT_TRUE(loaded);
        const std::unique_ptr<infer::Engine>& engine = *loaded;
        EXPECT_EQ(engine->load().memory.total(), placement->main.total());
        EXPECT_EQ(engine->load().device.total(), placement->deviceMemory.total());
        const std::string gpu = device->info().option();
        EXPECT_EQ(engine->device(), isPromptOnGpu ? gpu + " + cpu" : "cpu + " + gpu);
        ASSERT_EQ(engine->remarks().size(), 1u);
        EXPECT_EQ(engine->remarks()[0].code, Reason("device.split"));
        std::vector<float> expected(alone->vocabulary()), found(alone->vocabulary());
        for (const auto& [position, count] : {std::pair{0u, 20u}, {20u, 1u}, {21u, 1u}, {4u, 18u}, {22u, 2u}}) {
            const auto tokens = std::span(arch.tokens).subspan(position, count);
            ASSERT_TRUE(alone->evaluate({tokens, position, expected, {}}, {}));
            ASSERT_TRUE(engine->evaluate({tokens, position, found, {}}, {}));
            EXPECT_LE(test::nmse(found, expected), isExact ? 0 : 1e-6) << "at " << position;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Families, MeasuredPhases, testing::Values("llama", "qwen3moe", "deepseek2-lite"), [](const auto& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

// Weights in memory twice must be worth it, and a model whose state cannot be copied is on the faster device.
TEST_F(Measured, SplitsNothingElse) {
    WB_NEED_SHARED("arch");
    Measurement measurement = withSpeed(1);
    measurement.gpu.prompt *= 1.2;
    EXPECT_EQ(measurement.split(), infer::PhaseSplit::None);
    measurement.gpu.prompt *= 10;
    measurement.cpu.generate *= 10;
    EXPECT_EQ(measurement.split(), infer::PhaseSplit::PromptOnGpu);
    ASSERT_TRUE(compute::saveMeasurement(measurement));
    const auto graph = infer::planGraph(test::ArchModel::open("qwen35").model);
    ASSERT_TRUE(graph);
    const auto engine = loadOn(*compute::makeInference(test::chosen(device, {})), *graph, {.threads = 1, .context = context});
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->device(), "cpu");
}

TEST_F(Measured, ChoosesKernels) {
    WB_NEED_SHARED("arch");
    Measurement measurement = withSpeed(2);
    const ModelPtr model = inType(test::ArchModel::open("llama").model, quant::FileType::Q8_0);
    for (const double error : {1e-13, 1e-3}) {
        measurement.kernels = {{Dtype::Q8_0, FastForm::Float, error, 9, 9}, {Dtype::Unknown, FastForm::Float, 1e-13, 9, 0}};
        ASSERT_TRUE(compute::saveMeasurement(measurement));
        const auto engine = onDevice(model, {.kernels = infer::KernelSet::Fast});
        ASSERT_TRUE(engine);
        EXPECT_EQ(engine->kernels(), error < 1e-6 ? "fast for Q8_0 attention" : "fast for attention");
    }
}

TEST(KernelChoice, NamesWhyAFormIsRefused) {
    FastVerdict verdict{Dtype::Q4_K, FastForm::Packed, 1e-13, 3, 3};
    EXPECT_EQ(compute::refusal(verdict), "");
    verdict.speedup = 0.2;
    EXPECT_EQ(compute::refusal(verdict), "0.20x the speed of the exact kernel");
    verdict.error = 0.5;
    EXPECT_EQ(compute::refusal(verdict), "wrong: error 5.0e-01");
}

} // namespace
} // namespace wb::gpu
