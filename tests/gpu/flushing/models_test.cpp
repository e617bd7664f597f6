// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/formats/open.h"
#include "core/tensor/half.h"
#include "gpu/compute/quantizer.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

// Whole files on a device that flushes subnormal numbers: what a job writes is the CPU's file, and it says how many blocks were
// done again.
namespace wb::gpu {
namespace {

// Fills one block of 32 in a hundred with numbers whose products vanish.
void scatterSmallBlocks(const TensorInfo& tensor, std::span<std::byte> file, std::mt19937& random) {
    std::uniform_real_distribution<double> decades(-45, -4);
    const std::size_t bytes = tensor.dtype == Dtype::F16 ? 2 : 4;
    const std::uint64_t elements = tensor.shape.elements(), offset = *tensor.source.place().offset;
    for (std::uint64_t first = 0; first + 32 <= elements; first += 32) {
        if (random() % 100 != 0) continue;
        const double size = std::pow(10.0, decades(random));
        for (std::uint64_t i = first; i < first + 32; ++i) {
            const auto value = static_cast<float>((static_cast<double>(random() % 2001) - 1000) / 1000 * size);
            const std::uint16_t half = f32ToF16(bytes == 2 ? std::copysign(std::max(std::fabs(value), 1.2e-7F), value) : value);
            std::memcpy(&file[offset + i * bytes], bytes == 2 ? static_cast<const void*>(&half) : &value, bytes);
        }
    }
}

class GpuFlushingModels : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        const bool keeps = device && device->keepsSubnormals().value_or(false);
        if (keeps && !device->info().software()) GTEST_SKIP() << device->info().name << " keeps subnormal numbers";
    }

    // A copy of a model of the reference data in which one block in a hundred is tiny.
    std::filesystem::path withSmallBlocks(const char* source) {
        const auto model = formats::open(test::shared() / source);
        EXPECT_TRUE(model) << model.error().message();
        auto bytes = test::readFile(test::shared() / source);
        std::mt19937 random(3);
        for (const TensorInfo& tensor : (*model)->tensors)
            if (tensor.shape.rank() > 1) scatterSmallBlocks(tensor, bytes, random);
        const auto path = m_folder.path() / "small.gguf";
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return path;
    }

    Result<convert::Outcome> quantize(const std::filesystem::path& source, quant::FileType type, const char* target,
                                      const std::shared_ptr<quant::Backend>& backend) {
        formats::OpenOptions open;
        open.strictness = formats::Strictness::Strict;
        WB_TRY_ASSIGN(const ModelPtr model, formats::open(source, open));
        quantize::QuantizeRequest request;
        request.mix.fileType = type;
        WB_TRY_ASSIGN(const auto plan, quantize::planQuantize(model, std::move(request)));
        convert::RunOptions options;
        if (backend) options.backend = [backend] { return backend; };
        return quantize::runQuantize(plan, m_folder.path() / target, options, {});
    }

    void expectTheCpusFile(const char* model, quant::FileType type) {
        const auto source = withSmallBlocks(model);
        const std::shared_ptr<quant::Backend> backend = compute::makeQuantizer(test::chosen(device), 0);
        const auto ours = quantize(source, type, "gpu.gguf", backend);
        const auto truth = quantize(source, type, "cpu.gguf", nullptr);
        ASSERT_TRUE(ours) << ours.error().message();
        ASSERT_TRUE(truth) << truth.error().message();
        EXPECT_EQ(ours->device, backend->name());
        EXPECT_EQ(test::readFile(m_folder.path() / "gpu.gguf"), test::readFile(m_folder.path() / "cpu.gguf"));
        ASSERT_EQ(ours->remarks.size(), 1u);
        EXPECT_STREQ(ours->remarks[0].code.id(), "device.redone_blocks") << ours->remarks[0].message();
        EXPECT_EQ(ours->remarks[0].severity, Severity::Note);
        ASSERT_EQ(ours->errors.size(), truth->errors.size());
        for (std::size_t t = 0; t < truth->errors.size(); ++t)
            EXPECT_NEAR(ours->errors[t].rmse, truth->errors[t].rmse, 1e-9 * truth->errors[t].rmse) << t;
    }

    test::TemporaryFolder m_folder;
};

TEST_F(GpuFlushingModels, SuperBlocksAreTheCpusFile) {
    WB_NEED_SHARED("golden/quantize_files/dense-gqa.gguf");
    expectTheCpusFile("golden/quantize_files/dense-gqa.gguf", quant::FileType::Q3_K_M);
}

TEST_F(GpuFlushingModels, BlocksOf32AreTheCpusFile) {
    WB_NEED_SHARED("golden/quantize_files/odd-rows.gguf");
    expectTheCpusFile("golden/quantize_files/odd-rows.gguf", quant::FileType::Q4_K_M);
}

TEST_F(GpuFlushingModels, WithoutSmallBlocksNothingIsDoneAgain) {
    WB_NEED_SHARED("golden/quantize_files/dense-gqa.gguf");
    const std::shared_ptr<quant::Backend> backend = compute::makeQuantizer(test::chosen(device), 0);
    const auto ours =
        quantize(test::shared() / "golden/quantize_files/dense-gqa.gguf", quant::FileType::Q4_K_M, "gpu.gguf", backend);
    ASSERT_TRUE(ours) << ours.error().message();
    EXPECT_TRUE(ours->remarks.empty()) << ours->remarks[0].message();
}

} // namespace
} // namespace wb::gpu
