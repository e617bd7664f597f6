// SPDX-License-Identifier: MIT
#include "core/base/problem.h"
#include "core/base/progress.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(FillSentence, PutsArgumentsIntoTheirFields) {
    EXPECT_EQ(fillSentence("{} ends at byte {}.", {"a.gguf", "12"}), "a.gguf ends at byte 12.");
    EXPECT_EQ(fillSentence("{1} 在 {0} 中", {"a", "b"}), "b 在 a 中");
    EXPECT_EQ(fillSentence("{0} {0} {}", {"a"}), "a a a");
    EXPECT_EQ(fillSentence("{} {} {1}", {"a"}), "a {} {1}");
    EXPECT_EQ(fillSentence("{ } {x} {12} {", {"a"}), "{ } {x} {12} {");
    EXPECT_EQ(fillSentence("", {"a"}), "");
}

TEST(FillSentence, PutsNounsIntoTheNumberOfTheFieldBefore) {
    EXPECT_EQ(fillSentence("{} layer(s) × {} token(s)", {"1", "2"}), "1 layer × 2 tokens");
    EXPECT_EQ(fillSentence("last {} of {} layer(s)", {"2", "1"}), "last 2 of 1 layer");
    EXPECT_EQ(fillSentence("{} file(s), {}", {"0", "line(s)"}), "0 files, line(s)") << "an argument stays as it is";
    EXPECT_EQ(fillSentence("{0} {1} byte(s)", {"a", "1,000"}), "a 1,000 bytes");
    EXPECT_EQ(fillSentence("file(s) {}", {"1"}), "file(s) 1") << "no field is before";
}

TEST(FillSentence, DoesNotReadFieldsInsideArguments) { EXPECT_EQ(fillSentence("{} {}", {"{}{1}", "b"}), "{}{1} b"); }

TEST(Error, SaysItsSentence) {
    const Error error =
        makeError(ErrorCode::Malformed, Reason("gguf.count"), About{"x.gguf"}, WB_TEXT("{} holds {} tensors."), "x.gguf", 3);
    EXPECT_EQ(error.message(), "x.gguf holds 3 tensors.");
    EXPECT_EQ(makeProblem(Severity::Warning, "gguf.gap", "f", 7, WB_TEXT("A gap of {} bytes."), 2).message(), "A gap of 2 bytes.");
}

TEST(Error, NamesTheInputWhereItIsAboutSomethingElse) {
    const Error error = makeError(ErrorCode::Malformed, Reason("gguf.count"), About{"x.gguf"}, WB_TEXT("{} is empty."), "x.gguf");
    EXPECT_EQ(named("x.gguf", error).message(), "x.gguf is empty.");
    EXPECT_EQ(named("folder", error).message(), "folder: x.gguf is empty.");
    EXPECT_EQ(named("folder", named("folder", error)).message(), "folder: x.gguf is empty.");
    EXPECT_EQ(named("folder", error).reason, Reason("gguf.count"));
}

TEST(Error, BecomesAProblemAndBack) {
    const Error error = makeError(ErrorCode::Malformed, Reason("gguf.count"), WB_TEXT("{} is empty."), "x");
    const Problem problem = asProblem(Severity::Error, "index.shard", "y", error);
    EXPECT_EQ(problem.message(), error.message());
    EXPECT_EQ(problem.file, "y");
    const Error again = asError(ErrorCode::Invalid, problem);
    EXPECT_EQ(again.message(), error.message());
    EXPECT_EQ(again.reason, Reason("index.shard"));
    EXPECT_EQ(again.subject, "y");
}

Result<int> halved(int value) {
    if (value % 2 != 0) return fail(ErrorCode::Invalid, Reason("test.odd"), WB_TEXT("{} is odd."), value);
    return value / 2;
}

Result<int> quartered(int value) {
    WB_TRY(halved(value));
    WB_TRY_ASSIGN(const int half, halved(value));
    return halved(half);
}

TEST(Result, TravelsWithTry) {
    EXPECT_EQ(quartered(8), 2);
    EXPECT_EQ(quartered(6).error().message(), "3 is odd.");
    EXPECT_EQ(quartered(5).error().code, ErrorCode::Invalid);
}

TEST(Progress, ReportsUntilItIsStopped) {
    std::stop_source source;
    std::uint64_t reported = 0;
    const Progress progress{source.get_token(), [&](std::uint64_t done, std::uint64_t) { reported = done; }};
    EXPECT_TRUE(progress.at(3, 10));
    source.request_stop();
    EXPECT_EQ(progress.at(4, 10).error().code, ErrorCode::Canceled);
    EXPECT_EQ(reported, 3u);
    EXPECT_TRUE(Progress{}.at(1, 1));
}

} // namespace
} // namespace wb
