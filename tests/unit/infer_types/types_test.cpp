// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/formats/open.h"
#include "core/infer/cpu/panels.h"
#include "core/infer/graph.h"
#include "core/quant/mix/file_type.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>

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
    static ModelPtr open(const std::filesystem::path& path) {
        formats::OpenOptions options;
        options.strictness = formats::Strictness::Strict;
        auto model = formats::open(path, options);
        return model ? *model : nullptr;
    }

    // Importance data in the legacy form, all columns alike: some types are not written without any.
    std::shared_ptr<const quant::Imatrix> evenMatrix(const Model& model) const {
        std::string bytes;
        const auto put = [&bytes](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
        put(static_cast<std::int32_t>(model.tensors.size()));
        for (const TensorInfo& tensor : model.tensors) {
            put(static_cast<std::int32_t>(tensor.name.size()));
            bytes += tensor.name;
            put(std::int32_t{1});
            const auto count = static_cast<std::int32_t>(quant::weightCount(tensor.shape));
            put(count);
            for (std::int32_t i = 0; i < count; ++i) put(1.0F);
        }
        std::ofstream(m_folder.path() / "even.dat", std::ios::binary) << bytes;
        auto matrix = quant::readImatrix(m_folder.path() / "even.dat");
        EXPECT_TRUE(matrix) << matrix.error().message();
        return matrix ? std::make_shared<const quant::Imatrix>(*std::move(matrix)) : nullptr;
    }

    // All matrices in the type.
    ModelPtr inType(const ModelPtr& model, FileType type, const std::string& name) const {
        quantize::QuantizeRequest request;
        request.mix.fileType = type;
        request.mix.pure = true;
        request.allowRequantize = true;
        if (type != FileType::F32) request.matrix = evenMatrix(*model);
        const auto plan = quantize::planQuantize(model, std::move(request));
        EXPECT_TRUE(plan) << plan.error().message();
        if (!plan) return nullptr;
        const auto outcome = quantize::runQuantize(*plan, m_folder.path() / name, {}, {});
        EXPECT_TRUE(outcome) << outcome.error().message();
        return outcome ? open(m_folder.path() / name) : nullptr;
    }

    // Weights keep the bits of their file in memory: at most 1.06 times its bytes for panels of whole rows.
    static void checkMemory(const ModelPtr& model, const Engine& engine) {
        const auto graph = planGraph(model);
        ASSERT_TRUE(graph);
        std::uint64_t stored = 0;
        for (const GraphMatrix& matrix : listWeights(*graph).matrices) {
            const Slice& rows = matrix.linear.weight;
            if (cpu::dtypePanelFormat(rows.tensor->dtype).type == cpu::PanelType::Coded) return; // lattices and ternary types
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
    for (const char* const family : {"qwen3-k256", "llama-k256"}) {
        const ArchModel arch = ArchModel::open(family);
        const ModelPtr model = inType(arch.model, GetParam(), std::string(family) + ".gguf");
        ASSERT_TRUE(model);
        const ModelPtr exact = inType(model, FileType::F32, std::string(family) + "-exact.gguf");
        ASSERT_TRUE(exact);
        const auto truth =
            allLogits(*test::makeEngine(
                          exact, {.threads = 2, .context = 64, .keys = CacheType::F32, .values = CacheType::F32, .scalar = true}),
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
}

// One file type for each type of weights; all matrices are of it.
std::vector<FileType> writtenTypes() {
    std::vector<FileType> types;
    std::set<Dtype> bases;
    for (const auto& info : quant::allFileTypes())
        if (bases.insert(info.base).second) types.push_back(info.type);
    return types;
}

INSTANTIATE_TEST_SUITE_P(All, WeightTypes, testing::ValuesIn(writtenTypes()),
                         [](const auto& type) { return std::string(quant::info(type.param).name); });

} // namespace
} // namespace wb::infer
