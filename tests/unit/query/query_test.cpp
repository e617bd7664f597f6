// SPDX-License-Identifier: MIT
#include "core/query/query.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wb::query {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TensorInfo tensor(const char* name, Dtype dtype, std::initializer_list<std::uint64_t> dimensions) {
    TensorInfo info;
    info.name = name;
    info.dtype = dtype;
    info.shape = *Shape::make(dimensions);
    info.source = TensorSource::stored(0, 0, rowBytes(dtype, info.shape.elements()).value());
    return info;
}

const std::vector<TensorInfo>& model() {
    static const std::vector<TensorInfo> tensors = {
        tensor("token_embd.weight", Dtype::Q6_K, {32000, 4096}),     tensor("blk.0.attn_q.weight", Dtype::Q4_K, {4096, 4096}),
        tensor("blk.0.ffn_down.weight", Dtype::Q4_K, {4096, 14336}), tensor("blk.3.ffn_down.weight", Dtype::F16, {4096, 14336}),
        tensor("blk.12.attn_norm.weight", Dtype::F32, {4096}),       tensor("output.weight", Dtype::BF16, {32000, 4096}),
    };
    return tensors;
}

// Statistics of the two ffn_down only; the one of layer 0 has no skew, as a constant tensor has none.
const stats::TensorStats* infoStats(const TensorInfo& info) {
    static const stats::TensorStats layer0 = [] {
        stats::TensorStats s;
        s.count = 4096 * 14336;
        s.nan = 2;
        s.min = -1.5;
        s.absmax = std::int64_t{200};
        s.kurtosis = 60;
        return s;
    }();
    static const stats::TensorStats layer3 = [] {
        stats::TensorStats s;
        s.kurtosis = 3;
        s.skew = -0.25;
        s.absmax = 1.0;
        return s;
    }();
    if (info.name == "blk.0.ffn_down.weight") return &layer0;
    return info.name == "blk.3.ffn_down.weight" ? &layer3 : nullptr;
}

// The tensors that match, by their place in the list above: "125".
std::string matching(const Query& query) {
    std::string found;
    for (std::size_t i = 0; i < model().size(); ++i)
        if (query.matches({model()[i], "llama", i < 4 ? "part-1.gguf" : "part-2.gguf", infoStats(model()[i])}))
            found += std::to_string(i);
    return found;
}

struct Case {
    const char* query;
    const char* expected;
};

class Queries : public testing::TestWithParam<Case> {};

TEST_P(Queries, FindTheirTensors) {
    const auto query = parse(GetParam().query);
    ASSERT_TRUE(query) << GetParam().query << ": " << query.error().message();
    EXPECT_EQ(matching(*query), GetParam().expected) << GetParam().query;
}

INSTANTIATE_TEST_SUITE_P(Text, Queries,
                         testing::Values(Case{"", "012345"}, Case{"   ", "012345"}, Case{"attn", "14"}, Case{"ATTN", "14"},
                                         Case{"name:attn", "14"}, Case{"blk.0.", "12"}, Case{"\"blk.3\"", "3"},
                                         Case{"ffn down", "23"}, Case{"ffn_ down", "23"}, Case{"name:*.ffn_down.*", "23"},
                                         Case{"name:blk.?.*", "123"}, Case{"name:ffn*", ""}, Case{"name=output.weight", "5"},
                                         Case{"name=output", ""}, Case{"name!=output.weight", "01234"},
                                         Case{"name:~^blk\\.(0|3)\\.ffn", "23"}, Case{"name:~NORM|embd", "04"},
                                         Case{"name:~\"attn_q|a b\"", "1"}, Case{"file:part-2", "45"}, Case{"name:\"*\"", ""},
                                         Case{"name = token_embd.weight", "0"}));

INSTANTIATE_TEST_SUITE_P(Words, Queries,
                         testing::Values(Case{"type:q4_k", "12"}, Case{"dtype:Q4_K", "12"}, Case{"type:q*", "012"},
                                         Case{"type:f16", "3"}, Case{"type!=q4_k", "0345"}, Case{"role:attention", "1"},
                                         Case{"role:norm or role:output", "45"}, Case{"part:ffn_down", "23"},
                                         Case{"role:mlp", "23"}));

INSTANTIATE_TEST_SUITE_P(Numbers, Queries,
                         testing::Values(Case{"layer:0-3", "123"}, Case{"layer:0..3", "123"}, Case{"layer:3-", "34"},
                                         Case{"layer=3", "3"}, Case{"layer:12", "4"}, Case{"layer>=3", "34"}, Case{"layer:>3", "4"},
                                         Case{"layer<3", "12"}, Case{"layer!=0", "34"}, Case{"layer>-1", "1234"},
                                         Case{"rank:1", "4"}, Case{"rows=32000", "05"}, Case{"cols:14336", "23"},
                                         Case{"elements>100M", "05"}, Case{"size:>100M", "035"}, Case{"size > 262144KB", ""},
                                         Case{"size >= 250MiB", "5"}, Case{"size:<=16KiB", "4"}, Case{"size:16ki", "4"},
                                         Case{"bpw<5", "12"}, Case{"bpw:16", "35"}, Case{"bytes:1e4-2e4", "4"},
                                         Case{"expert:0", ""}));

