// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_output.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/model/tensor_reader.h"
#include "core/quant/quantize.h"
#include "tests/unit/quantize/child.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <fstream>

// How the values of an importance matrix come from its file into a run.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

constexpr const char* experts = "blk.0.ffn_up_exps.weight";
constexpr const char* plain = "blk.0.ffn_down.weight";

fs::path writeExperts(const test::TemporaryFolder& folder) {
    return writeModel(folder, "in.gguf",
                      {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 1u)},
                      {{experts, *Shape::make({3, 5, 512}), Dtype::F32}, {plain, *Shape::make({4, 256}), Dtype::F32}});
}

// Values that differ from column to column and from matrix to matrix.
std::vector<float> makeWeights(std::size_t count, float factor) {
    std::vector<float> weights;
    for (std::size_t i = 0; i < count; ++i) weights.push_back(factor * static_cast<float>(1 + i * i % 97));
    return weights;
}

std::map<std::string, std::vector<float>> entriesFromFactor(float factor) {
    return {{experts, makeWeights(std::size_t{3} * 512, factor)}, {plain, makeWeights(256, factor)}};
}

QuantizePlan planWith(const fs::path& model, std::shared_ptr<const quant::Imatrix> matrix, quant::FileType type) {
    QuantizeRequest request;
    request.mix.fileType = type;
    request.mix.pure = true;
    request.matrix = std::move(matrix);
    auto plan = planQuantize(openStrict(model), request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message());
    return plan ? *plan : QuantizePlan{};
}

TEST(MatrixOfARun, EveryRowGetsItsOwnColumns) {
    const test::TemporaryFolder folder;
    const auto path = writeExperts(folder);
    const auto entries = entriesFromFactor(1);
    const auto matrix = makeMatrix(folder, "m.dat", entries);
    const ModelPtr model = openStrict(path);
    for (const auto type : {quant::FileType::Q4_K_S, quant::FileType::IQ2_XXS, quant::FileType::Q8_0}) {
        const QuantizePlan plan = planWith(path, matrix, type);
        const auto target = folder.path() / fmt::format("{}.gguf", quant::info(type).name);
        ASSERT_TRUE(runQuantize(plan, target, {}, {}));
        const auto written = test::readFile(target);
        for (const PlannedTensor& planned : plan.tensors) {
            const TensorInfo& tensor = model->tensors[planned.source];
            const std::uint64_t length = tensor.shape.rowLength(), bytes = *rowBytes(planned.to, length);
            const auto reader = TensorReader::open(*model, tensor);
            std::vector<float> row(length);
            std::vector<std::byte> scratch, truth(bytes);
            for (std::uint64_t r = 0; r < tensor.shape.rows(); ++r) {
                ASSERT_TRUE(reader->readF32(r * length, row, scratch));
                quant::quantizeRow(planned.to, row, quant::rowWeights(entries.at(tensor.name), tensor.shape, r), truth);
                EXPECT_TRUE(std::ranges::equal(truth, std::span(written).subspan(planned.offset + r * bytes, bytes)))
                    << tensor.name << " row " << r << " as " << name(planned.to);
            }
        }
    }
}

// A plan tells what a matrix knows of a tensor, whatever becomes of it: another type is chosen after a look at that. What does not
// fit stands in nobody's way as long as it is not used.
TEST(MatrixOfARun, IsKnownOfTensorsThatAreCopiedToo) {
    const test::TemporaryFolder folder;
    const auto path = writeExperts(folder);
    const QuantizePlan fits = planWith(path, makeMatrix(folder, "m.dat", entriesFromFactor(1)), quant::FileType::F32);
    ASSERT_EQ(fits.tensors.size(), 2u);
    for (const PlannedTensor& tensor : fits.tensors) EXPECT_TRUE(tensor.copied() && !tensor.weights.empty());
    const auto other = makeMatrix(folder, "other.dat", {{plain, makeWeights(255, 1)}});
    for (const PlannedTensor& tensor : planWith(path, other, quant::FileType::F32).tensors) EXPECT_TRUE(tensor.weights.empty());
}

TEST(MatrixOfARun, IsAPartOfTheJob) {
    const test::TemporaryFolder folder;
    const auto model = writeExperts(folder);
    const auto fingerprint = [&](const std::shared_ptr<const quant::Imatrix>& matrix) {
        return planJobId(planWith(model, matrix, quant::FileType::Q4_K_S)).value_or(run::JobId()).fingerprint;
    };
    const auto matrix = makeMatrix(folder, "m.dat", entriesFromFactor(1));
    const std::string first = fingerprint(matrix);
    EXPECT_EQ(fingerprint(matrix), first);
    quant::Imatrix filtered = *matrix;
    filtered.entries.erase(plain);
    EXPECT_NE(fingerprint(std::make_shared<const quant::Imatrix>(filtered)), first);
    quant::Imatrix other = *makeMatrix(folder, "n.dat", entriesFromFactor(2));
    other.file = matrix->file;
    EXPECT_NE(fingerprint(std::make_shared<const quant::Imatrix>(other)), first);
}

TEST(MatrixOfARun, MustStayAsItWas) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan =
        planWith(writeExperts(folder), makeMatrix(folder, "m.dat", entriesFromFactor(1)), quant::FileType::Q4_K_S);
    std::ofstream(folder.path() / "m.dat", std::ios::app | std::ios::binary) << "1234";
    const auto outcome = runQuantize(plan, folder.path() / "out.gguf", {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Changed);
    EXPECT_NE(outcome.error().message().find("m.dat"), std::string::npos) << outcome.error().message();
    EXPECT_FALSE(fs::exists(folder.path() / "out.gguf"));
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

std::uint64_t peakResident() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
}

// 64 Mi values, mostly a hole, and a plan made with them.
TEST(MatrixOfARun, TakesNoMemory) {
    const test::TemporaryFolder folder;
    const auto model = writeExperts(folder);
    auto entries = entriesFromFactor(1);
    entries["z"] = {1};
    makeMatrix(folder, "m.dat", entries);
    const auto path = folder.path() / "m.dat";
    constexpr std::int32_t count = 64 << 20;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-8, std::ios::end).write(reinterpret_cast<const char*>(&count), sizeof count);
    file.close();
    fs::resize_file(path, fs::file_size(path) - 4 + std::uint64_t{count} * 4);
    EXPECT_EQ(inChild([&] {
                  const std::uint64_t before = peakResident();
                  auto matrix = quant::readImatrix(path);
                  if (!matrix || matrix->find("z").size() != count) return false;
                  const QuantizePlan plan =
                      planWith(model, std::make_shared<const quant::Imatrix>(std::move(*matrix)), quant::FileType::Q4_K_S);
                  if (!runQuantize(plan, folder.path() / "out.gguf", {}, {})) return false;
                  return before > 0 && peakResident() - before < (32 << 20) && peakMemory(plan, 1) < (32 << 20);
              }),
              0);
}

#endif

} // namespace
} // namespace wb::quantize
