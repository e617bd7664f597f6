// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/formats/open.h"
#include "gpu/compute/quantizer.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

// Whole files: what a device writes is what the CPU writes, whose files are held against the reference's elsewhere.
namespace wb::gpu {
namespace {

class GpuFiles : public test::GpuTest {
protected:
    struct Case {
        std::string source; // relative to the reference data
        quant::FileType type;
        bool requantize = false;
    };

    Result<convert::Outcome> quantize(const Case& one, const std::filesystem::path& target, quant::Backend* backend) {
        formats::OpenOptions open;
        open.strictness = formats::Strictness::Strict;
        WB_TRY_ASSIGN(const ModelPtr model, formats::open(test::shared() / one.source, open));
        quantize::QuantizeRequest request;
        request.mix.fileType = one.type;
        request.allowRequantize = one.requantize;
        WB_TRY_ASSIGN(const auto plan, quantize::planQuantize(model, std::move(request)));
        convert::RunOptions options;
        if (backend) options.backend = [backend] { return std::shared_ptr<quant::Backend>(std::shared_ptr<void>(), backend); };
        return quantize::runQuantize(plan, target, options, {});
    }

    void expectSameFile(const Case& one) {
        const auto backend = compute::makeQuantizer(test::chosen(device), 0);
        const auto ours = quantize(one, m_folder.path() / "gpu.gguf", backend.get());
        const auto truth = quantize(one, m_folder.path() / "cpu.gguf", nullptr);
        ASSERT_TRUE(ours) << ours.error().message();
        ASSERT_TRUE(truth) << truth.error().message();
        EXPECT_EQ(ours->device, backend->name());
        EXPECT_TRUE(ours->remarks.empty()) << ours->remarks.front().message();
        EXPECT_EQ(test::readFile(m_folder.path() / "gpu.gguf"), test::readFile(m_folder.path() / "cpu.gguf"));
        ASSERT_EQ(ours->errors.size(), truth->errors.size());
        for (std::size_t t = 0; t < truth->errors.size(); ++t) {
            EXPECT_NEAR(ours->errors[t].rmse, truth->errors[t].rmse, 1e-9 * truth->errors[t].rmse) << t;
            EXPECT_NEAR(ours->errors[t].cosine.value_or(0), truth->errors[t].cosine.value_or(0), 1e-9) << t;
        }
    }

    test::TemporaryFolder m_folder;
};

TEST_F(GpuFiles, ADenseModelIsTheSameFile) {
    WB_NEED_SHARED("golden/quantize_files/dense-gqa.gguf");
    expectSameFile({"golden/quantize_files/dense-gqa.gguf", quant::FileType::Q4_K_M});
}

TEST_F(GpuFiles, AModelOfExpertsIsTheSameFile) {
    WB_NEED_SHARED("golden/quantize_files/moe-8x.gguf");
    expectSameFile({"golden/quantize_files/moe-8x.gguf", quant::FileType::IQ4_XS});
}

TEST_F(GpuFiles, FallbackTypesAreTheSameFile) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    expectSameFile({"corpus/llm/stories260K.gguf", quant::FileType::Q4_K_M, true});
}

// Fewer sets of buffers do.
TEST_F(GpuFiles, AFullDeviceGoesOnWithWhatItHas) {
    WB_NEED_SHARED("golden/quantize_files/dense-gqa.gguf");
    const Case one{"golden/quantize_files/dense-gqa.gguf", quant::FileType::Q8_0};
    const auto backend = compute::makeQuantizer(test::chosen(device), 0);
    test::injectFault(*device, test::Fault::Memory, 3);
    const auto ours = quantize(one, m_folder.path() / "gpu.gguf", backend.get());
    ASSERT_TRUE(ours);
    EXPECT_FALSE(test::isFaulty(*device)) << "it never was full";
    EXPECT_TRUE(ours->remarks.empty()) << ours->remarks.front().message();
}

class GpuFaults : public GpuFiles, public testing::WithParamInterface<test::Fault> {};

// After a reset the driver says that the work is done, which it is not.
TEST_P(GpuFaults, LeaveTheRestToTheCpu) {
    WB_NEED_SHARED("golden/quantize_files/dense-gqa.gguf");
    const Case one{"golden/quantize_files/dense-gqa.gguf", quant::FileType::Q8_0};
    const auto truth = quantize(one, m_folder.path() / "cpu.gguf", nullptr);
    for (const std::uint64_t submissions : {4, 9, 17}) {
        device = *test::testDevice();
        const auto backend = compute::makeQuantizer(test::chosen(device), 0);
        test::injectFault(*device, GetParam(), submissions);
        const auto path = m_folder.path() / fmt::format("gpu{}.gguf", submissions);
        const auto ours = quantize(one, path, backend.get());
        ASSERT_TRUE(ours && truth);
        ASSERT_EQ(ours->remarks.size(), 1u);
        EXPECT_NE(ours->remarks[0].message().find("stopped working"), std::string::npos);
        EXPECT_EQ(test::readFile(path), test::readFile(m_folder.path() / "cpu.gguf")) << submissions;
    }
}

INSTANTIATE_TEST_SUITE_P(LossAndReset, GpuFaults, testing::Values(test::Fault::Lost, test::Fault::Reset));

} // namespace
} // namespace wb::gpu