INSTANTIATE_TEST_SUITE_P(Shapes, Queries,
                         testing::Values(Case{"shape:4096x4096", "1"}, Case{"shape:*x14336", "23"},
                                         Case{"shape=[32000, 4096]", "05"}, Case{"shape:4096", "4"}, Case{"shape!=*x*", "4"},
                                         Case{"shape:[]", ""}));

INSTANTIATE_TEST_SUITE_P(Logic, Queries,
                         testing::Values(Case{"attn or ffn", "1234"}, Case{"attn_q OR norm and layer:12", "14"},
                                         Case{"(attn_q or norm) layer:12", "4"}, Case{"not blk", "05"}, Case{"not not blk", "1234"},
                                         Case{"not layer:0-3", "045"}, Case{"not (attn or ffn) weight", "05"},
                                         Case{"blk not attn", "23"}, Case{"(((output)))", "5"}, Case{"not(blk)", "05"},
                                         Case{"notes", ""}, Case{"\"or\"", "4"}, Case{"norm or output", "45"},
                                         Case{"type:f32 or(type:bf16)", "45"}));

INSTANTIATE_TEST_SUITE_P(Statistics, Queries,
                         testing::Values(Case{"kurt>50", "2"}, Case{"kurtosis:0-100", "23"}, Case{"nan>0", "2"},
                                         Case{"type:q4_k nan>0", "2"}, Case{"absmax>100 or inf>0", "2"}, Case{"skew<0", "3"},
                                         Case{"not skew<0", ""}, Case{"not kurt>50", "3"}, Case{"min=-1.5", "2"},
                                         Case{"min<-1e0", "2"}, Case{"output or kurt>50", "25"},
                                         Case{"not (kurt>50 and norm)", "01235"}, Case{"count:58720256", "2"}));

struct Refusal {
    const char* query;
    std::vector<const char*> says;
};

class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, SayWhatIsWrongAndWhere) {
    const auto query = parse(GetParam().query);
    ASSERT_FALSE(query) << GetParam().query;
    EXPECT_EQ(query.error().code, ErrorCode::Invalid);
    for (const char* part : GetParam().says) EXPECT_THAT(query.error().message(), HasSubstr(part)) << GetParam().query;
}

INSTANTIATE_TEST_SUITE_P(
    All, Refusals,
    testing::Values(Refusal{"attn nmae:x", {"\"nmae\"", "position 6", "name"}},
                    Refusal{"sise>10", {"\"sise\"", "position 1", "mean size"}}, Refusal{"é kurtosi>1", {"position 3", "kurtosis"}},
                    Refusal{"size:", {"missing", "position 6"}}, Refusal{"size:abc", {"\"abc\"", "position 6"}},
                    Refusal{"size:>1-2", {"\"1-2\""}}, Refusal{"size:10X", {"10X"}},
                    Refusal{"layer:5-3", {"ends before it starts"}}, Refusal{"(attn", {"\"(\"", "position 1", "not closed"}},
                    Refusal{"attn)", {"\")\"", "position 5"}}, Refusal{"()", {"missing", "position 2"}},
                    Refusal{"attn or", {"missing"}}, Refusal{"or attn", {"missing", "position 1"}}, Refusal{"not", {"missing"}},
                    Refusal{"\"attn", {"quotation", "position 1"}}, Refusal{"name:~(", {"position 7", "not valid"}},
                    Refusal{"name<x", {"does not support the operator"}}, Refusal{"role:atention", {"atention", "attention, mlp"}},
                    Refusal{"shape:4096x", {"not a shape"}}, Refusal{"shape:4096x1.5", {"not a shape"}},
                    Refusal{"shape>4", {"does not support the operator"}}));

TEST(Query, RefusesWhatIsTooDeepOrTooLong) {
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += '(';
    EXPECT_EQ(parse(deep).error().code, ErrorCode::TooLarge);
    std::string nots;
    for (int i = 0; i < 2000; ++i) nots += "not ";
    EXPECT_EQ(parse(nots + "a").error().code, ErrorCode::TooLarge);
    EXPECT_EQ(parse(std::string(20'000, 'a')).error().code, ErrorCode::TooLarge);
    EXPECT_TRUE(parse("((((((((((a))))))))))"));
}

TEST(Query, EndsARegularExpressionThatBacktracksForEver) {
    const TensorInfo info = tensor(fmt::format("{:a>5000}b", "").c_str(), Dtype::F32, {1});
    EXPECT_FALSE(parse("name:~^(a+)+$")->matches({info, "", ""}));
    EXPECT_FALSE(parse("name:~^(a|aa)+$")->matches({info, "", ""}));
}

TEST(Query, KnowsWhetherItNeedsStatistics) {
    EXPECT_FALSE(parse("attn size>1")->needsStatistics());
    EXPECT_TRUE(parse("attn or not (size>1 nan>0)")->needsStatistics());
    EXPECT_FALSE(Query().needsStatistics());
}

TEST(Query, EveryFieldCanBeAskedFor) {
    for (const std::string_view name : fieldNames()) {
        const std::string value = name == "role" ? "norm" : "1";
        const auto query = parse(std::string(name) + ":" + value);
        ASSERT_TRUE(query) << name;
        matching(*query);
    }
}

} // namespace
} // namespace wb::query
