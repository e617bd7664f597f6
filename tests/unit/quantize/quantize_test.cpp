// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/model/tensor_reader.h"
#include "core/quant/quantize.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <limits>

namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

fs::path part(const fs::path& target) { return fs::path(target) += ".part"; }
fs::path journal(const fs::path& target) { return fs::path(target) += ".part.journal"; }

TEST(Quantize, PlanSaysWhatTheFileBecomes) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 2), quant::FileType::Q4_K_M);
    const auto target = folder.path() / "out.gguf";
    const auto outcome = runQuantize(plan, target, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    const ModelPtr written = openStrict(target);
    ASSERT_TRUE(written);
    EXPECT_EQ(fs::file_size(target), plan.fileBytes());
    ASSERT_EQ(written->tensors.size(), plan.tensors.size());
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) EXPECT_EQ(written->tensors[i].dtype, plan.tensors[i].to);
    EXPECT_EQ(*written->metadata.find("my.own.key")->string(), "kept");
    EXPECT_EQ(*written->metadata.find("general.file_type")->unsignedNumber(), 15u);
    EXPECT_FALSE(fs::exists(part(target)));
    EXPECT_FALSE(fs::exists(journal(target)));
}

TEST(Quantize, ARuleThatMatchesNothingIsToldOf) {
    const test::TemporaryFolder folder;
    QuantizeRequest request;
    request.mix.rules = {{"attn_v", Dtype::Q8_0}, {"nosuch", Dtype::Q8_0}, {"FFN_UP", Dtype::Q8_0}};
    const auto plan = planQuantize(openStrict(writeSmallModel(folder, 1)), request);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto isUnmatched = [](const Problem& problem) { return problem.code == Reason("quantize.rule_unmatched"); };
    ASSERT_EQ(std::ranges::count_if(plan->problems, isUnmatched), 1);
    EXPECT_EQ(std::ranges::find_if(plan->problems, isUnmatched)->arguments.front(), "nosuch");
}

TEST(Quantize, ErrorsAreThoseOfTheWrittenValues) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0);
    const auto outcome = runQuantize(plan, folder.path() / "out.gguf", {}, {});
    ASSERT_TRUE(outcome);
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        if (plan.tensors[i].copied()) continue;
        EXPECT_GT(outcome->errors[i].rmse, 0);
        EXPECT_LT(*outcome->errors[i].relativeRmse, 0.01);
        EXPECT_GT(*outcome->errors[i].cosine, 0.9999);
    }
}

TEST(Quantize, TheFileDoesNotDependOnThreads) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 3), quant::FileType::Q5_K_M);
    ASSERT_TRUE(runQuantize(plan, folder.path() / "one.gguf", {1, false, false}, {}));
    ASSERT_TRUE(runQuantize(plan, folder.path() / "seven.gguf", {7, false, false}, {}));
    EXPECT_EQ(test::readFile(folder.path() / "one.gguf"), test::readFile(folder.path() / "seven.gguf"));
}

// Stops after a few items, then goes on: the second run takes over what the first one finished.
TEST(Quantize, CanceledWorkGoesOn) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 6), quant::FileType::Q4_K_M);
    const auto target = folder.path() / "out.gguf";
    std::stop_source stop;
    std::atomic<int> calls{0};
    const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) {
                                if (++calls == 5) stop.request_stop();
                            }};
    const auto first = runQuantize(plan, target, {1, false, false}, progress);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::Canceled);
    EXPECT_FALSE(fs::exists(target));
    ASSERT_TRUE(fs::exists(part(target)));
    const auto second = runQuantize(plan, target, {}, {});
    ASSERT_TRUE(second) << second.error().message();
    EXPECT_GE(second->resumedItems, 4u);
    ASSERT_TRUE(runQuantize(plan, folder.path() / "straight.gguf", {}, {}));
    EXPECT_EQ(test::readFile(target), test::readFile(folder.path() / "straight.gguf"));
}

// A line that a crash cut in the middle is not believed.
TEST(Quantize, ACutJournalIsRedone) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 2), quant::FileType::Q8_0);
    const auto target = folder.path() / "out.gguf";
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }};
    ASSERT_FALSE(runQuantize(plan, target, {1, false, false}, progress));
    fs::resize_file(journal(target), fs::file_size(journal(target)) - 7);
    const auto second = runQuantize(plan, target, {}, {});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->resumedItems, 0u);
}

