// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_check.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/convert/run/work_files.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

// The engine of the CPU, which gets the last byte of one call wrong.
class WrongOnce : public quant::Backend {
public:
    explicit WrongOnce(int call) : m_left(call) {}
    std::string name() const override { return "cpu"; }
    std::uint64_t bestValues() const override { return 256; } // so that a call is a row of the small model
    Result<void> quantize(Dtype dtype, const quant::Rows& rows, std::span<std::byte> out) override {
        WB_TRY(m_cpu->quantize(dtype, rows, out));
        if (m_left-- == 0) out.back() ^= std::byte{1};
        return {};
    }

private:
    int m_left;
    std::unique_ptr<quant::Backend> m_cpu = quant::makeCpuBackend();
};

Result<convert::Outcome> runWrongly(const QuantizePlan& plan, const fs::path& target, int call, run::Verify verify) {
    const auto backend = std::make_shared<WrongOnce>(call);
    convert::RunOptions options;
    options.threads = 1;
    options.backend = [backend] { return std::shared_ptr<quant::Backend>(backend); };
    options.verify = verify;
    return runQuantize(plan, target, options, {});
}

// A matrix of 4096 rows of 256 columns: a sample does not reach its middle.
fs::path tallModel(const test::TemporaryFolder& folder) {
    return writeModel(folder, "tall.gguf",
                      {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u),
                       gguf::makePair("llama.attention.head_count", 4u)},
                      {{"blk.0.ffn_up.weight", *Shape::make({4096, 256}), Dtype::F32}});
}

TEST(QuantizeCheck, FindsWhatIsNotWhatTheSourceGives) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(tallModel(folder), quant::FileType::Q8_0);
    const fs::path target = folder.path() / "out.gguf";
    ASSERT_TRUE(runWrongly(plan, target, 0, run::Verify::None));
    fs::remove(target);
    for (const int call : {0, 4095}) {
        const auto run = runWrongly(plan, target, call, run::Verify::Sample);
        ASSERT_FALSE(run) << call;
        EXPECT_EQ(run.error().reason, run::writtenDiffers);
        EXPECT_NE(run.error().message().find("blk.0.ffn_up.weight"), std::string::npos) << run.error().message();
        EXPECT_FALSE(fs::exists(target));
        EXPECT_FALSE(fs::exists(run::journalPath(target))) << "what is wrong is not kept";
    }
    EXPECT_FALSE(runWrongly(plan, target, 2000, run::Verify::All));
    EXPECT_TRUE(runWrongly(plan, target, 2000, run::Verify::Sample)) << "the middle is not in a sample";
}

TEST(QuantizeCheck, SamplesBothEndsOfEveryTensor) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(tallModel(folder), quant::FileType::Q8_0);
    const auto items = workItems(plan, 1 << 18);
    ASSERT_EQ(items.size(), 4u);
    const auto sample = checkedItems(plan, items, run::Verify::Sample);
    ASSERT_EQ(sample.size(), 2u);
    EXPECT_EQ(sample[0].first, 0u);
    EXPECT_EQ(sample[1].first + sample[1].elements(), 4096u * 256);
    EXPECT_EQ(sample[0].elements(), 1u << 16);
    EXPECT_EQ(checkedItems(plan, items, run::Verify::All).size(), items.size());
    const QuantizePlan small = planFile(writeSmallModel(folder, 1), quant::FileType::Q4_K_M);
    const auto whole = workItems(small, 1 << 18);
    EXPECT_EQ(checkedItems(small, whole, run::Verify::Sample).size(), whole.size()) << "a small tensor is looked at once";
}

// With a matrix of importance and in parts of a row, too, the sources give the same again.
TEST(QuantizeCheck, PassesWhatIsRight) {
    const test::TemporaryFolder folder;
    for (const quant::FileType type : {quant::FileType::Q4_K_M, quant::FileType::IQ4_XS, quant::FileType::BF16}) {
        const QuantizePlan plan = planFile(writeSmallModel(folder, 2), type);
        convert::RunOptions options;
        options.replace = true;
        options.verify = run::Verify::All;
        const auto done = runQuantize(plan, folder.path() / "out.gguf", options, {});
        EXPECT_TRUE(done) << done.error().message();
    }
}

} // namespace
} // namespace wb::quantize
