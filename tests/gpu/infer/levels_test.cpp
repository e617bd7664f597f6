// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"
#include "tests/gpu/infer/infer_test.h"

// How often a token waits for an earlier step of its layer. Each wait costs a card 2 to 4 microseconds, however small the step
// (docs/performance.md).
namespace wb::gpu {
namespace {

class Levels : public InferTest {
protected:
    // Of the second layer, whose first step waits for the first layer.
    std::size_t waits(const char* name, const FastTypes& fast, quant::FileType type) {
        const test::ArchModel arch = test::ArchModel::open(name);
        const ModelPtr model = inType(arch.model, type);
        const auto graph = infer::planGraph(model);
        EXPECT_TRUE(graph);
        if (!graph) return 0;
        const infer::EngineOptions options{.context = context, .kernels = infer::KernelSet::Fast};
        DeviceBuffers buffers(*graph, options, 0, device->info());
        EXPECT_TRUE(buffers.memory.allocate(device));
        EXPECT_TRUE(buffers.weights.load(device, *model, 2, {}));
        Recorder recorder(device, Replay::Yes);
        std::vector<std::size_t> waits;
        for (const auto& layer : graph->layers) {
            LayerRecorder operations(*device, recorder, buffers, *graph, options, fast, {buffers.batch, 1});
            for (const infer::LayerOp& op : layer) EXPECT_TRUE(std::visit([&](const auto& of) { return operations(of); }, op));
            waits.push_back(recorder.waits());
        }
        EXPECT_TRUE(recorder.finish());
        return waits.at(1) - waits.at(0);
    }
};

// A token of llama waits for: norm and codes; q, k, v; rotation and storing; attention; codes; output; norm and codes; gate and up;
// activation and codes; down.
TEST_F(Levels, OfATokenAreFew) {
    WB_NEED_SHARED("arch");
    const FastTypes fast{{{Dtype::Q8_0, FastForm::Float, true}}, true};
    EXPECT_EQ(waits("llama", {}, quant::FileType::Q8_0), 10u);
    EXPECT_EQ(waits("llama", fast, quant::FileType::Q8_0), 10u);
    EXPECT_EQ(waits("qwen3", fast, quant::FileType::Q8_0), 11u); // and the norms of queries and keys
}

} // namespace
} // namespace wb::gpu
