// SPDX-License-Identifier: MIT
// One hand-made file for every rule of docs/reference/formats.md, "Safetensors, one file", named after the defect.
#include "core/formats/safetensors/safetensors.h"
#include "tests/unit/safetensors/maker.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <utility>

namespace wb::safetensors {
namespace {

using test::hasProblem;
using test::lenient;
using test::openBytes;
using test::safetensorsFile;
using test::strict;
using test::tensorNamed;
using testing::HasSubstr;

struct Rule {
    const char* name;
    std::string header;
    std::size_t dataBytes;
    const char* code; // the reason of the refusal, or the code of the problem
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

std::string infoName(const testing::TestParamInfo<Rule>& info) { return info.param.name; }

// Refused in both views.
class Refused : public testing::TestWithParam<Rule> {};

TEST_P(Refused, InOneSentence) {
    const Rule& rule = GetParam();
    for (const auto& options : {strict(), lenient()}) {
        const auto model = openBytes(safetensorsFile(rule.header, rule.dataBytes), options);
        ASSERT_FALSE(model);
        EXPECT_STREQ(model.error().reason.id(), rule.code);
        EXPECT_THAT(model.error().message(), HasSubstr("test.safetensors"));
        EXPECT_THAT(model.error().message(), testing::Not(HasSubstr("\n")));
        EXPECT_THAT(model.error().message(), testing::Not(HasSubstr("{}")));
    }
}

constexpr const char* bigNumber = "18446744073709551616";
const std::string good = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";

INSTANTIATE_TEST_SUITE_P(
    Header, Refused,
    testing::Values(
        Rule{"EmptyHeader", "", 8, "safetensors.syntax"}, Rule{"NotAnObject", "[1,2,3]", 8, "safetensors.unexpected"},
        Rule{"NoJson", "hello", 8, "safetensors.syntax"}, Rule{"TextAfterTheObject", good + "x", 8, "safetensors.padding"},
        Rule{"PaddedWithNewlines", good + "\n\n", 8, "safetensors.padding"},
        Rule{"PaddedWithNul", good + std::string(2, '\0'), 8, "safetensors.padding"},
        Rule{"NulInAName", std::string("{\"a\0b\":{}}", 10), 0, "safetensors.syntax"},
        Rule{"ControlCharacterInAString", "{\"a\nb\":{}}", 0, "safetensors.syntax"},
        Rule{"UnfinishedHeader", R"({"a":{"dtype":"F32")", 0, "safetensors.syntax"},
        Rule{"TrailingComma", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},})", 8, "safetensors.syntax"},
        Rule{"MissingComma", R"({"a":{"dtype":"F32" "shape":[2],"data_offsets":[0,8]}})", 8, "safetensors.syntax"},
        Rule{"SingleQuotes", R"({'a':{}})", 0, "safetensors.syntax"},
        Rule{"ByteOrderMark", "\xEF\xBB\xBF" + good, 8, "safetensors.syntax"},
        Rule{"DuplicateTensor",
             R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2,
             "safetensors.duplicate_tensor"},
        Rule{"DuplicateTensorByEscape",
             R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"\u0061":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2,
             "safetensors.duplicate_tensor"},
        Rule{"DuplicateMember", R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
             "safetensors.duplicate_key"},
        Rule{"DuplicateMetadata", R"({"__metadata__":{},"__metadata__":{}})", 0, "safetensors.duplicate_key"},
        Rule{"DuplicateInsideMetadata", R"({"__metadata__":{"k":"1","k":"2"}})", 0, "safetensors.duplicate_key"},
        Rule{"DuplicateUnknownMember", R"({"a":{"x":1,"x":2,"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
             "safetensors.duplicate_key"},
        Rule{"DuplicateInsideUnknownMember", R"({"a":{"x":{"y":1,"y":2},"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
             "safetensors.duplicate_key"},
        Rule{"NestingTooDeep", R"({"a":{"x":[[[1]]],"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "safetensors.syntax"}),
    infoName);

INSTANTIATE_TEST_SUITE_P(
    Tensor, Refused,
    testing::Values(
        Rule{"NotAnObject", R"({"a":[1]})", 0, "safetensors.unexpected"},
        Rule{"NoDtype", R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1, "safetensors.tensor_members"},
        Rule{"NoShape", R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1, "safetensors.tensor_members"},
        Rule{"NoOffsets", R"({"a":{"dtype":"U8","shape":[1]}})", 1, "safetensors.tensor_members"},
        Rule{"DtypeIsANumber", R"({"a":{"dtype":3,"shape":[1],"data_offsets":[0,1]}})", 1, "safetensors.unexpected"},
        Rule{"ShapeIsANumber", R"({"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1, "safetensors.unexpected"},
        Rule{"ShapeOfStrings", R"({"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", 1, "safetensors.unexpected"},
        Rule{"FloatDimension", R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", 1, "safetensors.number"},
        Rule{"ExponentDimension", R"({"a":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}})", 1, "safetensors.number"},
        Rule{"NegativeDimension", R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1, "safetensors.number"},
        Rule{"NegativeZero", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[-0,1]}})", 1, "safetensors.number"},
        Rule{"LeadingZero", R"({"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}})", 1, "safetensors.syntax"},
        Rule{"DimensionAbove64Bits", fmt::format(R"({{"a":{{"dtype":"U8","shape":[{}],"data_offsets":[0,1]}}}})", bigNumber), 1,
             "safetensors.number"},
        Rule{"OffsetAbove64Bits", fmt::format(R"({{"a":{{"dtype":"U8","shape":[1],"data_offsets":[0,{}]}}}})", bigNumber), 1,
             "safetensors.number"},
        Rule{"OneOffset", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1, "safetensors.unexpected"},
        Rule{"ThreeOffsets", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", 1, "safetensors.number"},
        Rule{"ShapeProductOverflows", R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,1]}})", 1,
             "safetensors.shape"},
        Rule{"ByteCountOverflows", R"({"a":{"dtype":"F64","shape":[4294967296,1073741824],"data_offsets":[0,1]}})", 1,
             "safetensors.tensor_bytes"},
        Rule{"ShapeProductWrapsToItsSize",
             R"({"a":{"dtype":"U8","shape":[4294967296,4294967296,4294967297],"data_offsets":[0,1]}})", 1, "safetensors.shape"},
        Rule{
            "RankAbove32",
            R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})",
            1, "safetensors.number"},
        Rule{"OffsetBeyondAnyFile",
             R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551614,18446744073709551615]}})", 1,
             "safetensors.offset"},
        Rule{"NameTooLong", "{\"" + std::string(70'000, 'n') + R"(":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
             "safetensors.long_name"},
        Rule{"MetadataIsAString", R"({"__metadata__":"text"})", 0, "safetensors.unexpected"}),
    infoName);

