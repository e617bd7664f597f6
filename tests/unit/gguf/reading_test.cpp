// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/gguf/opening.h"

#include <random>

namespace wb {
namespace {

using namespace test;
using ReadingBuilder = GgufBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t readingF32 = 0;

std::string floats(const ReadingBuilder& builder, std::initializer_list<float> values) {
    std::string out;
    for (const float value : values) out += builder.number(value);
    return out;
}

std::vector<float> modelValues(const Model& model, std::size_t tensor) {
    const TensorInfo& info = model.tensors.at(tensor);
    std::vector<float> out(info.shape.elements());
    std::vector<std::byte> scratch;
    const auto reader = TensorReader::open(model, info);
    EXPECT_TRUE(reader) << reader.error().message();
    EXPECT_TRUE(reader && reader->readF32(0, out, scratch));
    return out;
}

// Every kind of value once, and two tensors.
ReadingBuilder sample(std::uint32_t version, bool bigEndian) {
    ReadingBuilder b(version, bigEndian);
    b.pair("general.architecture", "llama")
        .pair("u8", ReadingBuilder::U8, b.number(std::uint8_t{200}))
        .pair("i8", ReadingBuilder::I8, b.number(std::int8_t{-5}));
    b.pair("u16", ReadingBuilder::U16, b.number(std::uint16_t{60'000}))
        .pair("i16", ReadingBuilder::I16, b.number(std::int16_t{-6}));
    b.pair("u32", 4'000'000'000u).pair("i32", ReadingBuilder::I32, b.number(-7)).pair("f32", ReadingBuilder::F32, b.number(1.5f));
    b.pair("bool", ReadingBuilder::Bool, "\1")
        .pair("u64", ReadingBuilder::U64, b.number(~0ull))
        .pair("i64", ReadingBuilder::I64, b.number(std::int64_t{-8}));
    b.pair("f64", ReadingBuilder::F64, b.number(0.1))
        .pair("array", ReadingBuilder::Array,
              b.arrayHead(ReadingBuilder::I16, 2) + b.number(std::int16_t{1}) + b.number(std::int16_t{-2}));
    b.texts("texts", {"a", "", "ä"});
    b.tensor("x", {2, 3}, readingF32, floats(b, {1, 2, 3, 4, 5, 6}));
    std::string halves;
    for (const std::uint16_t half : {std::uint16_t{0x3C00}, std::uint16_t{0xC000}}) halves += b.number(half); // 1, -2
    return b.tensor("y", {2}, 1, halves);
}

const std::vector<std::string> sampleSummaries = {"llama",   "200",
                                                  "-5",      "60000",
                                                  "-6",      "4000000000",
                                                  "-7",      "1.5",
                                                  "true",    "18446744073709551615",
                                                  "-8",      "0.1",
                                                  "[1, -2]", "[\"a\", \"\", \"ä\"]"};

class GgufVersions : public testing::TestWithParam<std::pair<std::uint32_t, bool>> {};

TEST_P(GgufVersions, ReadsEveryKindOfValueAndTensor) {
    const auto [version, bigEndian] = GetParam();
    const auto opened = openLenient(sample(version, bigEndian).build());
    ASSERT_TRUE(opened) << opened.error().message();
    const Model& model = **opened;
    EXPECT_EQ(model.version, fmt::format("{}", version));
    EXPECT_EQ(model.bigEndian, bigEndian);
    std::vector<std::string> summaries;
    for (const Member& member : model.metadata.members) summaries.push_back(summary(member.value));
    EXPECT_EQ(summaries, sampleSummaries);
    ASSERT_EQ(model.tensors.size(), 2u);
    EXPECT_EQ(model.tensors[0].shape.toString(), "[3, 2]");
    EXPECT_THAT(modelValues(model, 0), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(modelValues(model, 1), ElementsAre(1, -2));
}

INSTANTIATE_TEST_SUITE_P(All, GgufVersions,
                         testing::Values(std::pair(1u, false), std::pair(2u, false), std::pair(3u, false), std::pair(1u, true),
                                         std::pair(2u, true), std::pair(3u, true)));

TEST(GgufReading, StrictTakesVersionTwoAndThree) {
    for (const std::uint32_t version : {2u, 3u}) {
        const auto opened = openStrict(sample(version, false).build());
        ASSERT_TRUE(opened) << opened.error().message();
        EXPECT_THAT(openingProblems(**opened), IsEmpty());
    }
}

TEST(GgufReading, FileOfNothingButItsHeader) {
    const auto opened = openStrict(ReadingBuilder().build());
    ASSERT_TRUE(opened);
    EXPECT_THAT((*opened)->tensors, IsEmpty());
    EXPECT_FALSE((*opened)->architecture);
}

TEST(GgufReading, DimensionsOfZeroAreEmptyTensors) {
    const auto opened = openStrict(ReadingBuilder()
                                       .pair("general.architecture", "x")
                                       .tensor("a", {0, 5}, readingF32, "")
                                       .tensor("b", {1}, readingF32, "1234")
                                       .build());
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->tensors[0].shape.toString(), "[5, 0]");
    EXPECT_EQ((*opened)->tensors[0].bytes(), 0u);
    EXPECT_THAT(modelValues(**opened, 0), IsEmpty());
    EXPECT_THAT(openingProblems(**opened), IsEmpty());
}

TEST(GgufReading, ScalarsHaveNoDimensions) {
    const auto opened = openStrict(ReadingBuilder().tensor("a", {}, readingF32, "1234").build());
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->tensors[0].shape.toString(), "[]");
}

TEST(GgufReading, AnyPowerOfTwoIsAnAlignment) {
    for (const std::uint32_t alignment : {1u, 2u, 8u, 16u, 64u, 4096u}) {
        ReadingBuilder b;
        b.alignment = alignment;
        b.pair("general.architecture", "x")
            .pair("general.alignment", alignment)
            .tensor("a", {1}, readingF32, floats(b, {7}))
            .tensor("b", {1}, readingF32, floats(b, {8}));
        const auto opened = openStrict(b.build());
        ASSERT_TRUE(opened) << alignment << ' ' << opened.error().message();
        EXPECT_THAT(modelValues(**opened, 1), ElementsAre(8));
        EXPECT_THAT(openingProblems(**opened), IsEmpty());
    }
}

TEST(GgufReading, LongArraysKeepTheirBeginning) {
    std::vector<std::string> tokens;
    for (int i = 0; i < 1000; ++i) tokens.push_back(fmt::format("token {}", i));
    const auto opened =
        openStrict(ReadingBuilder().texts("long", tokens).texts("short", {tokens.begin(), tokens.begin() + 64}).build());
    ASSERT_TRUE(opened);
    const auto* array = (*opened)->metadata.find("long")->array();
    EXPECT_EQ(array->count, 1000u);
    EXPECT_EQ(array->first.size(), 16u);
    EXPECT_TRUE((*opened)->metadata.find("short")->array()->complete());
    const auto slice = gguf::readArray(**opened, "long", 998, 2);
    ASSERT_TRUE(slice);
    EXPECT_EQ(*slice->at(0).string(), "token 998");
    EXPECT_EQ(*slice->at(1).string(), "token 999");
    EXPECT_EQ(gguf::readArray(**opened, "short", 63, 1)->at(0).string()->substr(), "token 63");
}

TEST(GgufReading, ListsOfOneNumberForEachLayerAreKeptWhole) {
    const auto kept = [](std::uint64_t count) {
        ReadingBuilder b;
        std::string values = b.arrayHead(ReadingBuilder::U32, count);
        for (std::uint32_t i = 0; i < count; ++i) values += b.number(i);
        const auto opened = openStrict(b.pair("numbers", ReadingBuilder::Array, values).build());
        return opened ? (*opened)->metadata.find("numbers")->array()->first.size() : 0;
    };
    EXPECT_EQ(kept(512), 512u);
    EXPECT_EQ(kept(513), 16u);
}

TEST(GgufReading, ArraysOfABigEndianFileAreReadInSlices) {
    ReadingBuilder b(3, true);
    std::string values = b.arrayHead(ReadingBuilder::U32, 1000);
    for (std::uint32_t i = 0; i < 1000; ++i) values += b.number(i * 3);
    const auto opened = openLenient(b.pair("numbers", ReadingBuilder::Array, values).build());
    ASSERT_TRUE(opened);
    const auto slice = gguf::readArray(**opened, "numbers", 500, 2);
    ASSERT_TRUE(slice);
    EXPECT_EQ(slice->at(1).unsignedNumber(), 1503u);
}

TEST(GgufReading, TextThatIsNotUtf8IsReplacedAndNoted) {
    const auto opened = openStrict(ReadingBuilder()
                                       .pair("general.architecture", "x")
                                       .pair("name", "ab\xFF"
                                                     "c")
                                       .tensor("t\xC3", {1}, readingF32, "1234")
                                       .build());
    ASSERT_TRUE(opened);
    EXPECT_EQ(*(*opened)->metadata.find("name")->string(), "ab\xEF\xBF\xBD"
                                                           "c");
    EXPECT_EQ((*opened)->tensors[0].name, "t\xEF\xBF\xBD");
    EXPECT_THAT(openingProblems(**opened), ElementsAre("note gguf.not_utf8", "note gguf.not_utf8"));
}

TEST(GgufReading, NamesWithControlCharactersStayOnOneLineOfASentence) {
    const std::string bytes = ReadingBuilder().pair("general.architecture", "x").tensor("a\n\x1B[2J", {5}, 2, "").build();
    expectRefused(openStrict(bytes), "a\\n\\u001b[2J");
}

TEST(GgufReading, TruthValuesBeyondOneAreNoted) {
    const auto opened =
        openStrict(ReadingBuilder().pair("general.architecture", "x").pair("b", ReadingBuilder::Bool, "\7").build());
    ASSERT_TRUE(opened);
    EXPECT_EQ(summary(*(*opened)->metadata.find("b")), "true");
    EXPECT_THAT(openingProblems(**opened), ElementsAre("note gguf.bool"));
}

TEST(GgufReading, VeryLongTextsAreCut) {
    formats::OpenOptions options;
    options.limits.keptStringBytes = 100;
    const std::string bytes = ReadingBuilder().pair("long", std::string(1000, 'x')).pair("next", 7u).build();
    const auto opened = gguf::open(std::make_shared<io::MemorySource>(fileName, toBytes(bytes)), options);
    ASSERT_TRUE(opened);
    EXPECT_LE((*opened)->metadata.find("long")->string()->size(), 100u);
    EXPECT_THAT(openingProblems(**opened), testing::Contains("note gguf.long_text"));
    EXPECT_NE((*opened)->metadata.find("next"), nullptr) << "names are kept whole behind it";
}

TEST(GgufReading, AMillionPairsAreRead) {
    ReadingBuilder b;
    for (int i = 0; i < 1'000'000; ++i) b.pair(fmt::format("k{}", i), ReadingBuilder::U8, "x");
    const auto opened = openStrict(b.build());
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->metadata.members.size(), 1'000'000u);
}

TEST(GgufReading, ManyProblemsOfOneKindAreCounted) {
    ReadingBuilder b;
    for (int i = 0; i < 500; ++i) b.tensor(fmt::format("t{}", i), {1}, 99, "");
    const auto opened = openLenient(b.build());
    ASSERT_TRUE(opened);
    EXPECT_LT((*opened)->problems.size(), 150u);
    EXPECT_THAT(openingProblems(**opened), testing::Contains("warning gguf.type"));
}

TEST(GgufReading, AStoppedOpenIsCanceled) {
    std::stop_source stop;
    stop.request_stop();
    formats::OpenOptions options;
    options.progress.stop = stop.get_token();
    const auto opened = gguf::open(std::make_shared<io::MemorySource>(fileName, toBytes(sample(3, false).build())), options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::Canceled);
}

TEST(GgufReading, TensorsLimitIsKept) {
    formats::OpenOptions options;
    options.limits.tensorsPerFile = 1;
    const auto opened = gguf::open(std::make_shared<io::MemorySource>(fileName, toBytes(sample(3, false).build())), options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::TooLarge);
}

// ---- damage

TEST(GgufDamage, CutAtAnyByteIsRefusedOrShownWithAnError) {
    const ReadingBuilder builder = sample(3, false);
    const std::string whole = builder.build();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const std::string bytes = whole.substr(0, size);
        const auto strict = openStrict(bytes);
        const auto lenient = openLenient(bytes);
        if (!strict) expectSentence(strict.error());
        if (!lenient) {
            EXPECT_LT(size, builder.infosAt() + 60) << "the first tensor was there";
            expectSentence(lenient.error());
        } else if (!strict) {
            EXPECT_THAT(openingProblems(**lenient), testing::Contains("error gguf.not_loadable")) << size;
        }
    }
}

TEST(GgufDamage, CutInsideTheTensorListShowsTheTensorsBefore) {
    const ReadingBuilder builder = sample(3, false);
    const std::size_t firstInfo = builder.text("x").size() + 4 + 16 + 4 + 8;
    const auto model = expectShown(builder.build().substr(0, builder.infosAt() + firstInfo + 3), "error gguf.cut_in_list");
    ASSERT_EQ(model->tensors.size(), 1u);
    EXPECT_EQ(model->tensors[0].name, "x");
    EXPECT_EQ(model->tensors[0].bytes(), 24u);
    EXPECT_NE(model->tensors[0].source.unavailableWhy(), "");
    EXPECT_FALSE(TensorReader::open(*model, model->tensors[0]));
}

TEST(GgufDamage, MutatedFilesNeverCrash) {
    std::vector<std::string> seeds = {sample(3, false).build(), sample(1, false).build(), sample(2, true).build()};
    std::mt19937 random(20'260'101);
    const std::array<std::uint8_t, 8> telling = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0x08, 0x09, 0x40};
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = seeds[random() % seeds.size()];
        for (std::size_t change = 1 + random() % 4; change > 0; --change) {
            const std::size_t at = random() % bytes.size();
            bytes[at] = static_cast<char>(random() % 2 ? telling[random() % telling.size()] : random());
        }
        const auto lenient = openLenient(bytes);
        const auto strict = openStrict(bytes);
        if (!lenient) expectSentence(lenient.error());
        if (!strict) expectSentence(strict.error());
        EXPECT_TRUE(!lenient || strict || !(*lenient)->problems.empty());
        EXPECT_TRUE(lenient || !strict);
        if (HasFailure()) break;
    }
}

} // namespace
} // namespace wb
