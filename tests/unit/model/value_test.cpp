// SPDX-License-Identifier: MIT
#include "core/model/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace wb {
namespace {

Value text(const char* content) { return Value::of(std::string(content)); }

Value array(std::vector<Value> first, std::uint64_t count) {
    ValueArray out;
    out.count = count;
    out.first = std::move(first);
    return Value::of(std::move(out));
}

Value number(std::uint64_t value) { return Value::ofUnsigned(ValueType::U32, value); }

TEST(Value, TypesHaveNames) {
    EXPECT_STREQ(valueTypeName(ValueType::Null), "null");
    EXPECT_STREQ(valueTypeName(ValueType::U8), "u8");
    EXPECT_STREQ(valueTypeName(ValueType::F64), "f64");
    EXPECT_STREQ(valueTypeName(ValueType::Object), "object");
}

TEST(Value, NumbersComeOutOfAnyNumericType) {
    EXPECT_EQ(Value::ofSigned(ValueType::I8, -3).number(), -3.0);
    EXPECT_EQ(Value::ofSigned(ValueType::I8, -3).unsignedNumber(), std::nullopt);
    EXPECT_EQ(Value::ofSigned(ValueType::I64, 3).unsignedNumber(), 3u);
    EXPECT_EQ(Value::ofUnsigned(ValueType::U64, std::numeric_limits<std::uint64_t>::max()).unsignedNumber(),
              std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(Value::ofFloat(ValueType::F64, 0.5).number(), 0.5);
    EXPECT_EQ(Value::ofFloat(ValueType::F64, 5).unsignedNumber(), std::nullopt);
    EXPECT_EQ(Value::of(true).number(), std::nullopt);
    EXPECT_EQ(text("3").number(), std::nullopt);
}

TEST(ValueObject, FindsItsMembers) {
    ValueObject object;
    object.members = {{"a", number(1)}, {"b", text("x")}};
    object.count = 3;
    EXPECT_EQ(object.find("a")->unsignedNumber(), 1u);
    EXPECT_EQ(*object.find("b")->string(), "x");
    EXPECT_EQ(object.find("c"), nullptr);
    EXPECT_FALSE(object.complete());
    EXPECT_EQ(summary(Value::of(object)), "{3 members}");
}

TEST(Summary, ShowsScalars) {
    EXPECT_EQ(summary(Value::null()), "null");
    EXPECT_EQ(summary(Value::of(false)), "false");
    EXPECT_EQ(summary(Value::ofSigned(ValueType::I32, -7)), "-7");
    EXPECT_EQ(summary(number(7)), "7");
    EXPECT_EQ(summary(Value::ofFloat(ValueType::F32, 0.1f)), "0.1");
    EXPECT_EQ(summary(Value::ofFloat(ValueType::F64, 1e-5)), "1e-05");
}

TEST(Summary, KeepsTextOnOneLineAndWhole) {
    EXPECT_EQ(summary(text("line\nbreak")), "line\\nbreak");
    EXPECT_EQ(summary(text("abcdef"), 3), "abc…");
    EXPECT_EQ(summary(text("模型"), 4), "模…");
    EXPECT_EQ(summary(text("abc"), 3), "abc");
}

TEST(Summary, CutsArrays) {
    EXPECT_EQ(summary(array({}, 0)), "[]");
    EXPECT_EQ(summary(array({number(1), number(2)}, 2)), "[1, 2]");
    EXPECT_EQ(summary(array({number(1), text("a\"")}, 2)), "[1, \"a\"\"]");
    EXPECT_EQ(summary(array({number(1), number(2)}, 32000)), "[1, 2, … 32000 values]");
    EXPECT_EQ(summary(array(std::vector<Value>(100, number(12345)), 100), 20), "[12345, 12345, 12345… 100 values]");
}

} // namespace
} // namespace wb