// Refused in strict use; in the lenient view a problem of severity error or warning, and the table is there.
class Defect : public testing::TestWithParam<Rule> {};

TEST_P(Defect, IsRefusedStrictlyAndExplainedLeniently) {
    const Rule& rule = GetParam();
    const std::string bytes = safetensorsFile(rule.header, rule.dataBytes);
    EXPECT_FALSE(openBytes(bytes, strict()));
    const auto model = openBytes(bytes, lenient());
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_TRUE(hasProblem(**model, rule.code));
    EXPECT_GE((*model)->problems.front().severity, Severity::Warning);
    EXPECT_EQ((*model)->problems.front().file, "test.safetensors");
    EXPECT_THAT((*model)->problems.front().message(), testing::Not(HasSubstr("{}")));
}

INSTANTIATE_TEST_SUITE_P(
    File, Defect,
    testing::Values(
        Rule{"HoleBeforeTheFirst", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[4,5]}})", 5, "safetensors.not_contiguous"},
        Rule{"HoleBetween",
             R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})", 4,
             "safetensors.not_contiguous"},
        Rule{"Overlap",
             R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", 4,
             "safetensors.not_contiguous"},
        Rule{"SameBytesTwice",
             R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})", 3,
             "safetensors.not_contiguous"},
        Rule{"EmptyTensorInsideAnother",
             R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[0],"data_offsets":[1,1]}})", 3,
             "safetensors.not_contiguous"},
        Rule{"TrailingBytes", good, 9, "safetensors.not_contiguous"},
        Rule{"BytesWithoutTensors", "{}", 3, "safetensors.not_contiguous"}, Rule{"CutShort", good, 7, "safetensors.cut_short"},
        Rule{"NoDataAtAll", good, 0, "safetensors.cut_short"},
        Rule{"EndsBeforeItBegins",
             R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,2]}})", 4,
             "safetensors.reversed"},
        Rule{"TooFewBytesForItsShape", R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8, "safetensors.size_mismatch"},
        Rule{"TooManyBytesForItsShape", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", 8,
             "safetensors.size_mismatch"},
        Rule{"ScalarWithoutBytes", R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,0]}})", 0, "safetensors.size_mismatch"},
        Rule{"HalfAByteOfF4", R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2, "safetensors.partial_byte"},
        Rule{"PartOfAByteOfF6", R"({"a":{"dtype":"F6_E2M3","shape":[3],"data_offsets":[0,3]}})", 3, "safetensors.partial_byte"},
        Rule{"UnknownDtype", R"({"a":{"dtype":"F3","shape":[8],"data_offsets":[0,3]}})", 3, "safetensors.unknown_dtype"},
        Rule{"LowerCaseDtype", R"({"a":{"dtype":"f32","shape":[1],"data_offsets":[0,4]}})", 4, "safetensors.unknown_dtype"},
        Rule{"DtypeOfGguf", R"({"a":{"dtype":"Q8_0","shape":[32],"data_offsets":[0,34]}})", 34, "safetensors.unknown_dtype"},
        Rule{"EmptyShapeThatOverflowsFirst", R"({"a":{"dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,0]}})", 0,
             "safetensors.shape_overflow"},
        Rule{"NameNotUtf8", "{\"a\xFF\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "safetensors.utf8"},
        Rule{"LoneSurrogate", R"({"a\ud800":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "safetensors.utf8"},
        Rule{"MetadataNotAString", R"({"__metadata__":{"epoch":3}})", 0, "safetensors.metadata_type"}),
    infoName);

