// SPDX-License-Identifier: MIT
#include "core/model/tensor_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace wb {
namespace {

// A model of one tensor that lies at byte 8 of a source in memory.
struct OneTensor {
    Model model;

    OneTensor(Dtype dtype, Shape shape, std::vector<std::byte> stored, bool bigEndian = false) {
        TensorInfo info;
        info.name = "t";
        info.dtype = dtype;
        info.shape = std::move(shape);
        info.source = TensorSource::stored(0, 8, stored.size());
        stored.insert(stored.begin(), 8, std::byte{0xEE});
        model.files = {{"m.bin", stored.size(), {}, std::make_shared<io::MemorySource>("m.bin", std::move(stored))}};
        model.tensors = {std::move(info)};
        model.bigEndian = bigEndian;
    }

    TensorInfo& info() { return model.tensors.front(); }
    Result<TensorReader> open() const { return TensorReader::open(model, model.tensors.front()); }
};

std::vector<std::byte> stored(const auto& values) {
    std::vector<std::byte> bytes(std::size(values) * sizeof(values[0]));
    std::memcpy(bytes.data(), std::data(values), bytes.size());
    return bytes;
}

std::vector<float> values(const TensorReader& reader, std::uint64_t first, std::size_t count) {
    std::vector<float> out(count);
    std::vector<std::byte> scratch;
    EXPECT_TRUE(reader.readF32(first, out, scratch));
    return out;
}

const std::vector<float> six = {1, -2, 3.5f, 0, 1e30f, -0.25f};

TEST(TensorReader, ReadsElements) {
    const OneTensor one(Dtype::F32, *Shape::make({2, 3}), stored(six));
    const auto reader = one.open();
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->elements(), 6u);
    EXPECT_EQ(reader->byteCount(6), 24u);
    EXPECT_EQ(values(*reader, 0, 6), six);
    EXPECT_EQ(values(*reader, 4, 2), (std::vector<float>{1e30f, -0.25f}));
    EXPECT_TRUE(values(*reader, 6, 0).empty());
    EXPECT_TRUE(reader->checkUnchanged());
}

TEST(TensorReader, TurnsBigEndianAround) {
    std::vector<std::byte> swapped = stored(six);
    for (std::size_t i = 0; i < swapped.size(); i += 4) std::reverse(&swapped[i], &swapped[i] + 4);
    const OneTensor one(Dtype::F32, *Shape::make({6}), swapped, true);
    EXPECT_EQ(values(*one.open(), 0, 6), six);
    std::vector<std::byte> raw(24);
    ASSERT_TRUE(one.open()->readRaw(0, 6, raw));
    EXPECT_EQ(raw, stored(six));
}

TEST(TensorReader, DecodesBlocksOfEitherByteOrder) {
    std::vector<std::byte> block(34, std::byte{2}); // Q8_0 of 32 twos …
    block[0] = std::byte{0x00};
    block[1] = std::byte{0x38}; // … times 0.5
    EXPECT_EQ(values(*OneTensor(Dtype::Q8_0, *Shape::make({32}), block).open(), 0, 32), std::vector<float>(32, 1));
    std::swap(block[0], block[1]);
    EXPECT_EQ(values(*OneTensor(Dtype::Q8_0, *Shape::make({32}), block, true).open(), 0, 32), std::vector<float>(32, 1));
}

TEST(TensorReader, DoesNotSplitBlocksOrLeaveTheTensor) {
    const OneTensor one(Dtype::Q8_0, *Shape::make({2, 32}), std::vector<std::byte>(68));
    const auto reader = one.open();
    ASSERT_TRUE(reader);
    std::vector<std::byte> out(34);
    EXPECT_TRUE(reader->readRaw(32, 32, out));
    EXPECT_FALSE(reader->readRaw(16, 32, out));
    EXPECT_FALSE(reader->readRaw(0, 16, std::span(out).first(17)));
    EXPECT_FALSE(reader->readRaw(64, 32, out));
    EXPECT_FALSE(reader->readRaw(~std::uint64_t{31}, 32, out));
    EXPECT_FALSE(reader->readRaw(0, 64, out));
}

TEST(TensorReader, RefusesWhatCannotBeRead) {
    OneTensor one(Dtype::F32, *Shape::make({6}), stored(six));
    const auto errorOf = [&](const TensorSource& source) {
        one.info().source = source;
        return one.open().error();
    };
    const Error missing = errorOf(TensorSource::unavailable(Reason("test.missing"), "its shard is missing"));
    EXPECT_EQ(missing.message(), "Cannot read the values of t in m.bin: its shard is missing.");
    EXPECT_EQ(missing.reason, Reason("test.missing"));
    for (const TensorSource& outside : {TensorSource::stored(0, 12, 24), TensorSource::stored(0, ~std::uint64_t{0}, 24),
                                        TensorSource::stored(1, 8, 24), TensorSource::stored(0, 8, 20)})
        EXPECT_EQ(errorOf(outside).reason, Reason("model.outside"));
    EXPECT_EQ(errorOf({}).code, ErrorCode::Unsupported);
    one.info().dtype = Dtype::Unknown;
    one.info().typeText = "type 57";
    EXPECT_NE(errorOf(TensorSource::stored(0, 8, 24)).message().find("type 57"), std::string::npos);
}

TEST(TensorReader, ComplexValuesAreReadRawOnly) {
    const OneTensor one(Dtype::C64, *Shape::make({3}), stored(six));
    const auto reader = one.open();
    ASSERT_TRUE(reader);
    std::vector<std::byte> raw(24);
    EXPECT_TRUE(reader->readRaw(0, 3, raw));
    std::vector<float> out(3);
    EXPECT_EQ(reader->readF32(0, out, raw).error().code, ErrorCode::Unsupported);
}

TEST(TensorReader, ReadsNothingOfAnEmptyTensor) {
    const OneTensor one(Dtype::F16, *Shape::make({0, 7}), {});
    const auto reader = one.open();
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->elements(), 0u);
    EXPECT_TRUE(values(*reader, 0, 0).empty());
}

} // namespace
} // namespace wb
