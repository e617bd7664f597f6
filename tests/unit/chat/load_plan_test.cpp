// SPDX-License-Identifier: MIT
#include "core/chat/load_plan.h"

#include "core/formats/open.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::chat {
namespace {

TEST(LoadPlan, RefusesModelThatDoesNotFitBeforeReadingIt) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto model = formats::open(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf");
    ASSERT_TRUE(model);
    const auto graph = infer::planGraph(*model);
    ASSERT_TRUE(graph);
    const infer::EngineOptions options{.threads = 1, .context = 2048};
    const auto plan = planLoad(*graph, options, std::uint64_t{1} << 40);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->fits());
    EXPECT_GT(plan->weights, 1'000'000u);
    EXPECT_LT(plan->weights, 1'200'000u);
    EXPECT_GT(plan->cache, 0u);
    EXPECT_GT(plan->compute, 0u);
    EXPECT_EQ(plan->fittingContext, 2048u);
    const auto tight = planLoad(*graph, options, plan->need() - plan->cache / 2);
    ASSERT_TRUE(tight);
    EXPECT_FALSE(tight->fits());
    EXPECT_GE(tight->fittingContext, 256u);
    EXPECT_LT(tight->fittingContext, 2048u);
    EXPECT_EQ(checkFits(*tight, "m").error().reason, Reason("chat.context_memory"));
    const auto none = planLoad(*graph, options, 1000);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->fittingContext, 0u);
    EXPECT_EQ(checkFits(*none, "m").error().reason, Reason("chat.memory"));
}

} // namespace
} // namespace wb::chat
