// SPDX-License-Identifier: MIT
#include "core/base/size.h"
#include "core/convert/quantize/budget_plan.h"
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

TEST(PlanBudget, FitsAndLosesNoMoreThanTheStockMix) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 3));
    for (const std::uint64_t budget : {320'000u, 520'000u}) {
        const auto found = planBudget(model, {}, budget, {}, {});
        ASSERT_TRUE(found) << found.error().message();
        EXPECT_LE(found->plan.fileBytes(), budget);
        ASSERT_TRUE(found->stock);
        EXPECT_LE(found->stock->bytes, budget);
        EXPECT_LE(found->error, found->stockError);
        const auto target = folder.path() / "out.gguf";
        ASSERT_TRUE(runQuantize(found->plan, target, {0, true}, {}));
        EXPECT_EQ(fs::file_size(target), found->plan.fileBytes());
    }
}

// Other programs show general.file_type, and inspect finds fault with one that names a type no tensor has.
TEST(PlanBudget, NamesTheFileAfterTypesThatItHas) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 3));
    std::set<quant::FileType> named;
    for (std::uint64_t budget = 250'000; budget <= 700'000; budget += 25'000) {
        const auto found = planBudget(model, {}, budget, {}, {});
        ASSERT_TRUE(found) << found.error().message();
        const Dtype base = quant::info(found->plan.fileType).base;
        std::map<Dtype, std::uint64_t> bytes;
        for (const PlannedTensor& tensor : found->plan.tensors) bytes[tensor.to] += tensor.bytes;
        EXPECT_TRUE(bytes.contains(base)) << budget << " is called " << quant::info(found->plan.fileType).name;
        const auto& types = found->request.types;
        const bool isStock = found->stock &&
                             std::ranges::all_of(found->plan.tensors,
                                                 [&](const PlannedTensor& tensor) {
                                                     return types.at(model->tensors[tensor.source].name) == tensor.to;
                                                 }) &&
                             found->plan.fileType == found->stock->type;
        if (!isStock) {
            for (const auto& [type, size] : bytes) EXPECT_LE(size, bytes[base]) << budget;
        }
        named.insert(found->plan.fileType);
        const auto target = folder.path() / "out.gguf";
        ASSERT_TRUE(runQuantize(found->plan, target, {0, true}, {}));
        EXPECT_EQ(openStrict(target)->metadata.find("general.file_type")->unsignedNumber(),
                  quant::info(found->plan.fileType).value);
    }
    EXPECT_GT(named.size(), 2u) << "other sizes have other names";
}

TEST(FileType, AroundATypeIsOneWithThatBase) {
    EXPECT_EQ(quant::fileTypeAround(Dtype::Q4_K), quant::FileType::Q4_K_M);
    EXPECT_EQ(quant::fileTypeAround(Dtype::IQ2_S), quant::FileType::IQ2_M);
    EXPECT_EQ(quant::fileTypeAround(Dtype::IQ4_XS), quant::FileType::IQ4_XS);
    EXPECT_EQ(quant::fileTypeAround(Dtype::I32), std::nullopt);
    for (const quant::FileTypeInfo& row : quant::allFileTypes())
        EXPECT_EQ(quant::info(quant::fileTypeAround(row.base).value()).base, row.base) << row.name;
}

// Σe² of a tensor, as the job reports it.
double squaredError(const QuantizePlan& plan, const convert::Outcome& outcome) {
    double sum = 0;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const double elements = static_cast<double>(plan.model->tensors[plan.tensors[i].source].shape.elements());
        sum += outcome.errors[i].rmse * outcome.errors[i].rmse * elements;
    }
    return sum;
}