TEST(Quantize, AJournalOfAnotherJobIsNotContinued) {
    const test::TemporaryFolder folder;
    const auto model = writeSmallModel(folder, 2);
    const auto target = folder.path() / "out.gguf";
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }};
    ASSERT_FALSE(runQuantize(planFile(model, quant::FileType::Q8_0), target, {1, false, false}, progress));
    const auto other = runQuantize(planFile(model, quant::FileType::Q6_K), target, {}, {});
    ASSERT_TRUE(other);
    EXPECT_EQ(other->resumedItems, 0u);
}

// Rows longer than an item are worked on in parts, but for those whose blocks depend on each other: one part or many, the bytes are
// the same as those of the whole row.
TEST(Quantize, LongRowsAreTheSameInParts) {
    constexpr std::uint64_t length = (1 << 20) + 1280;
    const test::TemporaryFolder folder;
    const auto path =
        writeModel(folder, "long.gguf",
                   {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)},
                   {{"blk.0.ffn_up.weight", *Shape::make({2, length}), Dtype::F32},
                    {"output_norm.weight", *Shape::make({length + 1}), Dtype::F32}});
    std::vector<float> weights(length);
    float weight = 0.5F;
    for (float& value : weights) value = weight = weight > 3 ? 0.5F : weight * 1.01F;
    const auto matrix = makeMatrix(folder, "m.dat", {{"blk.0.ffn_up.weight", weights}});
    const ModelPtr model = openStrict(path);
    std::vector<std::byte> scratch;
    std::vector<float> row(length);
    for (const auto type : {quant::FileType::Q4_K_S, quant::FileType::Q4_0, quant::FileType::IQ4_NL}) {
        QuantizeRequest request;
        request.mix.fileType = type;
        request.mix.pure = true;
        request.matrix = matrix;
        const auto plan = planQuantize(model, request);
        ASSERT_TRUE(plan);
        const auto target = folder.path() / fmt::format("{}.gguf", quant::info(type).name);
        ASSERT_TRUE(runQuantize(*plan, target, {}, {}));
        const ModelPtr written = openStrict(target);
        const auto found = std::ranges::find(written->tensors, "blk.0.ffn_up.weight", &TensorInfo::name);
        const auto source = std::ranges::find(model->tensors, "blk.0.ffn_up.weight", &TensorInfo::name);
        const auto reader = TensorReader::open(*written, *found);
        std::vector<std::byte> ours(reader->byteCount(length)), truth(ours.size());
        ASSERT_TRUE(reader->readRaw(length, length, ours));
        ASSERT_TRUE(TensorReader::open(*model, *source)->readF32(length, row, scratch));
        quant::quantizeRow(found->dtype, row, weights, truth);
        EXPECT_EQ(ours, truth) << name(found->dtype);
    }
}

void expectRefusal(float poison, quant::FileType type, const char* needle) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 1, poison), type);
    const auto target = folder.path() / "out.gguf";
    const auto outcome = runQuantize(plan, target, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message().find("blk.0.ffn_up.weight"), std::string::npos) << outcome.error().message();
    EXPECT_NE(outcome.error().message().find(needle), std::string::npos) << outcome.error().message();
    EXPECT_FALSE(fs::exists(target));
    EXPECT_FALSE(fs::exists(part(target)));
    EXPECT_FALSE(fs::exists(journal(target)));
}

TEST(Quantize, RefusesNaN) { expectRefusal(std::numeric_limits<float>::quiet_NaN(), quant::FileType::Q4_K_M, "NaN or infinite"); }
TEST(Quantize, RefusesInfinity) { expectRefusal(std::numeric_limits<float>::infinity(), quant::FileType::Q8_0, "NaN or infinite"); }
TEST(Quantize, RefusesValuesBeyondF16) { expectRefusal(1e6f, quant::FileType::F16, "outside the range"); }
TEST(Quantize, RefusesScalesBeyondF16) { expectRefusal(1e9f, quant::FileType::Q8_0, "outside the range"); }
TEST(Quantize, RefusesSumsBeyondF32) { expectRefusal(1e21f, quant::FileType::IQ3_S, "outside the range"); }

