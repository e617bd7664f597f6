// SPDX-License-Identifier: MIT
#include "core/formats/tensorflow/tensorflow.h"

#include "core/formats/table/table.h"
#include "core/formats/tensorflow/slices.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace wb::tensorflow {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

Result<Model> load(const std::string& name, std::vector<std::byte> bytes) {
    const formats::Sources sources{std::make_shared<io::MemorySource>(name, std::move(bytes))};
    WB_TRY_ASSIGN(auto index, readIndex(sources, {}, {}));
    return formats::modelFromIndex(std::move(index), sources);
}

std::vector<float> modelValues(const Model& model, const std::string& name) {
    const auto tensor = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (tensor == model.tensors.end()) return {};
    const auto reader = TensorReader::open(model, *tensor);
    if (!reader) return {};
    std::vector<float> values(reader->elements());
    std::vector<std::byte> scratch;
    if (!reader->readF32(0, values, scratch)) return {};
    return values;
}

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3) + varint(value); }
std::string bytes(unsigned field, const std::string& content) { return varint(field << 3 | 2) + varint(content.size()) + content; }
std::string dims(const std::vector<std::uint64_t>& sides) {
    std::string shape;
    for (const std::uint64_t side : sides) shape += bytes(2, number(1, side));
    return bytes(2, shape);
}
std::string constant(const std::string& tensor) {
    return bytes(1, bytes(1, "w") + bytes(2, "Const") + bytes(5, bytes(1, "value") + bytes(2, bytes(8, tensor))));
}

TEST(TensorFlow, Files) {
    WB_NEED_SHARED("fixtures/tensorflow");
    for (const char* name : {"frozen_v1.pb", "frozen_v2.pb", "frozen_v1.pbtxt", "tensor_protos.pb"}) {
        SCOPED_TRACE(name);
        const auto model = open(test::shared() / "fixtures/tensorflow" / name, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, std::string("tensorflow/") + name), 0u);
        EXPECT_EQ((*model)->format, FormatId::TfGraph);
        EXPECT_TRUE((*model)->problems.empty());
    }
}

TEST(TensorFlow, Folders) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const auto expect = [](const char* name, FormatId format, std::size_t strings) {
        SCOPED_TRACE(name);
        const auto folder = test::shared() / "fixtures/tensorflow" / name;
        EXPECT_TRUE(isFolder(folder));
        const auto model = openFolder(folder, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, std::string("tensorflow/") + name), strings);
        EXPECT_EQ((*model)->format, format);
        for (const Problem& problem : (*model)->problems) EXPECT_NE(problem.severity, Severity::Error) << problem.message();
    };
    expect("checkpoint_v1", FormatId::TfCheckpoint, 0);
    expect("checkpoint_v2_sliced", FormatId::TfCheckpoint, 0);
    expect("checkpoint_sharded", FormatId::TfCheckpoint, 2);
    expect("saved_model", FormatId::SavedModel, 2);
    expect("saved_keras", FormatId::SavedModel, 1);
}

// Two checkpoints with the same names in one folder: each tensor against the one of its own.
TEST(TensorFlow, FolderOfSeveralCheckpoints) {
    WB_NEED_SHARED("fixtures/tensorflow/checkpoint_v2");
    const auto folder = test::shared() / "fixtures/tensorflow/checkpoint_v2";
    const auto model = openFolder(folder, {});
    ASSERT_TRUE(model) << model.error().message();
    const auto wanted = nlohmann::json::parse(std::ifstream(folder.string() + ".expected.json"))["tensors"];
    EXPECT_EQ((*model)->tensors.size(), wanted.size());
    for (const auto& one : wanted) {
        const auto isIt = [&](const TensorInfo& tensor) {
            return tensor.name == one["name"].get<std::string>() && tensor.details &&
                   tensor.details->group == one["checkpoint"].get<std::string>() &&
                   (one["sha256"].is_null() || test::hashOfValues(**model, tensor) == one["sha256"].get<std::string>());
        };
        EXPECT_EQ(std::ranges::count_if((*model)->tensors, isIt), 1) << one["name"];
    }
}

