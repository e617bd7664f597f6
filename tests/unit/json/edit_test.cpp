// SPDX-License-Identifier: MIT
#include "core/formats/json/edit.h"

#include <gtest/gtest.h>

namespace wb::json {
namespace {

constexpr const char* text = "{\n \"a\": 1,\n \"b\": {\"a\": [1, {\"x\": 2}], \"c\": \"}\"},\n \"d\": null\n}\n";

TEST(JsonEdit, ReplacesOneValue) {
    EXPECT_EQ(withMember(text, "", "a", "25"),
              "{\n \"a\": 25,\n \"b\": {\"a\": [1, {\"x\": 2}], \"c\": \"}\"},\n \"d\": null\n}\n");
    EXPECT_EQ(withMember(text, "b", "a", "[]"), "{\n \"a\": 1,\n \"b\": {\"a\": [], \"c\": \"}\"},\n \"d\": null\n}\n");
    EXPECT_EQ(withMember(text, "", "b", "2"), "{\n \"a\": 1,\n \"b\": 2,\n \"d\": null\n}\n");
    EXPECT_EQ(withMember(text, "", "c", "2"), std::nullopt);
    EXPECT_EQ(withMember(text, "a", "c", "2"), std::nullopt);
    EXPECT_EQ(withMember(text, "none", "a", "2"), std::nullopt);
    EXPECT_EQ(withMember("[1]", "", "a", "2"), std::nullopt);
    EXPECT_EQ(withMember("{\"x\": {\"a\": ", "x", "a", "2"), std::nullopt);
}

TEST(JsonEdit, RemovesOneMember) {
    EXPECT_EQ(withoutMember(text, "a"), "{\n \"b\": {\"a\": [1, {\"x\": 2}], \"c\": \"}\"},\n \"d\": null\n}\n");
    EXPECT_EQ(withoutMember(text, "b"), "{\n \"a\": 1,\n \"d\": null\n}\n");
    EXPECT_EQ(withoutMember(text, "d"), "{\n \"a\": 1,\n \"b\": {\"a\": [1, {\"x\": 2}], \"c\": \"}\"}\n}\n");
    EXPECT_EQ(withoutMember("{\"a\":1}", "a"), "{}");
    EXPECT_EQ(withoutMember(text, "c"), text);
    EXPECT_EQ(withoutMember("{\"a\":", "a"), "{\"a\":");
}

} // namespace
} // namespace wb::json
