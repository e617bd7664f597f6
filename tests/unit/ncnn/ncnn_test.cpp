// SPDX-License-Identifier: MIT
#include "core/formats/ncnn/ncnn.h"

#include "core/formats/packed/packed.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

#include <cstring>

namespace wb::ncnn {
namespace {

using testing::HasSubstr;

formats::Sources sources(const std::string& param, const std::vector<std::byte>& bin) {
    return {std::make_shared<io::MemorySource>("a.param", test::toBytes(param)), std::make_shared<io::MemorySource>("a.bin", bin)};
}

std::string network(const std::string& layers, int count = 1) {
    return "7767517\n" + std::to_string(count) + " 1\n" + layers + "\n";
}

// Numbers of four bytes, one after another.
std::vector<std::byte> words(std::initializer_list<std::uint32_t> values) {
    std::vector<std::byte> out(values.size() * 4);
    std::memcpy(out.data(), values.begin(), out.size());
    return out;
}

TEST(Ncnn, ReadsRawWeightsAndBias) {
    const auto index = readIndex(sources(network("InnerProduct fc 1 1 x y 0=2 1=1 2=4"), words({0, 1, 2, 3, 4, 5, 6})), {}, {});
    ASSERT_TRUE(index) << index.error().message();
    ASSERT_EQ(index->model.tensors.size(), 2u);
    EXPECT_EQ(index->model.tensors[0].name, "fc.weight");
    EXPECT_EQ(index->model.tensors[0].shape, Shape::make({2, 2}));
    EXPECT_EQ(index->model.tensors[0].offset(), 4u);
    EXPECT_EQ(index->model.tensors[1].offset(), 20u);
    EXPECT_TRUE(index->model.problems.empty());
}

TEST(Ncnn, TagsSayHowWeightsAreStored) {
    const auto halves = readIndex(sources(network("InnerProduct fc 1 1 x y 0=1 1=0 2=3"), words({0x01306B47, 1, 2})), {}, {});
    ASSERT_TRUE(halves);
    EXPECT_EQ(halves->model.tensors.at(0).dtype, Dtype::F16);
    EXPECT_TRUE(halves->model.problems.empty()); // three halves are filled up to eight bytes
    const auto codes = readIndex(sources(network("InnerProduct fc 1 1 x y 0=1 1=0 2=3"), words({0x000D4B38, 1})), {}, {});
    ASSERT_TRUE(codes);
    EXPECT_EQ(codes->model.tensors.at(0).dtype, Dtype::I8);
    // A table of 256 numbers and a code of each element.
    std::vector<std::byte> table(256 * 4 + 4);
    for (unsigned i = 0; i < 256; ++i) {
        const float value = static_cast<float>(i) + 0.5f;
        std::memcpy(table.data() + i * 4, &value, 4);
    }
    table[1024] = std::byte{7}, table[1025] = std::byte{255};
    const auto files = sources(network("InnerProduct fc 1 1 x y 0=1 1=0 2=3"), table);
    auto tables = readIndex(files, {}, {});
    ASSERT_TRUE(tables);
    const Model model = formats::modelFromIndex(std::move(*tables), files, packed::unpack);
    ASSERT_EQ(model.tensors.size(), 3u);
    EXPECT_TRUE(model.tensors[2].logical);
    const auto reader = TensorReader::open(model, model.tensors[2]);
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> values(3);
    std::vector<std::byte> scratch;
    ASSERT_TRUE(reader->readF32(0, values, scratch));
    EXPECT_THAT(values, testing::ElementsAre(7.5f, 255.5f, 0.5f));
}

TEST(Ncnn, DamageIsSaid) {
    const auto short_ = readIndex(sources(network("InnerProduct fc 1 1 x y 0=2 1=1 2=4"), words({0, 1, 2})), {}, {});
    ASSERT_TRUE(short_);
    EXPECT_FALSE(short_->model.tensors.at(0).isReadable());
    EXPECT_THAT(short_->model.problems.at(0).message(), HasSubstr("ends before"));
    const auto trailing = readIndex(sources(network("ReLU r 1 1 x y"), words({0})), {}, {});
    ASSERT_TRUE(trailing);
    EXPECT_THAT(trailing->model.problems.at(0).message(), HasSubstr("4 bytes"));
    const auto unknown = readIndex(sources(network("Magic m 1 1 x y\nInnerProduct fc 1 1 y z 0=1 2=1", 2), words({0, 1})), {}, {});
    ASSERT_TRUE(unknown);
    EXPECT_TRUE(unknown->model.tensors.empty());
    EXPECT_THAT(unknown->model.problems.at(0).message(), HasSubstr("Magic"));
    EXPECT_FALSE(readIndex(sources(network("InnerProduct fc -1 1"), {}), {}, {}));
    EXPECT_FALSE(readIndex(sources("no network", {}), {}, {}));
    EXPECT_FALSE(readIndex(sources(std::string("\xDD\x85\x76\0", 4), {}), {}, {}));
    const auto huge = readIndex(
        sources(network("LSTM l 1 1 x y 0=9000000000000000000 1=9000000000000000000 3=9000000000000000000"), words({0})), {}, {});
    ASSERT_TRUE(huge);
    EXPECT_TRUE(huge->model.tensors.empty());
}

TEST(Ncnn, TheNetworkOfTheCorpusIsConsumedToItsEnd) {
    const auto path = test::shared() / "corpus/face_detector/ncnn/data/version-RFB/RFB-320.param";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "reference data are not here: " << path.string();
    const auto model = open(path, {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->tensors.size(), 104u);
    EXPECT_EQ((*model)->parameters(), 273'888u);
    EXPECT_TRUE((*model)->problems.empty());
}

TEST(Ncnn, IsCutAndBentAtEveryByteWithoutHarm) {
    const std::string param = network("InnerProduct fc 1 1 x y 0=2 1=1 2=4\nLSTM l 1 1 y z 0=1 1=8\nPReLU p 1 1 z w 0=2", 3);
    const auto bin = words({0, 1, 2, 3, 4, 5, 6, 0x01306B47, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6});
    test::cutAndBend(readIndex, packed::unpack, sources(param, bin), 0, test::toBytes(param));
    test::cutAndBend(readIndex, packed::unpack, sources(param, bin), 1, bin);
}

} // namespace
} // namespace wb::ncnn