TEST(PlanBudget, MeasuringEveryRowForetellsTheJob) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 3));
    quant::BudgetOptions samples;
    samples.sampledElements = 1 << 12;
    quant::BudgetOptions exact;
    exact.sampledElements = 0;
    const auto estimated = planBudget(model, {}, 400'000, samples, {});
    std::uint64_t last = 0;
    std::uint64_t total = 0;
    bool isRising = true;
    const Progress progress{{}, [&](std::uint64_t done, std::uint64_t all) {
                                isRising &= done >= last && done <= all;
                                last = done;
                                total = all;
                            }};
    const auto measured = planBudget(model, {}, 400'000, exact, progress);
    ASSERT_TRUE(estimated && measured);
    EXPECT_FALSE(estimated->exact);
    EXPECT_TRUE(measured->exact);
    EXPECT_TRUE(isRising);
    EXPECT_EQ(last, total);
    const auto outcome = runQuantize(measured->plan, folder.path() / "exact.gguf", {}, {});
    ASSERT_TRUE(outcome);
    const double told = squaredError(measured->plan, *outcome);
    EXPECT_NEAR(measured->error, told, told * 1e-12);
    const auto other = runQuantize(estimated->plan, folder.path() / "estimated.gguf", {}, {});
    ASSERT_TRUE(other);
    EXPECT_GT(std::abs(estimated->error - squaredError(estimated->plan, *other)), told * 1e-9) << "a sample is no more than that";
    EXPECT_LE(told, squaredError(estimated->plan, *other) * 1.0001);
}

// A file that counts how often it is read from its beginning, as whoever wants the stored metadata does.
class CountingSource final : public io::ByteSource {
public:
    explicit CountingSource(const std::filesystem::path& path) : m_file(*io::FileSource::open(path)) {}
    std::uint64_t size() const override { return m_file->size(); }
    const std::string& name() const override { return m_file->name(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (offset == 0) ++beginnings;
        return m_file->readAt(offset, out);
    }

    mutable std::atomic<int> beginnings = 0;

private:
    std::shared_ptr<io::FileSource> m_file;
};

// Metadata may take hundreds of megabytes, and there are two dozen mixes.
TEST(PlanBudget, ReadsTheMetadataAFewTimesOnly) {
    const test::TemporaryFolder folder;
    Model model = *openStrict(writeSmallModel(folder, 1));
    const auto source = std::make_shared<CountingSource>(model.path);
    model.files[0].source = source;
    ASSERT_TRUE(planBudget(std::make_shared<const Model>(model), {}, 300'000, {}, {}));
    EXPECT_GT(source->beginnings, 0);
    EXPECT_LE(source->beginnings, 3);
}

TEST(PlanBudget, ForetellsTheSizeOfTheStockMix) {
    const test::TemporaryFolder folder;
    for (const bool keepSplit : {false, true}) {
        const ModelPtr model = openStrict(writeSplitModel(folder, 2, 3));
        QuantizeRequest request;
        request.keepSplit = keepSplit;
        request.prune = {1};
        const auto found = planBudget(model, request, 200'000, {}, {});
        ASSERT_TRUE(found && found->stock);
        request.mix.fileType = found->stock->type;
        const auto plan = planQuantize(model, request);
        ASSERT_TRUE(plan);
        EXPECT_EQ(found->stock->bytes, plan->fileBytes());
    }
}

TEST(PlanBudget, CanBeStoppedBeforeItMeasures) {
    const test::TemporaryFolder folder;
    std::stop_source stop;
    stop.request_stop();
    const auto canceled = planBudget(openStrict(writeSmallModel(folder, 1)), {}, 10'000, {}, {stop.get_token(), {}});
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled) << "though this size is impossible";
}

// The stock mix measured on every row is the stock mix' own error.
TEST(PlanBudget, ForetellsTheStockMixToo) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2));
    quant::BudgetOptions exact;
    exact.sampledElements = 0;
    const auto found = planBudget(model, {}, 300'000, exact, {});
    ASSERT_TRUE(found && found->stock);
    QuantizeRequest request;
    request.mix.fileType = found->stock->type;
    const auto plan = planQuantize(model, request);
    ASSERT_TRUE(plan);
    const auto outcome = runQuantize(*plan, folder.path() / "stock.gguf", {}, {});
    ASSERT_TRUE(outcome);
    EXPECT_NEAR(found->stockError, squaredError(*plan, *outcome), found->stockError * 1e-12);
}

TEST(PlanBudget, MeasuringEveryRowCanBeStopped) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 3));
    quant::BudgetOptions exact;
    exact.sampledElements = 0;
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&](std::uint64_t done, std::uint64_t) {
                                if (done > 0) stop.request_stop();
                            }};
    const auto canceled = planBudget(model, {}, 400'000, exact, progress);
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled);
}

TEST(PlanBudget, RulesGiveTheSameFile) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 3));
    const auto found = planBudget(model, {}, 400'000, {}, {});
    ASSERT_TRUE(found);
    QuantizeRequest request;
    request.mix.fileType = found->plan.fileType;
    request.mix.rules = found->rules;
    const auto plan = planQuantize(model, request);
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_EQ(plan->files[0].header, found->plan.files[0].header);
}

