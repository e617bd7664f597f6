// SPDX-License-Identifier: MIT
#include "core/convert/quantize/budget_plan.h"
#include "core/convert/quantize/mix_table.h"
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wb::quantize {
namespace {

quant::BudgetOptions everyRow() {
    quant::BudgetOptions options;
    options.sampledElements = 0;
    return options;
}

const MixRow& rowOf(const MixTable& table, quant::FileType type) { return *std::ranges::find(table.rows, type, &MixRow::type); }

// Σe² and Σw² of the tensors that can be quantized, as a job reports them.
std::pair<double, double> outcomeSums(const QuantizePlan& plan, const convert::Outcome& outcome) {
    double errors = 0, values = 0;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        if (plan.tensors[i].kept) continue;
        const double elements = static_cast<double>(plan.model->tensors[plan.tensors[i].source].shape.elements());
        const double squared = outcome.errors[i].rmse * outcome.errors[i].rmse * elements;
        errors += squared;
        values += squared / std::pow(*outcome.errors[i].relativeRmse, 2);
    }
    return {errors, values};
}

// Size and error of a row are those of the file that the mix makes.
TEST(MixTable, ForetellsTheJobOfEveryMix) {
    const test::TemporaryFolder folder;
    const auto path = writeSmallModel(folder, 2);
    const auto table = compareMixes(openStrict(path), {}, everyRow(), {});
    ASSERT_TRUE(table) << table.error().message();
    EXPECT_TRUE(table->isExact);
    for (const quant::FileType type : {quant::FileType::Q8_0, quant::FileType::Q4_K_M, quant::FileType::Q3_K_S}) {
        const MixRow& row = rowOf(*table, type);
        const QuantizePlan plan = planFile(path, type);
        const auto target = folder.path() / "out.gguf";
        const auto outcome = runQuantize(plan, target, {0, true}, {});
        ASSERT_TRUE(outcome);
        EXPECT_EQ(row.bytes, std::filesystem::file_size(target));
        EXPECT_DOUBLE_EQ(row.bitsPerWeight, plan.bitsPerWeight());
        const auto [errors, values] = outcomeSums(plan, *outcome);
        EXPECT_NEAR(*row.relativeError, std::sqrt(errors / values), 1e-9);
        EXPECT_NEAR(*row.snr, 10 * std::log10(values / errors), 1e-6);
    }
    EXPECT_TRUE(std::ranges::is_sorted(table->rows, std::greater(), &MixRow::bytes));
    EXPECT_EQ(rowOf(*table, quant::FileType::F32).relativeError, 0.0);
    EXPECT_FALSE(rowOf(*table, quant::FileType::F32).snr) << "nothing is lost";
}

TEST(MixTable, MixesThatNeedAMatrixHaveErrorsOnlyWithOne) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1));
    const auto without = compareMixes(model, {}, {}, {});
    ASSERT_TRUE(without);
    EXPECT_TRUE(rowOf(*without, quant::FileType::IQ2_XXS).needsMatrix);
    EXPECT_FALSE(rowOf(*without, quant::FileType::IQ2_XXS).relativeError);
    EXPECT_GT(rowOf(*without, quant::FileType::IQ2_XXS).bytes, 0u);
    EXPECT_FALSE(rowOf(*without, quant::FileType::Q4_K_M).weightedError);
    EXPECT_EQ(rowOf(*without, quant::FileType::Q4_K_M).published->divergence, 0.0313);

    std::map<std::string, std::vector<float>> entries;
    for (const TensorInfo& tensor : model->tensors) {
        std::vector<float> importances(tensor.shape.rowLength());
        for (std::size_t i = 0; i < importances.size(); ++i) importances[i] = i % 7 == 0 ? 50.0F : 1.0F;
        if (tensor.shape.rank() == 2) entries[tensor.name] = importances;
    }
    QuantizeRequest request;
    request.matrix = makeMatrix(folder, "imatrix.dat", entries);
    const auto with = compareMixes(model, request, {}, {});
    ASSERT_TRUE(with) << with.error().message();
    const MixRow& small = rowOf(*with, quant::FileType::IQ2_XXS);
    ASSERT_TRUE(small.relativeError && small.weightedError);
    EXPECT_NE(*small.weightedError, *small.relativeError);
    EXPECT_EQ(rowOf(*with, quant::FileType::Q4_K_M).published->divergence, 0.0282);
}

