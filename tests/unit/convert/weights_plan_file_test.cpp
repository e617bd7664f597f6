// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_plan_file.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

WeightsPlanFile fullPlan() {
    WeightsPlanFile plan;
    plan.isFolder = true;
    plan.adapters = {{"/a/lora", 0.5}, {"/b/other \"one\"", -1}};
    plan.type = Dtype::F16;
    plan.shardBytes = 5'000'000'000;
    plan.shardTensors = 7;
    plan.trustsSource = true;
    plan.metadata = {{"author", "Ada"}};
    plan.leftOut = {"b", "c"};
    plan.names = {{"a", "α"}};
    plan.types = {{"a", Dtype::F32}};
    return plan;
}

TEST(WeightsPlanFile, ReadsWhatItWrote) {
    for (const WeightsPlanFile& plan : {WeightsPlanFile(), fullPlan()}) {
        const std::string text = weightsPlanText(plan);
        EXPECT_TRUE(isWeightsPlan(text));
        const auto read = parseWeightsPlan(text, "p.plan.json");
        ASSERT_TRUE(read) << read.error().message();
        EXPECT_EQ(*read, plan);
    }
    EXPECT_FALSE(isWeightsPlan(R"({"weighbridge_plan": 2})"));
}

TEST(WeightsPlanFile, DecidesWhatIsAskedFor) {
    const WeightsRequest request = requestFromPlan(fullPlan());
    EXPECT_TRUE(request.wants("a") && !request.wants("b"));
    EXPECT_EQ(request.renamed("a"), "α");
    EXPECT_EQ(request.renamed("d"), "d");
    EXPECT_EQ(request.types.at("a"), Dtype::F32);
}

// Every member that is missing or of another kind is named; nothing else comes of it.
TEST(WeightsPlanFile, RefusesWhatIsNone) {
    const std::string text = weightsPlanText(fullPlan());
    for (const char* const member : {"folder", "adapters", "type", "shard_bytes", "shard_tensors", "trusts_source", "metadata",
                                     "left_out", "names", "types"}) {
        for (const char* const value : {"", "7.5", "[1]", "{\"x\":1}"}) {
            const std::size_t key = text.find('"' + std::string(member) + '"');
            ASSERT_NE(key, std::string::npos) << member;
            std::string broken = text;
            if (*value == '\0') broken.replace(key + 1, 1, "_"); // another name
            else broken.replace(key, std::string(member).size() + 3, '"' + std::string(member) + "\":" + value + ",\"_\":");
            const auto read = parseWeightsPlan(broken, "p.plan.json");
            ASSERT_FALSE(read) << broken;
            EXPECT_EQ(read.error().code, ErrorCode::Malformed) << read.error().message();
            EXPECT_NE(read.error().message().find("p.plan.json"), std::string::npos);
        }
    }
    for (const char* const other : {"", "[]", "{}", "{\"weighbridge_plan\":2}", "{\"weighbridge_weights\""})
        EXPECT_FALSE(parseWeightsPlan(other, "p.plan.json")) << other;
    std::string newer = text;
    newer.replace(newer.find(":1"), 2, ":9");
    const auto read = parseWeightsPlan(newer, "p.plan.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::Unsupported);
}

} // namespace
} // namespace wb::convert
