// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"
#include "tests/gpu/infer/infer_test.h"

// How often a token waits for an earlier step of its layer. Each wait costs a card 2 to 4 microseconds, however small the step
// (docs/reference/inference.md).
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
        LayerRecorder operations(*device, recorder, buffers, *graph, options, fast, {buffers.batch, 1});
        for (std::size_t layer = 0; layer < graph->layers.size(); ++layer) {
            const bool isLast = layer + 1 == graph->layers.size();
            EXPECT_TRUE(operations.record(graph->layers[layer], isLast ? nullptr : &graph->layers[layer + 1].front()));
            waits.push_back(recorder.waits());
        }
        EXPECT_TRUE(recorder.finish());
        return waits.at(1) - waits.at(0);
    }
};

// A token of llama waits for: norm and codes; q, k, v; rotation and storing; attention and codes; output; norm and codes; gate and
// up; activation and codes; down.
TEST_F(Levels, OfATokenAreFew) {
    WB_NEED_SHARED("arch");
    const FastTypes fast{{{Dtype::Q8_0, FastForm::Float, true}}, true};
    EXPECT_EQ(waits("llama-k256", {}, quant::FileType::Q8_0), 9u);
    EXPECT_EQ(waits("llama-k256", fast, quant::FileType::Q8_0), 9u);
    EXPECT_EQ(waits("llama", fast, quant::FileType::Q8_0), 10u); // heads of 16 numbers share codes
    EXPECT_EQ(waits("qwen3", fast, quant::FileType::Q8_0), 10u); // and the norms of queries and keys
}

// With follow-ups: q, k, v, rotated and stored; attention; output, norm and codes; gate and up, activation and codes; down, and
// the norm and codes of the next layer.
TEST_F(Levels, AreHalfWithFollowUps) {
    WB_NEED_SHARED("arch");
    const FastTypes exact{.followUps = true}, fast{{{Dtype::Q8_0, FastForm::Float, true}}, true, true};
    for (const FastTypes& types : {exact, fast})
        for (const char* const name : {"llama-k256", "qwen3", "gemma3"})
            EXPECT_EQ(waits(name, types, quant::FileType::Q8_0), 5u) << name;
    EXPECT_EQ(waits("llama-k256", exact, quant::FileType::F16), 5u);
    EXPECT_EQ(waits("llama", exact, quant::FileType::Q8_0), 6u);
    EXPECT_EQ(waits("qwen3moe", exact, quant::FileType::Q8_0), 11u); // the experts are as before
}

} // namespace
} // namespace wb::gpu