TEST(TensorFlow, Corpus) {
    WB_NEED_SHARED("corpus/savedmodel");
    const auto corpus = test::shared() / "corpus";
    const auto half = openFolder(corpus / "savedmodel/saved_model_half_plus_two_cpu/00000123", {});
    ASSERT_TRUE(half) << half.error().message();
    EXPECT_THAT(modelValues(**half, "a"), testing::ElementsAre(0.5F));
    EXPECT_THAT(modelValues(**half, "c2"), testing::ElementsAre(3));
    const auto second = openFolder(corpus / "savedmodel/saved_model_half_plus_two_tf2_cpu/00000123", {});
    ASSERT_TRUE(second) << second.error().message();
    EXPECT_THAT(modelValues(**second, "b/.ATTRIBUTES/VARIABLE_VALUE"), testing::ElementsAre(2));
    const auto old = openFolder(corpus / "tf_v1/testdata/half_plus_two/00000123", {});
    ASSERT_TRUE(old) << old.error().message();
    EXPECT_EQ((*old)->version, "V1");
    EXPECT_THAT(modelValues(**old, "a"), testing::ElementsAre(0.5F));
    EXPECT_THAT(modelValues(**old, "b"), testing::ElementsAre(2));
    const auto bad = openFolder(corpus / "tf_v1/tensorflow/testdata/bad_half_plus_two/00000123", {});
    ASSERT_TRUE(bad) << bad.error().message();
    EXPECT_THAT(modelValues(**bad, "Variable"), testing::ElementsAre(0.5F));
    const auto face = openFolder(corpus / "face_detector/tf/export_models/RFB", {});
    ASSERT_TRUE(face) << face.error().message();
    EXPECT_EQ((*face)->tensors.size(), 210u);
    EXPECT_EQ(std::ranges::count_if((*face)->tensors, &TensorInfo::isReadable), 209);
}

TEST(TensorFlow, OneValueForAll) {
    const auto model = load("g.pb", test::toBytes(constant(number(1, 3) + dims({2, 3}) + number(7, 5))));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_THAT(modelValues(*model, "w"), testing::ElementsAre(5, 5, 5, 5, 5, 5));
    EXPECT_EQ(model->tensors[0].bytes(), 4u) << "kept once";
    const auto huge = load("g.pb", test::toBytes(constant(number(1, 3) + dims({1ull << 40}) + number(7, 5))));
    ASSERT_TRUE(huge);
    EXPECT_TRUE(TensorReader::open(*huge, huge->tensors.at(0))) << "a shape costs nothing";
    const auto some = load("g.pb", test::toBytes(constant(number(1, 3) + dims({4}) + number(7, 5) + number(7, 6))));
    ASSERT_TRUE(some);
    EXPECT_THAT(modelValues(*some, "w"), testing::ElementsAre(5, 6, 6, 6));
}

TEST(TensorFlow, ValuesThatDoNotFit) {
    for (const std::string& tensor :
         {number(1, 1) + dims({2}) + bytes(4, "abc"), number(1, 1) + dims({1}) + bytes(4, "abcdefgh"),
          number(1, 1) + dims({~0ull}) + bytes(4, "abcd"), number(1, 1) + dims({1ull << 62, 4}) + bytes(4, "abcd"),
          number(1, 3) + dims({1ull << 40}) + number(7, 5) + number(7, 6)}) {
        const auto model = load("g.pb", test::toBytes(constant(tensor)));
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_FALSE(model->tensors.at(0).isReadable());
        EXPECT_EQ(model->problems.size(), 1u);
    }
}

TEST(TensorFlow, TextThatIsNone) {
    for (const char* text : {"node {", "node { name: \"a }", "node { name }", "node { attr { key: \"\\9\" }", "}", "node: [ {",
                             "node { name: \"\\x\" }"}) {
        const auto model = load("g.pbtxt", test::toBytes(text));
        ASSERT_FALSE(model) << text;
        EXPECT_THAT(model.error().message(), HasSubstr("g.pbtxt"));
    }
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "node {";
    EXPECT_FALSE(load("g.pbtxt", test::toBytes(deep)));
    const auto fine = load(
        "g.pbtxt",
        test::toBytes("# a comment\nnode: < name: 'w' op: \"Co\" \"nst\" attr { key: \"value\" value { tensor { dtype: DT_FLOAT "
                      "tensor_shape { dim { size: 3 } } float_val: [1.5, -inf, 2f] } } } > versions { producer: 1 }"));
    ASSERT_TRUE(fine) << fine.error().message();
    EXPECT_THAT(modelValues(*fine, "w"), testing::ElementsAre(1.5F, -HUGE_VALF, 2.0F));
}

TEST(TensorFlow, OperatorsThatReachOutAreNamed) {
    const auto model = load("g.pb", test::toBytes(bytes(1, bytes(1, "r") + bytes(2, "ReadFile"))));
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ(model->problems.size(), 1u);
    EXPECT_THAT(model->problems[0].message(), HasSubstr("ReadFile"));
}

