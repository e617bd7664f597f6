// SPDX-License-Identifier: MIT
#include "tests/unit/infer/graph_text.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

// The operations of each family, as docs/reference/inference.md describes it ("Architectures").
namespace wb::infer {
namespace {

struct Family {
    const char *folder, *ends, *first, *last; // of the first and the last layer
};

class Lowering : public testing::TestWithParam<Family> {};

TEST_P(Lowering, GivesTheOperationsOfTheFamily) {
    WB_NEED_SHARED("arch");
    const auto& [folder, ends, first, last] = GetParam();
    const auto graph = planGraph(test::ArchModel::open(folder).model);
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(test::textOfEnds(*graph), ends);
    EXPECT_EQ(test::textOfLayer(*graph, 0), first);
    EXPECT_EQ(test::textOfLayer(*graph, graph->layers.size() - 1), last);
}

// TABLE

} // namespace
} // namespace wb::infer
