// SPDX-License-Identifier: MIT
#include "core/stats/stats_json.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

#include <limits>

namespace wb::stats {
namespace {

TEST(StatsJson, WritesTheObjectOfTheCommandLine) {
    const Shape shape = *Shape::make({2, 2});
    const auto reader = test::makeReader(Dtype::F32, shape, std::vector<float>{0.1f, -2, 3, 0});
    const auto json = toJson(computeScalar(reader, {.bins = 2, .channels = Axis::Column}).value(), shape);
    std::vector<std::string> keys;
    for (const auto& member : json.items()) keys.push_back(member.key());
    EXPECT_EQ(keys, (std::vector<std::string>{"count", "min", "max", "absmax", "mean", "std", "rms", "skew", "kurtosis", "zeros", "nan",
                                              "inf", "denormal", "outliers6", "percentiles", "histogram", "top", "channels"}));
    EXPECT_EQ(json["histogram"].dump(), R"({"low":-2.0,"high":3.0,"counts":[3,1]})");
    EXPECT_EQ(json["top"][0].dump(), R"({"index":[1,0],"value":3.0})");
    EXPECT_EQ(json["percentiles"]["75"].get<double>(), 0.1f);
    EXPECT_EQ(json["percentiles"].size(), 9u);
    EXPECT_EQ(json["channels"]["axis"], "column");
    EXPECT_EQ(json["channels"]["absmax"].dump(), "[3.0,2.0]");
}

TEST(StatsJson, WritesIntegersAsIntegers) {
    const Shape shape = *Shape::make({2});
    const auto reader = test::makeReader(Dtype::U64, shape, std::vector<std::uint64_t>{7, std::numeric_limits<std::uint64_t>::max()});
    EXPECT_EQ(toJson(computeScalar(reader, {}).value(), shape)["max"].dump(), "18446744073709551615");
}

TEST(StatsJson, WritesUndefinedValuesAsNull) {
    const Shape shape = *Shape::make({1, 1});
    const auto reader = test::makeReader(Dtype::F32, shape, std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
    const auto json = toJson(computeScalar(reader, {.channels = Axis::Row}).value(), shape);
    for (const char* key : {"min", "max", "absmax", "mean", "std", "rms", "skew", "kurtosis", "percentiles", "histogram"})
        EXPECT_TRUE(json[key].is_null()) << key;
    EXPECT_EQ(json["top"].dump(), "[]");
    EXPECT_EQ(json["channels"]["rms"].dump(), "[null]");
}

TEST(StatsJson, ReadsBackWhatItWrote) {
    for (const Dtype dtype : {Dtype::F32, Dtype::F64, Dtype::I64, Dtype::U64, Dtype::C64}) {
        const Shape shape = *Shape::make({50, 40});
        const auto reader = test::makeReader(dtype, shape, test::randomBytes(dtype, 2000, 1));
        const std::string text = toJson(computeScalar(reader, {.channels = Axis::Row}).value(), shape).dump();
        const auto back = fromJson(nlohmann::ordered_json::parse(text), shape);
        ASSERT_TRUE(back) << name(dtype);
        EXPECT_EQ(toJson(*back, shape).dump(), text) << name(dtype);
    }
}

TEST(StatsJson, RefusesAnotherObject) {
    EXPECT_FALSE(fromJson(nlohmann::ordered_json::parse(R"({"count": 1})"), Shape()));
    EXPECT_FALSE(fromJson(nlohmann::ordered_json::parse("[]"), Shape()));
}

} // namespace
} // namespace wb::stats