TEST(PlanBudget, KeepsWhatIsNeverQuantized) {
    const test::TemporaryFolder folder;
    const auto found = planBudget(openStrict(writeSmallModel(folder, 2)), {}, 400'000, {}, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->request.types.at("output_norm.weight"), Dtype::F32);
}

// What was asked for outright is not measured against the rest.
TEST(PlanBudget, KeepsTheTypesThatWereAskedFor) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2));
    QuantizeRequest request;
    request.mix.tokenEmbeddingType = Dtype::Q5_0;
    const auto found = planBudget(model, request, 400'000, {}, {});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->request.types.at("token_embd.weight"), Dtype::Q5_0);
    EXPECT_TRUE(std::ranges::any_of(found->rules, [](const auto& rule) { return rule.pattern == "^token_embd\\.weight$"; }));
}

// A value that F16 cannot hold costs no more than that type, for that tensor.
TEST(PlanBudget, LeavesOutTypesThatCannotHoldTheValues) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2, 1e6f));
    for (const std::uint64_t budget : {320'000u, 700'000u, 900'000u}) {
        const auto found = planBudget(model, {}, budget, {}, {});
        ASSERT_TRUE(found) << found.error().message();
        EXPECT_LE(found->plan.fileBytes(), budget);
        EXPECT_TRUE(std::isfinite(found->error));
        EXPECT_TRUE(runQuantize(found->plan, folder.path() / "out.gguf", {0, true}, {}));
    }
    const auto roomy = planBudget(model, {}, fs::file_size(model->path) * 6 / 10, {}, {});
    ASSERT_TRUE(roomy && roomy->stock);
    EXPECT_EQ(roomy->stock->type, quant::FileType::F16);
    EXPECT_TRUE(std::isinf(roomy->stockError)) << "llama-quantize would write infinity";
}

TEST(PlanBudget, NamesTheTensorWhoseValuesNoTypeHolds) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2, std::numeric_limits<float>::quiet_NaN()));
    const auto found = planBudget(model, {}, 400'000, {}, {});
    ASSERT_FALSE(found);
    const auto plan = planFile(model->path, quant::FileType::Q8_0);
    const auto run = runQuantize(plan, folder.path() / "out.gguf", {}, {});
    ASSERT_FALSE(run);
    EXPECT_EQ(found.error().message(), run.error().message()) << "as the run says it";
    EXPECT_EQ(found.error().code, run.error().code);
}

TEST(PlanBudget, NamesTheTensorThatCannotBecomeWhatWasAskedFor) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1, 1e6f));
    const TensorInfo& last =
        *std::ranges::max_element(model->tensors, {}, [](const TensorInfo& tensor) { return *tensor.offset(); });
    const std::vector<Dtype> types = {Dtype::F16};
    const auto costs = quant::measureTypes(*model, last, {}, types, {}, {});
    ASSERT_FALSE(costs);
    EXPECT_NE(costs.error().message().find(last.name + " has values outside the range of F16"), std::string::npos)
        << costs.error().message();
}

// Where the file itself fits nothing is lost.
TEST(PlanBudget, CopiesWhatFits) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2));
    const auto found = planBudget(model, {}, fs::file_size(model->path) + 1000, {}, {});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->error, 0);
    for (const PlannedTensor& tensor : found->plan.tensors) EXPECT_TRUE(tensor.copied());
}

// The size that the refusal names is one that can be had.
TEST(PlanBudget, RefusesTheImpossible) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2));
    std::uint64_t reads = 0;
    const auto impossible = planBudget(model, {}, 10'000, {}, {{}, [&](std::uint64_t, std::uint64_t) { ++reads; }});
    ASSERT_FALSE(impossible);
    EXPECT_EQ(reads, 0u) << "known before anything is measured";
    const auto least = parseSize(impossible.error().arguments.at(2));
    ASSERT_TRUE(least);
    EXPECT_TRUE(planBudget(model, {}, *least * 101 / 100, {}, {}));
    EXPECT_FALSE(planBudget(model, {}, *least * 99 / 100, {}, {}));
    std::stop_source stop;
    stop.request_stop();
    const auto canceled = planBudget(model, {}, 400'000, {}, {stop.get_token(), {}});
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::quantize