// Their sums overflow, and the blocks that come of it hold zeros without a bad scale.
TEST(Quantize, RefusesWhatWouldBecomeZeros) {
    for (const auto type : {quant::FileType::Q3_K_S, quant::FileType::Q6_K, quant::FileType::IQ4_XS})
        expectRefusal(1e30f, type, "outside the range");
}

// Their block would get the exponent that stands for no number, in a file that nobody reads.
TEST(Quantize, RefusesWhatHasNoExponent) {
    const test::TemporaryFolder folder;
    const auto path =
        writeModel(folder, "tiny.gguf",
                   {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)},
                   {{"blk.0.ffn_up.weight", *Shape::make({32, 32}), Dtype::F32}});
    auto bytes = test::readFile(path);
    for (std::size_t at = bytes.size() - 4096; at < bytes.size(); at += 4) {
        const float value = 0x1.8p-126f;
        std::memcpy(&bytes[at], &value, sizeof value);
    }
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    QuantizeRequest request;
    request.types = {{"blk.0.ffn_up.weight", Dtype::MXFP4}};
    const auto plan = planQuantize(openStrict(path), request);
    ASSERT_TRUE(plan);
    const auto outcome = runQuantize(*plan, folder.path() / "out.gguf", {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message().find("outside the range of MXFP4"), std::string::npos) << outcome.error().message();
}

// A tensor that is quantized otherwise is not called one that never is.
TEST(Quantize, SaysWhatATensorCannotBecome) {
    const test::TemporaryFolder folder;
    const auto model = openStrict(writeSmallModel(folder, 1));
    QuantizeRequest request;
    request.types = {{"blk.0.ffn_up.weight", Dtype::I32}};
    const auto plan = planQuantize(model, request);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message(), "blk.0.ffn_up.weight cannot be quantized to I32, which is not a target type.");
}

TEST(Quantize, KeepsAnExistingTarget) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0);
    const auto target = folder.file("out.gguf", "precious");
    const auto outcome = runQuantize(plan, target, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(test::readFile(target), test::toBytes("precious"));
    EXPECT_TRUE(runQuantize(plan, target, {0, true, false}, {}));
    EXPECT_EQ(fs::file_size(target), plan.fileBytes());
}

TEST(Quantize, NeverOverwritesItsSource) {
    const test::TemporaryFolder folder;
    const auto model = writeSmallModel(folder, 1);
    const auto before = test::readFile(model);
    const QuantizePlan plan = planFile(model, quant::FileType::Q8_0);
    EXPECT_FALSE(runQuantize(plan, model, {0, true, false}, {}));
    EXPECT_EQ(test::readFile(model), before);
}

TEST(Quantize, AMissingMatrixIsAProblemOfThePlan) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeSmallModel(folder, 1), quant::FileType::IQ2_XS);
    EXPECT_FALSE(plan.canExecute());
    EXPECT_GT(plan.fileBytes(), 0u);
    EXPECT_FALSE(runQuantize(plan, folder.path() / "out.gguf", {}, {}));
}

TEST(Quantize, AMatrixOfWhichAFilterLeavesNothingIsNone) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1));
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::IQ4_XS;
    const auto without = planQuantize(model, request);
    request.matrix = std::make_shared<const quant::Imatrix>(quant::Imatrix{"m.dat", {}, 3, {}});
    const auto filtered = planQuantize(model, request);
    ASSERT_TRUE(without && filtered);
    EXPECT_EQ(filtered->files[0].header, without->files[0].header);
    ASSERT_EQ(filtered->problems.size(), 1u);
    EXPECT_STREQ(filtered->problems[0].code.id(), "quantize.matrix_empty");
}

TEST(Quantize, RefusesQuantizedSourcesUnlessAllowed) {
    const test::TemporaryFolder folder;
    const auto q8 = folder.path() / "q8.gguf";
    ASSERT_TRUE(runQuantize(planFile(writeSmallModel(folder, 1), quant::FileType::Q8_0), q8, {}, {}));
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q4_K_M;
    EXPECT_FALSE(planQuantize(openStrict(q8), request));
    request.allowRequantize = true;
    EXPECT_TRUE(planQuantize(openStrict(q8), request));
}

} // namespace
} // namespace wb::quantize