TEST(Slices, KeysAreThoseOfTheOrderedCode) {
    // From the checkpoint that TensorFlow wrote: the key of a box of "part".
    EXPECT_EQ(sliceKey("p", {{0, 4}, {0, -1}}), "\x00p\x00\x01\x01\x02\x80\x84\x80\x7F"s);
    EXPECT_EQ(sliceKey("p", {{64, 8191}}), "\x00p\x00\x01\x01\x01\xC0\x40\xDF\xFF"s);
}

TEST(Slices, MustFillTheWhole) {
    const Shape shape = *Shape::make({4, 2});
    EXPECT_TRUE(slicePieces(shape, 4, {{{{0, 2}, {0, -1}}, 0, 0, 16}, {{{2, 2}, {0, -1}}, 0, 16, 16}}));
    const auto columns = slicePieces(shape, 4, {{{{0, -1}, {0, 1}}, 0, 0, 16}, {{{0, -1}, {1, 1}}, 0, 16, 16}});
    ASSERT_TRUE(columns);
    EXPECT_EQ(columns->size(), 8u);
    EXPECT_FALSE(slicePieces(shape, 4, {{{{0, 2}, {0, -1}}, 0, 0, 16}})) << "a gap";
    EXPECT_FALSE(slicePieces(shape, 4, {{{{0, 4}, {0, -1}}, 0, 0, 32}, {{{2, 2}, {0, -1}}, 0, 16, 16}})) << "twice";
    EXPECT_FALSE(slicePieces(shape, 4, {{{{0, 5}, {0, -1}}, 0, 0, 40}})) << "outside";
    EXPECT_FALSE(slicePieces(shape, 4, {{{{0, 4}, {0, -1}}, 0, 0, 31}})) << "other bytes";
    EXPECT_FALSE(slicePieces(shape, 4, {{{{-1, 4}, {0, -1}}, 0, 0, 32}}));
}

TEST(Table, ChecksumsAndSnappy) {
    EXPECT_EQ(table::crc32c(test::toBytes("123456789")), 0xE3069283u);
    EXPECT_EQ(table::unsnap(test::toBytes("\x05\x10hello"), 100), test::toBytes("hello"));
    EXPECT_EQ(table::unsnap(test::toBytes("\x08\x04"s + "ab" + "\x09\x02"), 100), test::toBytes("abababab")) << "a copy of itself";
    for (const auto& wrong :
         {"\x05\x10hell"s, "\x04\x10hello"s, "\x08\x04"s + "ab" + "\x09\x03", "\x08\x04"s + "ab" + "\x09\x00"s, "\xFF"s, ""s})
        EXPECT_FALSE(table::unsnap(test::toBytes(wrong), 100)) << wrong;
    EXPECT_FALSE(table::unsnap(test::toBytes("\x05\x10hello"), 4));
}

TEST(TensorFlow, IsCutAndBentWithoutHarm) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const auto folder = test::shared() / "fixtures/tensorflow";
    const auto files = {folder / "frozen_v1.pb", folder / "frozen_v1.pbtxt", folder / "checkpoint_v1/model.ckpt-100",
                        folder / "checkpoint_v2/ckpt-10.index", folder / "saved_model/saved_model.pb"};
    for (const auto& file : files) {
        const std::string name = file.filename().string();
        const auto whole = test::readFile(file);
        const auto touch = [&](std::vector<std::byte> content) {
            const auto model = load(name, std::move(content));
            if (!model) {
                EXPECT_THAT(model.error().message(), HasSubstr(name));
                return;
            }
            for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
        };
        for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 400)
            touch({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
        for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 400) {
            auto bent = whole;
            bent[at] ^= std::byte{0xFF};
            touch(std::move(bent));
        }
    }
}

TEST(TensorFlow, AMissingShardLeavesTheRest) {
    WB_NEED_SHARED("fixtures/tensorflow/checkpoint_sharded");
    test::TemporaryFolder folder;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "fixtures/tensorflow/checkpoint_sharded"))
        if (entry.path().filename() != "model.data-00001-of-00006")
            std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
    const auto model = openFolder(folder.path(), {});
    ASSERT_TRUE(model) << model.error().message();
    std::size_t missing = 0;
    for (const TensorInfo& tensor : (*model)->tensors) missing += tensor.source.form() == TensorSource::Form::Unavailable ? 1 : 0;
    EXPECT_GT(missing, 0u);
    EXPECT_LT(missing, (*model)->tensors.size());
}

} // namespace
} // namespace wb::tensorflow