// Accepted in both views, with something to know.
class Finding : public testing::TestWithParam<Rule> {};

TEST_P(Finding, IsToldAndNothingMore) {
    const Rule& rule = GetParam();
    for (const auto& options : {strict(), lenient()}) {
        const auto model = openBytes(safetensorsFile(rule.header, rule.dataBytes), options);
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_TRUE(hasProblem(**model, rule.code));
    }
}

INSTANTIATE_TEST_SUITE_P(
    File, Finding,
    testing::Values(Rule{"LeadingBlanks", " \n" + good, 8, "safetensors.leading_blanks"},
                    Rule{"UnknownMember", R"({"a":{"dtype":"U8","scale":2.5,"shape":[1],"data_offsets":[0,1]}})", 1,
                         "safetensors.unknown_member"},
                    Rule{"ControlCharactersInAName", R"({"a\n":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
                         "safetensors.control_characters"},
                    Rule{"CombiningMarkInAName", "{\"e\xCC\x81\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
                         "safetensors.combining_marks"},
                    Rule{"LongMetadata", R"({"__metadata__":{"k":")" + std::string(1'100'000, 'm') + "\"}}", 0,
                         "safetensors.long_metadata"}),
    infoName);

TEST(Length, FileShorterThanTheLength) {
    const auto model = openBytes("\x08\0\0", lenient());
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().reason, Reason("safetensors.too_short"));
}

TEST(Length, BeyondTheFile) {
    std::string bytes = safetensorsFile(good, 8);
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = '\xFF';
    const auto model = openBytes(bytes, lenient());
    ASSERT_FALSE(model);
    EXPECT_THAT(model.error().message(), HasSubstr("18,446,744,073,709,551,615 at byte 0 exceeds the file"));
}

TEST(Length, AboveTheCap) {
    formats::OpenOptions options;
    options.limits.headerBytes = 10;
    const auto model = openBytes(safetensorsFile(good, 8), options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::TooLarge);
}

