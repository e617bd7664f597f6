// SPDX-License-Identifier: MIT
#include "core/convert/budget_plan.h"
#include "core/convert/quantize_run.h"
#include "tests/unit/convert/small_model.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

TEST(PlanBudget, fitsAndLosesNoMoreThanTheStockMix) {
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

TEST(PlanBudget, rulesGiveTheSameFile) {
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

TEST(PlanBudget, keepsWhatIsNeverQuantized) {
    const test::TemporaryFolder folder;
    const auto found = planBudget(openStrict(writeSmallModel(folder, 2)), {}, 400'000, {}, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->request.types.at("output_norm.weight"), Dtype::F32);
}

TEST(PlanBudget, refusesTheImpossible) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2));
    EXPECT_FALSE(planBudget(model, {}, 10'000, {}, {}));
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = planBudget(model, {}, 400'000, {}, {stop.get_token(), {}});
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace wb::convert
