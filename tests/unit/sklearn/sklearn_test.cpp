// SPDX-License-Identifier: MIT
#include "core/formats/sklearn/sklearn.h"

#include "core/formats/stream/stream.h"
#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace wb::sklearn {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

std::vector<std::string> fixtureNames() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "fixtures/runtime/sklearn", ignored))
        if (const std::string name = entry.path().filename().string(); name.ends_with(".pkl") || name.ends_with(".joblib"))
            names.push_back(name);
    std::ranges::sort(names);
    return names;
}

Result<Model> load(const std::string& name, std::vector<std::byte> bytes) {
    const formats::Sources sources{std::make_shared<io::MemorySource>(name, std::move(bytes))};
    WB_TRY_ASSIGN(auto index, readIndex(sources, {}, {}));
    return formats::modelFromIndex(std::move(index), sources, unpack);
}

class SklearnFixtures : public testing::TestWithParam<std::string> {};

TEST_P(SklearnFixtures, HoldWhatTheirMakerSays) {
    const auto path = test::shared() / "fixtures/runtime/sklearn" / GetParam();
    const auto model = open(path, {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ(test::expectTruth(**model, "runtime/sklearn/" + GetParam()), 0u);
    EXPECT_EQ((*model)->format, GetParam().ends_with(".joblib") ? FormatId::Joblib : FormatId::Pickle);
    const auto expected = nlohmann::json::parse(std::ifstream(path.string() + ".expected.json"));
    if (!expected.contains("globals") || GetParam().find("joblib") != std::string::npos) return;
    std::set<std::string> globals;
    for (const ScannedFile& file : (*model)->danger->files)
        for (const DangerousName& name : file.globals) globals.insert(name.module + " " + name.name);
    EXPECT_EQ(globals, expected["globals"].get<std::set<std::string>>());
}

TEST_P(SklearnFixtures, AreCutWithoutHarm) {
    const auto whole = test::readFile(test::shared() / "fixtures/runtime/sklearn" / GetParam());
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 60) {
        const auto model = load("cut.pkl", {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
        if (!model) {
            EXPECT_THAT(model.error().message(), HasSubstr("cut.pkl"));
            continue;
        }
        for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SklearnFixtures, testing::ValuesIn(fixtureNames()), [](const auto& name) {
    std::string out;
    for (const char c : name.param) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SklearnFixtures);

TEST(Sklearn, CorpusPickle) {
    WB_NEED_SHARED("corpus/sklearn/example.pkl");
    const auto model = open(test::shared() / "corpus/sklearn/example.pkl", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->version, "protocol 3");
    EXPECT_EQ((*model)->danger->level(), DangerLevel::B);
    EXPECT_FALSE((*model)->tensors.empty());
}

TEST(Sklearn, WhatIsNoPickleIsRefused) {
    for (const std::string& bytes : {"\x80\x02\xFF"s, "\x80"s, ""s}) {
        const auto model = load("a.pkl", test::toBytes(bytes));
        ASSERT_FALSE(model);
        EXPECT_THAT(model.error().message(), HasSubstr("a.pkl"));
    }
}

// joblib.dump of scikit-learn before 0.22: the wrapper has the module's old place, its bytes follow its state.
TEST(Sklearn, ReadsArraysOfItsOwnCopyOfJoblib) {
    const std::string dtype = "cnumpy\ndtype\n(U\2f4K\0K\1tR(K\3U\1<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"s;
    const auto model =
        load("old.joblib", test::toBytes("\x80\2}(U\1wcsklearn.externals.joblib.numpy_pickle\nNumpyArrayWrapper\n)\x81}("
                                         "U\5shapeK\2\x85U\5orderU\1CU\5dtype"s +
                                         dtype + "ub\0\0\x80\x3f\0\0\0\x40U\2lrK\3u."s));
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ(model->tensors.size(), 1u);
    EXPECT_EQ(model->tensors[0].name, "w");
    EXPECT_TRUE(model->tensors[0].isReadable());
    EXPECT_EQ(model->format, FormatId::Joblib);
    EXPECT_EQ(model->danger->verdict(), Verdict::Clean);
    EXPECT_TRUE(model->problems.empty());
}

TEST(Sklearn, PrintsNumpyScalarsOfKeysAsNumbers) {
    const std::string dtype = "cnumpy\ndtype\n(U\2i8K\0K\1tR(K\3U\1<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"s;
    const auto model = load(
        "keys.pkl", test::toBytes("\x80\2}U\1w}(cnumpy.core.multiarray\nscalar\n"s + dtype + "U\x08\2\0\0\0\0\0\0\0\x86RK\7us."s));
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ(model->metadata.members.size(), 1u);
    EXPECT_EQ(model->metadata.members[0].key, "w.2");
}

// The number of names that these lists describe is 2^60.
TEST(Sklearn, EndsWhereListsHoldEachOtherTwice) {
    std::string lists = "]K\1a";
    for (int i = 1; i < 60; ++i) lists = "](" + lists + "q" + static_cast<char>(i) + "h" + static_cast<char>(i) + "e";
    const auto model = load("lists.pkl", test::toBytes("\x80\2"s + lists + "."));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_LE(model->metadata.members.size(), 4096u);
}

TEST(Sklearn, CodeIsNamedAndNeverRun) {
    const auto model = load("a.pkl", test::toBytes("\x80\x02\x63posix\nsystem\nU\x04true\x85R."s));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ(model->danger->verdict(), Verdict::Dangerous);
}

// Of the words "weigh weigh weigh weigh weigh\n", by the tools gzip, bzip2, xz, xz --format=lzma, lz4 and zstd, and by
// Python's zlib.
TEST(Stream, UnpacksAndRefusesDamage) {
    const std::string words = "weigh weigh weigh weigh weigh\n";
    const std::vector<std::pair<stream::StreamKind, std::string>> packed = {
        {stream::StreamKind::Gzip, "1f8b08000000000002032b4fcd4ccf5028c74e7201006890a2d21e000000"},
        {stream::StreamKind::Zlib, "789c2b4fcd4ccf5028c74e720100aef40aef"},
        {stream::StreamKind::Bzip2,
         "425a6839314159265359d5ce780f00000ed1800010400002e000802000310c008a867aa62492492417c5dc914e142435739e03c0"},
        {stream::StreamKind::Xz,
         "fd377a585a000004e6d6b4460200210116000000742fe5a3e0001d000e5d003b994971eaa37a335d28605400000000009aad0e4"
         "68cae623600012a1e6044e2b51fb6f37d010000000004595a"},
        {stream::StreamKind::Lzma, "5d00008000ffffffffffffffff003b994971eaa37a335d28a2138fffffe1170000"},
        {stream::StreamKind::Lz4, "04224d1868401e0000000000000089100000006f77656967682006000050656967680a00000000"},
        {stream::StreamKind::Zstd, "28b52ffd201e6d0000387765696768200a0100a94b11"},
        {stream::StreamKind::Joblib, "5a4630783165202020202020202020202020202020789c2b4fcd4ccf5028c74e720100aef40aef"}};
    for (const auto& [kind, hex] : packed) {
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
            bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
        SCOPED_TRACE(stream::name(kind));
        EXPECT_EQ(stream::sniff(bytes), kind);
        const auto out = stream::unpack(io::MemorySource("a.bin", bytes), kind, 1000, {});
        ASSERT_TRUE(out) << out.error().message();
        EXPECT_EQ(*out, test::toBytes(words));
        EXPECT_EQ(stream::unpack(io::MemorySource("a.bin", bytes), kind, 10, {}).error().code, ErrorCode::TooLarge);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const auto cut = stream::unpack(
                io::MemorySource("a.bin", {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}), kind, 1000, {});
            if (cut) { // only padding was cut
                EXPECT_EQ(*cut, test::toBytes(words)) << length;
            } else {
                EXPECT_THAT(cut.error().message(), HasSubstr("a.bin"));
            }
        }
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            auto bent = bytes;
            bent[at] ^= std::byte{0x55};
            (void)stream::unpack(io::MemorySource("a.bin", bent), kind, 100'000, {});
        }
    }
}

} // namespace
} // namespace wb::sklearn
