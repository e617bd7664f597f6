// SPDX-License-Identifier: MIT
#include "core/formats/json/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace wb::json {
namespace {

struct Parsed {
    Result<Value> value;
    std::vector<Problem> problems;

    const ValueObject& object() const { return *value->object(); }
};

Parsed parsed(std::string_view text, const formats::Limits& limits = {}) {
    Parsed result;
    result.value = parse(text, "config.json", limits, result.problems);
    return result;
}

TEST(Json, KeepsTypesAndOrder) {
    const auto all = parsed(R"({"z":1,"a":-1,"f":1.5,"big":18446744073709551616,"least":-9223372036854775808,)"
                            R"("e":1e3,"huge":-1e999,"tiny":1e-999,"zero":-0,"t":true,"n":null,"s":"x","l":[1,2]})");
    ASSERT_TRUE(all.value) << all.value.error().message();
    const ValueObject& object = all.object();
    EXPECT_EQ(object.members.front().key, "z");
    EXPECT_EQ(object.find("z")->type, ValueType::U64);
    EXPECT_EQ(object.find("a")->type, ValueType::I64);
    EXPECT_EQ(std::get<std::int64_t>(object.find("a")->data), -1);
    EXPECT_EQ(std::get<std::int64_t>(object.find("least")->data), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(object.find("f")->number(), 1.5);
    EXPECT_EQ(object.find("big")->number(), std::ldexp(1.0, 64));
    EXPECT_EQ(object.find("e")->type, ValueType::F64);
    EXPECT_EQ(object.find("huge")->number(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(object.find("tiny")->number(), 0.0);
    EXPECT_EQ(object.find("zero")->type, ValueType::F64);
    EXPECT_EQ(object.find("t")->type, ValueType::Bool);
    EXPECT_EQ(object.find("n")->type, ValueType::Null);
    EXPECT_EQ(*object.find("s")->string(), "x");
    EXPECT_EQ(object.find("l")->array()->elementType, ValueType::U64);
    EXPECT_TRUE(all.problems.empty());
}

TEST(Json, LongContainersKeepTheirBeginning) {
    formats::Limits limits;
    limits.keptJsonMembers = 5;
    limits.keptFirstElements = 2;
    const auto all = parsed(
        R"({"whole":[1,2,3,4,5],"cut":[1,2,3,4,5,6],"mixed":[1,"a"],"object":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}})", limits);
    ASSERT_TRUE(all.value);
    EXPECT_TRUE(all.object().find("whole")->array()->complete());
    const ValueArray& cut = *all.object().find("cut")->array();
    EXPECT_EQ(cut.count, 6u);
    EXPECT_EQ(cut.first.size(), 2u);
    EXPECT_EQ(all.object().find("mixed")->array()->elementType, ValueType::Null);
    const ValueObject& object = *all.object().find("object")->object();
    EXPECT_EQ(object.count, 6u);
    EXPECT_EQ(object.members.size(), 2u);
}

TEST(Json, FewBytesCannotCostMuch) {
    std::string inner = "[0";
    for (int i = 1; i < 4000; ++i) inner += ",0";
    inner += "]";
    std::string text = "[" + inner;
    for (int i = 1; i < 200; ++i) text += "," + inner;
    const auto all = parsed(text + "]");
    ASSERT_TRUE(all.value);
    std::uint64_t kept = 0;
    for (const Value& row : all.value->array()->first) kept += row.array()->first.size();
    EXPECT_LE(kept, keptValues);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_STREQ(all.problems[0].code.id(), "json.too_many");
}

TEST(Json, LongStringsKeepTheirBeginning) {
    formats::Limits limits;
    limits.keptStringBytes = 3;
    const auto all = parsed(R"(["abcdef","abc"])", limits);
    ASSERT_TRUE(all.value);
    EXPECT_EQ(*all.value->array()->first[0].string(), "abc");
    EXPECT_EQ(all.problems.size(), 1u);
}

TEST(Json, DuplicateKeysAreNoted) {
    const auto all = parsed(R"({"a":{"k":1,"k":2}})");
    ASSERT_TRUE(all.value);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].message(), "config.json contains a duplicate key in an object.");
    EXPECT_TRUE(parsed(R"({"a":{"k":1},"b":{"k":1}})").problems.empty());
}

TEST(Json, TextThatIsNotUtf8IsNoted) {
    const auto all = parsed("{\"a\":\"\xFF\"}");
    ASSERT_TRUE(all.value);
    EXPECT_EQ(*all.object().find("a")->string(), "\xEF\xBF\xBD");
    EXPECT_EQ(all.problems.size(), 1u);
}

TEST(Json, RefusalsNameFileAndByte) {
    EXPECT_EQ(parsed("{\"a\":1,}").value.error().message(), "config.json is not valid JSON: a key in quotes is missing (byte 7).");
    EXPECT_FALSE(parsed("").value);
    EXPECT_FALSE(parsed("{} x").value);
    EXPECT_FALSE(parsed(std::string_view("{}\0", 3)).value);
    EXPECT_FALSE(parsed("\xEF\xBB\xBF{}").value);
    EXPECT_FALSE(parsed(std::string(65, '[') + std::string(65, ']')).value);
}

TEST(Json, FilesAboveTheCapAreRefused) {
    formats::Limits limits;
    limits.jsonText = 4;
    std::vector<Problem> problems;
    const io::MemorySource source("config.json", std::vector<std::byte>(5, std::byte{' '}));
    const auto value = readFile(source, "config.json", limits, problems);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ErrorCode::TooLarge);
}

} // namespace
} // namespace wb::json