TEST(Length, MoreTensorsThanTheCap) {
    formats::OpenOptions options;
    options.limits.tensorsPerFile = 1;
    EXPECT_TRUE(openBytes(safetensorsFile(good, 8), options));
    const char* two =
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})";
    EXPECT_FALSE(openBytes(safetensorsFile(two, 2), options));
}

TEST(Lenient, OnlyTensorsBeyondTheEndAreUnavailable) {
    const char* header =
        R"({"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]},"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
    const auto model = openBytes(safetensorsFile(header, 6), lenient());
    ASSERT_TRUE(model);
    EXPECT_EQ(tensorNamed(**model, "a")->source.unavailableWhy(), "");
    EXPECT_NE(tensorNamed(**model, "b")->source.unavailableWhy(), "");
    EXPECT_EQ(tensorNamed(**model, "b")->offset(), 8 + std::string_view(header).size() + 4);
}

TEST(Lenient, RangesAreAbsolute) {
    const char* header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[4,5]}})";
    const auto model = openBytes(safetensorsFile(header, 5), lenient());
    ASSERT_TRUE(model);
    const std::size_t start = 8 + std::string_view(header).size();
    EXPECT_EQ((*model)->problems.at(0).offset, start);
    EXPECT_THAT((*model)->problems.at(0).message(), HasSubstr(fmt::format("{} to {}", start, start + 4)));
}

TEST(Lenient, AnUnknownDtypeKeepsItsNameAndBytes) {
    const auto model = openBytes(safetensorsFile(R"({"a":{"dtype":"F3","shape":[8],"data_offsets":[0,3]}})", 3), lenient());
    ASSERT_TRUE(model);
    const TensorInfo& tensor = (*model)->tensors.at(0);
    EXPECT_EQ(tensor.dtypeName(), "F3");
    EXPECT_EQ(tensor.bytes(), 3u);
    EXPECT_NE(tensor.source.unavailableWhy(), "");
}

TEST(Lenient, ManyProblemsOfOneKindAreCounted) {
    std::string header = "{";
    for (int i = 0; i < 200; ++i)
        header +=
            fmt::format(R"({}"t{}":{{"dtype":"U8","shape":[1],"data_offsets":[{},{}]}})", i ? "," : "", i, 2 * i + 1, 2 * i + 2);
    const auto model = openBytes(safetensorsFile(header + "}", 400), lenient());
    ASSERT_TRUE(model);
    EXPECT_LE((*model)->problems.size(), 60u);
    EXPECT_THAT((*model)->problems.back().message(), HasSubstr("150 more problems"));
}

TEST(Good, EmptyModel) {
    const auto model = openBytes(safetensorsFile("{}", 0), strict());
    ASSERT_TRUE(model);
    EXPECT_TRUE((*model)->tensors.empty());
    EXPECT_TRUE((*model)->metadata.members.empty());
}

TEST(Good, EscapesInNames) {
    const char* header = R"({"\u00e9\ud83d\ude00\/\"":{"data_offsets" : [0, 1] , "shape":[1],"dtype":"BOOL"}}   )";
    const auto model = openBytes(safetensorsFile(header, 1), strict());
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->tensors.at(0).name, "é😀/\"");
}

TEST(Good, TensorsStayInStoredOrder) {
    const char* header =
        R"({"z":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    const auto model = openBytes(safetensorsFile(header, 2), strict());
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->tensors.at(0).name, "z");
}

bool sniffs(std::string_view bytes) { return sniff(std::as_bytes(std::span(bytes)), bytes.size()); }

TEST(Sniff, TellsHeadersFromOtherText) {
    EXPECT_TRUE(sniffs(safetensorsFile(good, 8)));
    EXPECT_TRUE(sniffs(safetensorsFile(" \n" + good, 8)));
    EXPECT_TRUE(sniffs(safetensorsFile(good, 8).substr(0, 30)));
    EXPECT_FALSE(sniffs("        {\"a\": 1}"));
    EXPECT_FALSE(sniffs("{\"a\": {}}"));
    EXPECT_FALSE(sniffs(std::string_view("GGUF\x03\0\0\0\0\0\0\0", 12)));
    EXPECT_FALSE(sniffs(""));
}

} // namespace
} // namespace wb::safetensors
