// SPDX-License-Identifier: MIT
#include "core/infer/memory_plan.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/infer/infer_test.h"

// Whatever the device does, or does not do, the answer goes on, and a remark says where.
namespace wb::gpu {
namespace {

using test::allLogits;
using test::ArchModel;
using test::nmse;

class Fallback : public InferTest {
protected:
    // A device of its own, which may fail.
    void SetUp() override {
        GpuTest::SetUp();
        if (device && device->lost()) device = *test::testDevice();
    }

    void expectOnProcessor(const infer::Engine& engine, const char* reason) {
        EXPECT_EQ(engine.device(), "cpu");
        EXPECT_EQ(engine.gpuLayers(), 0u);
        const std::vector<Problem> remarks = engine.remarks();
        ASSERT_EQ(remarks.size(), 1u);
        EXPECT_STREQ(remarks.front().code.id(), reason) << remarks.front().message();
    }
};

class LostInAnAnswer : public Fallback, public testing::WithParamInterface<test::Fault> {};

// In the middle of a prompt, and between two tokens.
TEST_P(LostInAnAnswer, GoesOnOnTheProcessor) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama");
    const std::vector<float> truth = allLogits(*onProcessor(arch.model), arch.tokens, arch.tokens.size());
    // Both placements and both sizes of batches, each once: every device compiles its kernels again.
    for (const auto& [piece, layers] :
         {std::pair{std::size_t{24}, std::optional<std::uint64_t>()}, {std::size_t{1}, std::optional<std::uint64_t>(2)}}) {
        device = *test::testDevice();
        const auto engine = onDevice(arch.model, {.gpuLayers = layers});
        ASSERT_TRUE(engine);
        std::vector<float> logits(truth.size());
        const std::size_t half = arch.tokens.size() / 2, vocabulary = engine->vocabulary();
        const auto read = [&](std::size_t from, std::size_t to) {
            for (std::size_t at = from; at < to; at += piece)
                ASSERT_TRUE(engine->evaluate({std::span(arch.tokens).subspan(at, piece),
                                              at,
                                              std::span(logits).subspan(at * vocabulary, piece * vocabulary),
                                              {}},
                                             {}));
        };
        read(0, half);
        EXPECT_EQ(engine->device(), device->info().option());
        test::injectFault(*device, GetParam(), 1);
        read(half, arch.tokens.size());
        expectOnProcessor(*engine, "device.lost");
        EXPECT_LE(nmse(logits, truth), 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Faults, LostInAnAnswer, testing::Values(test::Fault::Lost, test::Fault::Reset));

TEST_F(Fallback, ADeviceThatIsLostWhileItLoadsIsGivenUp) {
    WB_NEED_SHARED("arch");
    device = *test::testDevice();
    test::injectFault(*device, test::Fault::Lost, 3);
    const auto engine = load(ArchModel::open("llama").model);
    ASSERT_TRUE(engine);
    expectOnProcessor(*engine, "device.lost");
}

TEST_F(Fallback, AFullDeviceIsGivenUp) {
    WB_NEED_SHARED("arch");
    device = *test::testDevice();
    test::injectFault(*device, test::Fault::Memory, 0);
    const auto engine = load(ArchModel::open("llama").model);
    ASSERT_TRUE(engine);
    expectOnProcessor(*engine, "device.memory");
    EXPECT_FALSE(test::isFaulty(*device)) << "it never was full";
}

// What no shader computes yet is named, and the model runs.
TEST_F(Fallback, OtherOperationsRunOnTheProcessor) {
    WB_NEED_SHARED("arch");
    auto graph = infer::planGraph(ArchModel::open("llama").model);
    ASSERT_TRUE(graph);
    for (infer::LayerOp& op : graph->layers[1])
        if (auto* const gateUp = std::get_if<infer::GateUpOp>(&op)) gateUp->activation = infer::Activation::GeluErf;
    const auto engine = loadOn(*compute::makeInference(test::chosen(device)), *graph, {.threads = 1, .context = 64});
    ASSERT_TRUE(engine);
    expectOnProcessor(*engine, "infer.device_part");
    EXPECT_NE(engine->remarks().front().message().find("GELU with the error function"), std::string::npos)
        << engine->remarks().front().message();
}

TEST_F(Fallback, RefusalsNameTheirReason) {
    WB_NEED_SHARED("arch");
    const auto refusal = [&](const char* name, auto change) {
        auto graph = infer::planGraph(ArchModel::open(name).model);
        EXPECT_TRUE(graph);
        for (infer::LayerOp& op : graph->layers.back()) std::visit(change, op);
        const auto runs = checkDeviceRuns(*graph, {.context = 64}, device->info());
        return runs ? std::string() : runs.error().message();
    };
    const auto longHeads = [](auto& op) {
        if constexpr (requires { op.sinks; }) op.shape.valueLength = 514;
    };
    const auto longKeys = [](auto& op) {
        if constexpr (requires { op.sinks; }) op.shape.keyLength = 1026;
    };
    const auto oddHeads = [](auto& op) {
        if constexpr (requires { op.sinks; }) op.shape.keyLength = 17;
    };
    const auto manyExperts = [](auto& op) {
        if constexpr (requires { op.router; }) op.used = 65;
    };
    EXPECT_NE(refusal("llama", longHeads).find("a head size above 512"), std::string::npos);
    EXPECT_NE(refusal("llama", longKeys).find("a head size of keys above 1024"), std::string::npos);
    EXPECT_NE(refusal("llama", oddHeads).find("an odd head size"), std::string::npos);
    EXPECT_NE(refusal("qwen3moe", manyExperts).find("more than 64 experts per token"), std::string::npos);
    EXPECT_EQ(refusal("qwen3moe", [](auto&) {}), "");
}

// Matrices of numbers that are no weights.
TEST_F(Fallback, OtherTypesRunOnTheProcessor) {
    WB_NEED_SHARED("arch");
    auto graph = infer::planGraph(ArchModel::open("llama").model);
    ASSERT_TRUE(graph);
    auto& up = std::get<infer::GateUpOp>(*std::ranges::find_if(graph->layers.back(), [](const infer::LayerOp& op) {
                   return std::holds_alternative<infer::GateUpOp>(op);
               })).up;
    TensorInfo other = *up.weight.tensor;
    other.dtype = Dtype::F64;
    up.weight.tensor = &other;
    const auto runs = checkDeviceRuns(*graph, {.context = 64}, device->info());
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().reason, Reason("infer.device_type"));
    EXPECT_NE(runs.error().message().find("F64"), std::string::npos);
}

TEST_F(Fallback, NothingOnTheDeviceIsTheProcessorAlone) {
    WB_NEED_SHARED("arch");
    const auto engine = load(ArchModel::open("llama").model, {.gpuLayers = 0});
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->device(), "cpu");
    EXPECT_TRUE(engine->remarks().empty());
}

// The plan says what a placement of that many layers takes.
TEST_F(Fallback, AsManyLayersAsFitAreChosen) {
    WB_NEED_SHARED("arch");
    const auto graph = infer::planGraph(ArchModel::open("llama").model);
    ASSERT_TRUE(graph);
    const infer::EngineOptions options{.context = 64};
    const std::uint64_t all = graph->layers.size() + 1;
    for (std::uint64_t layers = 1; layers <= all; ++layers) {
        const auto memory = planDeviceMemory(*graph, options, layers, device->info());
        ASSERT_TRUE(memory) << memory.error().message();
        const std::uint64_t needed = memory->total() + Arena::chunkBytes;
        EXPECT_EQ(fittingLayers(*graph, options, device->info(), needed), layers);
        EXPECT_EQ(fittingLayers(*graph, options, device->info(), needed - 1), layers - 1);
    }
    EXPECT_EQ(fittingLayers(*graph, options, device->info(), 0), 0u);
    EXPECT_EQ(fittingLayers(*graph, options, device->info(), ~0ull), all);
    const auto placed = compute::makeInference(test::chosen(device))->place(*graph, options);
    ASSERT_TRUE(placed) << placed.error().message();
    EXPECT_EQ(placed->gpuLayers, graph->layers.size() + 1);
    EXPECT_EQ(placed->device, device->info().option());
    EXPECT_EQ(placed->deviceName, device->info().name);
    EXPECT_GT(placed->deviceFree, 0u);
}

// Each part of the plan equals what the engine claims on the device, and in RAM for the layers before.
TEST_F(Fallback, ClaimsWhatWasPlanned) {
    WB_NEED_SHARED("arch");
    const auto graph = infer::planGraph(ArchModel::open("llama").model);
    ASSERT_TRUE(graph);
    const auto backend = compute::makeInference(test::chosen(device));
    for (const std::uint64_t layers : {std::uint64_t{2}, graph->layers.size() + 1}) {
        const infer::EngineOptions options{.threads = 1, .context = 64, .gpuLayers = layers};
        const auto placed = backend->place(*graph, options);
        ASSERT_TRUE(placed) << placed.error().message();
        const auto engine = backend->load(*graph, *placed, {});
        ASSERT_TRUE(engine) << engine.error().message();
        const infer::EngineMemory claimed = (*engine)->load().device;
        EXPECT_EQ(placed->deviceMemory.weights, claimed.weights);
        EXPECT_EQ(placed->deviceMemory.keys, claimed.keys);
        EXPECT_EQ(placed->deviceMemory.values, claimed.values);
        EXPECT_EQ(placed->deviceMemory.compute, claimed.compute);
        EXPECT_GT(claimed.total(), 0u);
        EXPECT_EQ(placed->main.total(), (*engine)->load().memory.total());
    }
}

// What the user was shown is what is loaded, whatever has changed since.
TEST_F(Fallback, LoadsAsItWasPlaced) {
    WB_NEED_SHARED("arch");
    const auto graph = infer::planGraph(ArchModel::open("llama").model);
    ASSERT_TRUE(graph);
    const auto backend = compute::makeInference(test::chosen(device));
    auto placed = backend->place(*graph, {.threads = 1, .context = 64});
    ASSERT_TRUE(placed) << placed.error().message();
    for (const std::uint64_t layers : {std::uint64_t{2}, std::uint64_t{0}}) {
        placed->gpuLayers = layers;
        const auto engine = backend->load(*graph, *placed, {});
        ASSERT_TRUE(engine) << engine.error().message();
        EXPECT_EQ((*engine)->gpuLayers(), layers);
    }
}

TEST_F(Fallback, AContextBeyondTheModelIsRefusedWhenItIsPlaced) {
    WB_NEED_SHARED("arch");
    const auto graph = infer::planGraph(ArchModel::open("llama").model);
    ASSERT_TRUE(graph);
    for (const std::uint64_t layers : {std::uint64_t{0}, std::uint64_t{2}}) {
        const auto placed =
            compute::makeInference(test::chosen(device))->place(*graph, {.context = graph->context + 1, .gpuLayers = layers});
        ASSERT_FALSE(placed) << layers;
        EXPECT_STREQ(placed.error().reason.id(), "infer.context");
    }
}

// Without a named device software ones are not used, and nothing is said of it; unless layers were asked for.
TEST_F(Fallback, AutomaticallyNoSoftwareDeviceIsUsed) {
    WB_NEED_SHARED("arch");
    if (!device->info().software()) GTEST_SKIP() << "a real device";
    const auto graph = infer::planGraph(ArchModel::open("llama").model);
    const auto backend = compute::makeInference(compute::ComputeDevice());
    const auto engine = loadOn(*backend, *graph, {.threads = 1, .context = 64});
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->device(), "cpu");
    EXPECT_TRUE(engine->remarks().empty());
    const auto asked = loadOn(*backend, *graph, {.threads = 1, .context = 64, .gpuLayers = 2});
    ASSERT_TRUE(asked);
    expectOnProcessor(*asked, "device.none");
}

} // namespace
} // namespace wb::gpu
