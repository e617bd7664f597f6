// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/quant/whatif/what_if.h"
#include "gpu/compute/quantizer.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

namespace wb::gpu {
namespace {

using GpuWhatIf = test::GpuTest;

TEST_F(GpuWhatIf, FindsWhatTheCpuFinds) {
    WB_NEED_SHARED("golden/quantize_files/moe-8x.gguf");
    const auto model = formats::open(test::shared() / "golden/quantize_files/moe-8x.gguf");
    ASSERT_TRUE(model);
    const auto backend = compute::makeQuantizer(test::chosen(device), 0);
    for (const TensorInfo& tensor : (*model)->tensors) {
        if (tensor.name != "blk.0.ffn_down_exps.weight" && tensor.name != "blk.0.attn_q.weight") continue;
        const auto reader = TensorReader::open(**model, tensor);
        ASSERT_TRUE(reader);
        const std::vector<float> weights(tensor.shape.rowLength(), 0.5f);
        for (const Dtype type : {Dtype::Q4_0, Dtype::Q4_K, Dtype::IQ4_XS}) {
            const auto ours = quant::measure(*reader, type, weights,
                                             {.mapRows = 8, .mapColumns = 8, .levels = true, .backend = backend.get()}, {});
            const auto truth = quant::measure(*reader, type, weights, {.mapRows = 8, .mapColumns = 8, .levels = true}, {});
            ASSERT_TRUE(ours && truth) << name(type);
            EXPECT_EQ(ours->device, backend->name());
            EXPECT_EQ(ours->squaredError, truth->squaredError) << name(type);
            EXPECT_EQ(ours->weightedError, truth->weightedError) << name(type);
            EXPECT_EQ(ours->map.cells, truth->map.cells) << name(type);
            EXPECT_EQ(ours->levels, truth->levels) << name(type);
        }
    }
    EXPECT_TRUE(backend->remarks().empty());
}

} // namespace
} // namespace wb::gpu
