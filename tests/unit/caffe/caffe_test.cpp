// SPDX-License-Identifier: MIT
#include "core/formats/caffe/caffe.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::caffe {
namespace {

using testing::HasSubstr;

std::string field(unsigned number, const std::string& content) {
    std::string out;
    const auto varint = [&](std::size_t value) {
        for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
        out += static_cast<char>(value);
    };
    varint(number << 3 | 2);
    varint(content.size());
    return out + content;
}
std::string number(unsigned field, unsigned value) { return {static_cast<char>(field << 3), static_cast<char>(value)}; }

// A layer with one blob of these bytes and sides.
std::string layer(const std::string& data, std::initializer_list<unsigned> sides) {
    std::string dims;
    for (const unsigned side : sides) dims += static_cast<char>(side);
    return field(100, field(1, "fc") + field(2, "InnerProduct") + field(7, field(7, field(1, dims)) + field(5, data)));
}

Result<formats::Index> read(const std::string& message) {
    return readIndex({std::make_shared<io::MemorySource>("a.caffemodel", test::toBytes(message))}, {}, {});
}

TEST(Caffe, ReadsTheBlobsOfItsLayers) {
    const auto index = read(field(1, "net") + layer(std::string(24, '\0'), {2, 3}));
    ASSERT_TRUE(index) << index.error().message();
    ASSERT_EQ(index->model.tensors.size(), 1u);
    EXPECT_EQ(index->model.tensors[0].name, "fc.0");
    EXPECT_EQ(index->model.tensors[0].shape, Shape::make({2, 3}));
    EXPECT_TRUE(index->model.tensors[0].isReadable());
}

// The form before 2014: the fields have other numbers, and blobs four sides.
TEST(Caffe, ReadsLayersOfTheFirstForm) {
    const std::string blob = number(1, 1) + number(2, 1) + number(3, 2) + number(4, 3) + field(5, std::string(24, '\0'));
    const std::string message = field(1, "net") + field(2, field(4, "ip") + number(5, 14) + field(6, blob));
    const io::MemorySource source("a", test::toBytes(message));
    EXPECT_TRUE(sniff(source));
    const auto index = read(message);
    ASSERT_TRUE(index);
    ASSERT_EQ(index->model.tensors.size(), 1u);
    EXPECT_EQ(index->model.tensors[0].name, "ip.0");
    EXPECT_EQ(index->model.tensors[0].shape, Shape::make({1, 1, 2, 3}));
}

TEST(Caffe, ValuesThatDoNotFitAreProblems) {
    for (const std::string& message : {layer(std::string(20, '\0'), {2, 3}), layer(std::string(23, '\0'), {2, 3})}) {
        const auto index = read(field(1, "net") + message);
        ASSERT_TRUE(index);
        EXPECT_FALSE(index->model.tensors.at(0).isReadable());
        EXPECT_THAT(index->model.problems.at(0).message(), HasSubstr("fc.0"));
    }
}

TEST(Caffe, TheNetworkOfTheCorpusIsRead) {
    const auto path = test::shared() / "corpus/face_detector/caffe/model/RFB-320/RFB-320.caffemodel";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "reference data are not here: " << path.string();
    const auto model = open(path, {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->tensors.size(), 104u);
    EXPECT_EQ((*model)->parameters(), 273'888u);
    EXPECT_TRUE((*model)->problems.empty());
}

TEST(Caffe, IsCutAndBentAtEveryByteWithoutHarm) {
    const auto content = test::toBytes(field(1, "net") + layer(std::string(24, '\1'), {2, 3}) + layer(std::string(8, '\1'), {2}));
    test::cutAndBend(readIndex, nullptr, {std::make_shared<io::MemorySource>("a.caffemodel", content)}, 0, content);
}

} // namespace
} // namespace wb::caffe
