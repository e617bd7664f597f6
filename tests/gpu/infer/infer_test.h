// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_run.h"
#include "core/formats/open.h"
#include "core/infer/session.h"
#include "gpu/compute/inference.h"
#include "gpu/infer/device_buffers.h"
#include "gpu/infer/support.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/infer/reference.h"

namespace wb::gpu {

// Models on the test's device.
class InferTest : public test::GpuTest {
protected:
    static constexpr std::size_t context = 64;

    // The tests of a suite share the device, whose kernels would be compiled again otherwise.
    void SetUp() override {
        GpuTest::SetUp();
        s_kept = device;
    }
    static void TearDownTestSuite() { s_kept.reset(); }

    static ModelPtr open(const std::filesystem::path& path) {
        formats::OpenOptions options;
        options.strictness = formats::Strictness::Strict;
        auto model = formats::open(path, options);
        EXPECT_TRUE(model) << model.error().message();
        return model ? *model : nullptr;
    }

    // The same model in another type of weights, all matrices in it.
    ModelPtr inType(const ModelPtr& model, quant::FileType type) {
        quantize::QuantizeRequest request;
        request.mix.fileType = type;
        request.mix.pure = true;
        request.allowRequantize = true;
        auto plan = quantize::planQuantize(model, std::move(request));
        EXPECT_TRUE(plan) << plan.error().message();
        if (!plan) return nullptr;
        const auto path = m_folder.path() / (std::to_string(m_files++) + ".gguf");
        const auto outcome = quantize::runQuantize(*plan, path, {}, {});
        EXPECT_TRUE(outcome) << outcome.error().message();
        return outcome ? open(path) : nullptr;
    }

    // On the device, with remarks where it is not.
    std::unique_ptr<infer::Engine> load(const ModelPtr& model, infer::EngineOptions options = {}) {
        const auto graph = infer::planGraph(model);
        EXPECT_TRUE(graph) << graph.error().message();
        if (!graph) return nullptr;
        if (options.context == 0) options.context = context;
        options.threads = 2;
        return loadOn(*compute::makeInference(test::chosen(device)), *graph, options);
    }

    static std::unique_ptr<infer::Engine> loadOn(infer::Backend& backend, const infer::Graph& graph,
                                                 const infer::EngineOptions& options) {
        const auto placement = backend.place(graph, options);
        EXPECT_TRUE(placement) << placement.error().message();
        if (!placement) return nullptr;
        auto engine = backend.load(graph, *placement, {});
        EXPECT_TRUE(engine) << engine.error().message();
        return engine ? std::move(*engine) : nullptr;
    }

    std::unique_ptr<infer::Engine> onDevice(const ModelPtr& model, infer::EngineOptions options = {}) {
        auto engine = load(model, options);
        if (!engine) return nullptr;
        EXPECT_EQ(engine->device(), device->info().option());
        for (const Problem& remark : engine->remarks()) ADD_FAILURE() << remark.message();
        return engine;
    }

    std::unique_ptr<infer::Engine> onProcessor(const ModelPtr& model) {
        return test::makeEngine(model, {.threads = 2, .context = context});
    }

    static inline DevicePtr s_kept;
    test::TemporaryFolder m_folder;
    int m_files = 0;
};

} // namespace wb::gpu
