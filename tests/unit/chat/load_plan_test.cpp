// SPDX-License-Identifier: MIT
#include "core/chat/load_plan.h"

#include "core/formats/open.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::chat {
namespace {

TEST(LoadPlan, RefusesModelThatDoesNotFitBeforeReadingIt) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto model = formats::open(test::shared() / "corpus/llm/stories260K.gguf");
    ASSERT_TRUE(model);
    const auto graph = infer::planGraph(*model);
    ASSERT_TRUE(graph);
    const auto placement = infer::makeCpuBackend()->place(*graph, {.threads = 1, .context = 2048});
    ASSERT_TRUE(placement);
    const LoadPlan plan = planLoad(*graph, *placement, std::uint64_t{1} << 40);
    EXPECT_TRUE(plan.fits());
    EXPECT_GT(plan.weights, 1'000'000u);
    EXPECT_LT(plan.weights, 1'200'000u);
    EXPECT_GT(plan.cache, 0u);
    EXPECT_GT(plan.compute, 0u);
    EXPECT_EQ(plan.fittingContext, 2048u);
    const LoadPlan tight = planLoad(*graph, *placement, plan.need() - plan.cache / 2);
    EXPECT_FALSE(tight.fits());
    EXPECT_GE(tight.fittingContext, 256u);
    EXPECT_LT(tight.fittingContext, 2048u);
    EXPECT_EQ(checkFits(tight, "m").error().reason, Reason("chat.context_memory"));
    const LoadPlan none = planLoad(*graph, *placement, 1000);
    EXPECT_EQ(none.fittingContext, 0u);
    EXPECT_EQ(checkFits(none, "m").error().reason, Reason("chat.memory"));
}

} // namespace
} // namespace wb::chat