// The curve is never above a mix of the same size, and each of its points is what planBudget reaches.
TEST(MixTable, TheCurveIsThatOfTheBudget) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 3));
    const auto table = compareMixes(model, {}, everyRow(), {});
    ASSERT_TRUE(table);
    ASSERT_GT(table->curve.size(), 10u);
    for (std::size_t i = 1; i < table->curve.size(); ++i) {
        EXPECT_GT(table->curve[i].bytes, table->curve[i - 1].bytes);
        EXPECT_LE(table->curve[i].error, table->curve[i - 1].error);
    }
    const MixPoint& middle = table->curve[table->curve.size() / 2];
    const auto plan = planBudget(model, {}, middle.bytes, everyRow(), {});
    ASSERT_TRUE(plan);
    EXPECT_LE(plan->plan.fileBytes(), middle.bytes);
    for (const MixRow& row : table->rows) {
        const auto point = std::ranges::find_if(table->curve, [&](const MixPoint& at) { return at.bytes >= row.bytes; });
        const bool isCommon = std::ranges::find(commonMixes(), row.type) != commonMixes().end();
        const bool isComparable = row.relativeError && isCommon && point != table->curve.end();
        if (isComparable) {
            EXPECT_LE(point->error, *row.relativeError * 1.001) << quant::info(row.type).name;
        }
    }
}

TEST(MixTable, CanBeStopped) {
    const test::TemporaryFolder folder;
    std::stop_source stop;
    const Progress progress{stop.get_token(), [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }};
    const auto stopped =
        compareMixes(openStrict(writeSmallModel(folder, 4)), {}, {.sampledElements = 1 << 10, .threads = 1}, progress);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
}

MixTable handMade() {
    MixTable table;
    table.sourceBytes = 1000;
    for (const auto& [type, bytes, error] : {std::tuple(quant::FileType::F16, 1000u, 0.0),
                                             {quant::FileType::Q8_0, 500u, 0.005},
                                             {quant::FileType::Q6_K, 400u, 0.02},
                                             {quant::FileType::Q4_K_M, 300u, 0.07},
                                             {quant::FileType::Q3_K_M, 250u, 0.15}}) {
        MixRow row;
        row.type = type;
        row.bytes = bytes;
        row.relativeError = error;
        table.rows.push_back(row);
    }
    return table;
}

std::vector<std::optional<MixNeed>> upTo(const MixTable& table, std::uint64_t bytes) {
    std::vector<std::optional<MixNeed>> needs;
    for (const MixRow& row : table.rows)
        needs.push_back(MixNeed{row.bytes, row.bytes <= bytes ? memory::Verdict::Fits : memory::Verdict::Tight});
    return needs;
}

TEST(MixAdvice, TakesWhatNobodyNoticesElseWhatLosesLeast) {
    const MixTable table = handMade();
    const auto advise = [&](std::uint64_t bytes) { return adviseMix(table, upTo(table, bytes)); };
    EXPECT_EQ(table.rows[advise(10'000)->row].type, quant::FileType::Q6_K);
    EXPECT_EQ(advise(10'000)->why, MixAdvice::Why::Unnoticed);
    EXPECT_EQ(table.rows[advise(399)->row].type, quant::FileType::Q4_K_M);
    EXPECT_EQ(advise(399)->why, MixAdvice::Why::LeastLoss);
    EXPECT_FALSE(advise(100));
    MixTable again = table;
    again.isQuantized = true;
    EXPECT_FALSE(adviseMix(again, upTo(table, 10'000)));
    const std::vector<std::optional<MixNeed>> unknown(table.rows.size());
    EXPECT_EQ(table.rows[adviseMix(table, unknown)->row].type, quant::FileType::Q6_K);
}

TEST(MixNeeds, AreThoseOfTheMemoryEstimate) {
    const test::TemporaryFolder folder;
    const auto table = compareMixes(openStrict(writeSmallModel(folder, 2)), {}, {}, {});
    ASSERT_TRUE(table && table->subject);
    const memory::Settings settings{.context = 512};
    const memory::Memory huge{.name = "huge", .side = memory::Side::Processor, .bytes = 1ull << 40};
    const memory::Memory none{.name = "none", .side = memory::Side::Processor, .bytes = 1000};
    const auto needs = judgeMixes(*table, settings, std::vector{none, huge});
    ASSERT_EQ(needs.size(), table->rows.size());
    for (std::size_t i = 0; i < needs.size(); ++i) {
        EXPECT_EQ(needs[i]->verdict, memory::Verdict::Fits) << "one of the memories holds it";
        EXPECT_EQ(needs[i]->bytes, memory::planMemoryUse(table->subject->spec, table->rows[i].weights, settings).total());
        EXPECT_GE(needs[i]->bytes, table->rows[i].weights.total());
    }
    for (const auto& need : judgeMixes(*table, settings, std::span(&none, 1))) EXPECT_EQ(need->verdict, memory::Verdict::No);
}

} // namespace
} // namespace wb::quantize
