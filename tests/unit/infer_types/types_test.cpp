// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/panels.h"
#include "core/infer/graph/graph.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/infer_types/typed_model.h"

#include <gtest/gtest.h>

#include <cstdio>

// A whole model in every type that `wb quantize` writes, against exact arithmetic on the weights that its file holds: the same file
// decoded to F32, computed by the readable kernels with an f32 cache.
namespace wb::infer {
namespace {

using quant::FileType;
using test::allLogits;
using test::ArchModel;
using test::nmse;

class WeightTypes : public testing::TestWithParam<FileType> {
protected:
    ModelPtr inType(const ModelPtr& model, FileType type, const std::string& name) const {
        return test::modelInType(model, type, m_folder.path(), name);
    }

    // Weights keep the bits of their file in memory: at most 1.06 times its bytes for panels of whole rows.
    static void checkMemory(const ModelPtr& model, const Engine& engine) {
        const auto graph = planGraph(model);
        ASSERT_TRUE(graph);
        std::uint64_t stored = 0;
        for (const GraphMatrix& matrix : listWeights(*graph).matrices) {
            const Slice& rows = matrix.linear.weight;
            const std::uint64_t row = *rowBytes(rows.tensor->dtype, rows.tensor->shape.rowLength());
            stored += row * ((rows.count + cpu::panelRows - 1) / cpu::panelRows * cpu::panelRows);
        }
        EXPECT_LE(static_cast<double>(engine.load().bytesPerToken), 1.06 * static_cast<double>(stored));
        EXPECT_GE(engine.load().bytesPerToken, stored);
    }

    test::TemporaryFolder m_folder;
};

TEST_P(WeightTypes, AreMultipliedAsTheFileHoldsThem) {
    WB_NEED_SHARED("arch");
    const std::string typeName = quant::info(GetParam()).name;
    const char* const family = static_cast<int>(GetParam()) % 2 == 0 ? "qwen3-k256" : "llama-k256"; // half the time of both
    const ArchModel arch = ArchModel::open(family);
    const ModelPtr model = inType(arch.model, GetParam(), std::string(family) + ".gguf");
    ASSERT_TRUE(model);
    const ModelPtr exact = inType(model, FileType::F32, std::string(family) + "-exact.gguf");
    ASSERT_TRUE(exact);
    const auto truth = allLogits(
        *test::makeEngine(exact, {.threads = 2, .context = 64, .keys = CacheType::F32, .values = CacheType::F32, .scalar = true}),
        arch.tokens, arch.tokens.size());
    const auto engine = test::makeEngine(model, {.threads = 2, .context = 64});
    ASSERT_TRUE(engine);
    const auto ours = allLogits(*engine, arch.tokens, arch.tokens.size());
    const double error = nmse(ours, truth);
    const bool isFloat = GetParam() == FileType::F32 || GetParam() == FileType::F16 || GetParam() == FileType::BF16;
    EXPECT_LE(error, isFloat ? 1e-4 : 5e-3) << family;
    EXPECT_EQ(allLogits(*engine, arch.tokens, 7), ours) << family;
    checkMemory(model, *engine);
    std::printf("  | %s | %s | %.1e |\n", family, typeName.c_str(), error);
}

INSTANTIATE_TEST_SUITE_P(All, WeightTypes, testing::ValuesIn(test::writtenTypes()),
                         [](const auto& type) { return std::string(quant::info(type.param).name); });

} // namespace
} // namespace wb::infer
