// SPDX-License-Identifier: MIT
#include "core/stats/stats_json.h"
#include "made_tensor.h"

#include "compare.h"
#include "core/formats/json/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace wb::stats {
namespace {

nlohmann::ordered_json parsed(const TensorStats& stats, const Shape& shape) {
    return nlohmann::ordered_json::parse(test::exactText(stats, shape));
}

Result<TensorStats> read(const std::string& text, const Shape& shape) {
    std::vector<Problem> problems;
    WB_TRY_ASSIGN(const Value value, json::parse(text, "stats.json", {}, problems));
    return readStats(value, shape);
}

TEST(StatsJson, WritesTheObjectOfTheCommandLine) {
    const Shape shape = *Shape::make({2, 2});
    const auto reader = test::makeReader(Dtype::F32, shape, std::vector<float>{0.1f, -2, 3, 0});
    const auto json = parsed(computeScalar(reader, {.bins = 2, .channels = Axis::Column}).value(), shape);
    std::vector<std::string> keys;
    for (const auto& member : json.items()) keys.push_back(member.key());
    EXPECT_EQ(keys,
              (std::vector<std::string>{"count", "min", "max", "absmax", "mean", "std", "rms", "skew", "kurtosis", "zeros", "nan",
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
    const auto reader =
        test::makeReader(Dtype::U64, shape, std::vector<std::uint64_t>{7, std::numeric_limits<std::uint64_t>::max()});
    EXPECT_EQ(parsed(computeScalar(reader, {}).value(), shape)["max"].dump(), "18446744073709551615");
}

TEST(StatsJson, WritesUndefinedValuesAsNull) {
    const Shape shape = *Shape::make({1, 1});
    const auto reader = test::makeReader(Dtype::F32, shape, std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
    const auto json = parsed(computeScalar(reader, {.channels = Axis::Row}).value(), shape);
    for (const char* key : {"min", "max", "absmax", "mean", "std", "rms", "skew", "kurtosis", "percentiles", "histogram"})
        EXPECT_TRUE(json[key].is_null()) << key;
    EXPECT_EQ(json["top"].dump(), "[]");
    EXPECT_EQ(json["channels"]["rms"].dump(), "[null]");
}

TEST(StatsJson, ReadsBackWhatItWrote) {
    for (const Dtype dtype : {Dtype::F32, Dtype::F64, Dtype::I64, Dtype::U64, Dtype::C64}) {
        const Shape shape = *Shape::make({50, 40});
        const auto reader = test::makeReader(dtype, shape, test::randomBytes(dtype, 2000, 1));
        const std::string text = test::exactText(computeScalar(reader, {.channels = Axis::Row}).value(), shape);
        const auto back = read(text, shape);
        ASSERT_TRUE(back) << name(dtype);
        EXPECT_EQ(test::exactText(*back, shape), text) << name(dtype);
    }
}

TEST(StatsJson, TellsWholeNumbersFromIntegers) {
    const Shape shape = *Shape::make({2});
    const auto reader = test::makeReader(Dtype::F32, shape, std::vector<float>{-0.0f, 2});
    const std::string text = test::exactText(computeScalar(reader, {}).value(), shape);
    const auto back = read(text, shape);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->max, Element(2.0));
    EXPECT_EQ(test::exactText(*back, shape), text);
}

TEST(StatsJson, RefusesWhatItDidNotWrite) {
    const Shape shape = *Shape::make({2, 2});
    const auto reader = test::makeReader(Dtype::F32, shape, std::vector<float>{0.1f, -2, 3, 0});
    const nlohmann::ordered_json good = parsed(computeScalar(reader, {.channels = Axis::Row}).value(), shape);
    ASSERT_TRUE(read(good.dump(), shape));
    const auto expectRefused = [&](const char* pointer, const nlohmann::ordered_json& value) {
        nlohmann::ordered_json bad = good;
        bad[nlohmann::ordered_json::json_pointer(pointer)] = value;
        const auto refused = read(bad.dump(), shape);
        ASSERT_FALSE(refused) << pointer;
        EXPECT_EQ(refused.error().reason, Reason("stats.stored")) << pointer;
    };
    expectRefused("/count", "many");
    expectRefused("/count", -1);
    expectRefused("/nan", 5);
    expectRefused("/mean", "mean");
    expectRefused("/max", nlohmann::json::array());
    expectRefused("/percentiles/50", "half");
    expectRefused("/histogram/counts", 3);
    expectRefused("/histogram/counts/0", 0.5);
    expectRefused("/top/0/index", {0});
    expectRefused("/top/0/index/1", 2);
    expectRefused("/channels/axis", "diagonal");
    expectRefused("/channels/rms/0", true);
    for (const auto& member : good.items()) {
        if (member.key() == "channels") continue;
        nlohmann::ordered_json bad = good;
        bad.erase(member.key());
        EXPECT_FALSE(read(bad.dump(), shape)) << member.key();
    }
    EXPECT_FALSE(read("[]", Shape()));
    EXPECT_FALSE(read("null", Shape()));
}

} // namespace
} // namespace wb::stats
