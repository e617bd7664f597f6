// SPDX-License-Identifier: MIT
#include "core/base/problem_kinds.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(ProblemKinds, AreByCodeAndTheGravestFirst) {
    const Reason odd("test.odd"), large("test.large");
    const std::vector<Problem> problems = {makeProblem(Severity::Note, odd, "", {}, "{} is odd.", "a"),
                                           makeProblem(Severity::Warning, large, "", {}, "{} is large.", "b"),
                                           makeProblem(Severity::Note, odd, "", {}, "{} is odd.", "c"),
                                           makeProblem(Severity::Warning, odd, "", {}, "{} is very odd.", "d")};
    const std::vector<ProblemKind> kinds = groupProblems(problems);
    ASSERT_EQ(kinds.size(), 3u);
    EXPECT_EQ(kinds[0].first->message(), "b is large.");
    EXPECT_EQ(kinds[1].first->message(), "d is very odd.");
    EXPECT_EQ(kinds[2].first->message(), "a is odd.");
    EXPECT_EQ(kinds[2].count, 2u);
    EXPECT_EQ(kinds[0].count, 1u);
    EXPECT_TRUE(groupProblems({}).empty());
}

} // namespace
} // namespace wb
