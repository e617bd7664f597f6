// SPDX-License-Identifier: MIT
#include "core/formats/findings/findings.h"

#include <gmock/gmock.h>

namespace wb::formats {
namespace {

TEST(Findings, RefuseADefectInTheStrictViewOnly) {
    Findings strict("a.bin", Strictness::Strict);
    const auto refused = strict.defect(Severity::Warning, "test.gap", 7, "{} has a gap of {} bytes.", 3);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Malformed);
    EXPECT_EQ(refused.error().reason, Reason("test.gap"));
    EXPECT_EQ(refused.error().subject, "a.bin");
    EXPECT_EQ(refused.error().message(), "a.bin has a gap of 3 bytes.");

    Findings lenient("a.bin", Strictness::Lenient);
    EXPECT_FALSE(lenient.hasDefect());
    EXPECT_TRUE(lenient.defect(Severity::Warning, "test.gap", 7, "{} has a gap of {} bytes.", 3));
    EXPECT_TRUE(lenient.hasDefect());
    const std::vector<Problem> problems = lenient.take();
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].code, Reason("test.gap"));
    EXPECT_EQ(problems[0].offset, 7u);
    EXPECT_EQ(problems[0].file, "a.bin");
    EXPECT_EQ(problems[0].message(), "a.bin has a gap of 3 bytes.");
}

TEST(Findings, ListFiftyProblemsOfOneCodeAndCountTheOthers) {
    Findings findings("a.bin", Strictness::Lenient);
    for (unsigned i = 0; i < 53; ++i) findings.add(Severity::Note, "test.often", i, "{} has problem {}.", i);
    findings.add(Severity::Warning, "test.once", std::nullopt, "{} has another one.");
    EXPECT_FALSE(findings.hasDefect());
    const std::vector<Problem> problems = findings.take();
    ASSERT_EQ(problems.size(), 52u);
    const Problem& more = problems.back();
    EXPECT_EQ(more.code, Reason("test.often"));
    EXPECT_EQ(more.severity, Severity::Note);
    EXPECT_EQ(more.offset, 49u);
    EXPECT_THAT(more.message(), testing::HasSubstr(" 3 more problems"));
}

TEST(Shown, IsOneShortLineOfUtf8) {
    EXPECT_EQ(shown("plain"), "plain");
    EXPECT_EQ(shown("a\nb"), "a\\nb");
    EXPECT_EQ(shown("\xFF"), "\xEF\xBF\xBD");
    EXPECT_EQ(shown(std::string(120, 'x')), std::string(120, 'x'));
    EXPECT_EQ(shown(std::string(121, 'x')), std::string(120, 'x') + "…");
}

} // namespace
} // namespace wb::formats
