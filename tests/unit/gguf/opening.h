// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/gguf.h"
#include "tests/unit/gguf/gguf_builder.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::test {

inline constexpr const char* fileName = "case.gguf";

inline Result<ModelPtr> openBytes(std::string_view bytes, formats::Strictness strictness) {
    formats::OpenOptions options;
    options.strictness = strictness;
    return gguf::open(std::make_shared<io::MemorySource>(fileName, toBytes(bytes)), options);
}
inline Result<ModelPtr> openLenient(std::string_view bytes) { return openBytes(bytes, formats::Strictness::Lenient); }
inline Result<ModelPtr> openStrict(std::string_view bytes) { return openBytes(bytes, formats::Strictness::Strict); }

// Code and severity of every problem, as "error gguf.overlap".
inline std::vector<std::string> openingProblems(const Model& model) {
    std::vector<std::string> out;
    for (const Problem& problem : model.problems)
        out.push_back(std::string(severityName(problem.severity)) + ' ' + problem.code.id());
    return out;
}

// A refusal as the command line prints it: one line that names the file.
inline void expectSentence(const Error& error) {
    EXPECT_THAT(error.message(), testing::HasSubstr(fileName));
    EXPECT_THAT(error.message(), testing::Not(testing::HasSubstr("\n")));
    EXPECT_THAT(error.message(), testing::Not(testing::HasSubstr("{}")));
}

inline void expectRefused(const Result<ModelPtr>& opened, std::string_view part = {}) {
    ASSERT_FALSE(opened) << "was opened";
    expectSentence(opened.error());
    EXPECT_THAT(opened.error().message(), testing::HasSubstr(part));
}

// A file that breaks a rule: refused strictly, shown leniently with `problem` ("error gguf.overlap") and as not loadable.
inline ModelPtr expectShown(std::string_view bytes, const std::string& problem) {
    expectRefused(openStrict(bytes));
    const auto opened = openLenient(bytes);
    EXPECT_TRUE(opened) << opened.error().message();
    if (!opened) return std::make_shared<Model>();
    EXPECT_THAT(openingProblems(**opened), testing::Contains(problem));
    EXPECT_THAT(openingProblems(**opened), testing::Contains("error gguf.not_loadable"));
    return *opened;
}

// A file of which nothing can be shown: refused in both views, for this reason where one is given.
inline void expectRefusedTwice(std::string_view bytes, std::string_view reason) {
    for (const auto& opened : {openStrict(bytes), openLenient(bytes)}) {
        expectRefused(opened);
        if (opened || reason.empty()) continue;
        EXPECT_EQ(opened.error().reason.id(), reason);
    }
}

} // namespace wb::test
