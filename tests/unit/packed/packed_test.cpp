// SPDX-License-Identifier: MIT
#include "core/formats/packed/packed.h"

#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>

#include <cstring>

namespace wb::packed {
namespace {

using testing::ElementsAre;

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
    std::vector<std::byte> out;
    for (const unsigned value : values) out.push_back(static_cast<std::byte>(value));
    return out;
}

std::vector<std::byte> floats(const std::vector<float>& values) {
    std::vector<std::byte> out(values.size() * sizeof(float));
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

Part inlined(Encoding encoding, unsigned bits, std::vector<std::byte> content, std::vector<std::uint64_t> shape = {}) {
    Part part;
    part.isThere = true;
    part.encoding = encoding;
    part.dtype = Dtype::F32;
    part.bits = static_cast<std::uint8_t>(bits);
    part.inlined = std::move(content);
    part.shape = std::move(shape);
    return part;
}

// The values of a weight, read whole and again from its middle.
std::vector<float> values(const Weight& weight) {
    const formats::Sources sources{std::make_shared<io::MemorySource>("a.bin", bytes({1, 2, 3}))};
    formats::Index index(1);
    EXPECT_TRUE(isSound(weight, sources[0]->size()));
    const auto shape = *Shape::make(weight.shape);
    index.model.tensors.push_back(logicalTensor(index, 0, weight, "w", shape, "scheme", {"codes"}, 4));
    const Model model = formats::modelFromIndex(std::move(index), sources, unpack);
    const auto reader = TensorReader::open(model, model.tensors[0]);
    EXPECT_TRUE(reader) << reader.error().message();
    if (!reader) return {};
    std::vector<float> out(shape.elements()), rest(shape.elements() - 1);
    std::vector<std::byte> scratch;
    EXPECT_TRUE(reader->readF32(0, out, scratch));
    EXPECT_TRUE(reader->readF32(1, rest, scratch));
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(), out.begin() + 1));
    return out;
}

Weight vectorOf(std::uint64_t count, Part codes) {
    Weight weight;
    weight.shape = {count};
    weight.codes = std::move(codes);
    return weight;
}

TEST(Packed, EncodingsAreDecoded) {
    EXPECT_THAT(values(vectorOf(3, inlined(Encoding::Unsigned, 4, bytes({0x21, 0x0F})))), ElementsAre(1, 2, 15));
    EXPECT_THAT(values(vectorOf(3, inlined(Encoding::Signed, 4, bytes({0x8F, 0x07})))), ElementsAre(-1, -8, 7));
    // Three bits: 1, 2, 3, 4 from the lowest on are 0b100'011'010'001.
    EXPECT_THAT(values(vectorOf(4, inlined(Encoding::Unsigned, 3, bytes({0b11010001, 0b1000})))), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(values(vectorOf(4, inlined(Encoding::HighFirst, 3, bytes({0b00101001, 0b11000000})))), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(values(vectorOf(8, inlined(Encoding::HighFirst, 1, bytes({0b10000001})))), ElementsAre(1, 0, 0, 0, 0, 0, 0, 1));
    EXPECT_THAT(values(vectorOf(2, inlined(Encoding::NormalFloat4, 4, bytes({0xF0})))), ElementsAre(-1, 1));
    EXPECT_THAT(values(vectorOf(4, inlined(Encoding::OpenVinoU6, 6, bytes({0x12, 0x34, 0b00011011})))),
                ElementsAre(1, 2 + 16, 3 + 32, 4 + 48));
    EXPECT_THAT(values(vectorOf(8, inlined(Encoding::OpenVinoU3, 3, bytes({0b00011011, 0b11100100, 0b10000001})))),
                ElementsAre(4, 1, 2, 3, 3, 2, 1, 4));
}

TEST(Packed, BlocksScalesShiftsAndCodebooks) {
    Weight weight;
    weight.shape = {2, 4};
    weight.codes = inlined(Encoding::Unsigned, 8, bytes({0, 1, 2, 3, 4, 5, 6, 7}));
    weight.scale = inlined(Encoding::Plain, 0, floats({1, 10, 100, 1000}), {2, 2});
    weight.zero = inlined(Encoding::Plain, 0, floats({1, 2}), {2, 1});
    EXPECT_THAT(values(weight), ElementsAre(-1, 0, 10, 20, 200, 300, 4000, 5000));
    weight.shift = inlined(Encoding::Plain, 0, floats({0.5f}), {1, 1});
    EXPECT_THAT(values(weight), ElementsAre(-0.5f, 0.5f, 10.5f, 20.5f, 200.5f, 300.5f, 4000.5f, 5000.5f));
    Weight table;
    table.shape = {2, 2};
    table.codes = inlined(Encoding::Unsigned, 1, bytes({0b0110}));
    table.codebook = inlined(Encoding::Plain, 0, floats({1, 2, 3, 4}), {2, 1, 2});
    EXPECT_THAT(values(table), ElementsAre(1, 2, 4, 3));
}

TEST(Packed, AMaskSaysWhichElementsAreStored) {
    Weight weight = vectorOf(6, inlined(Encoding::Plain, 0, floats({7, 8, 9})));
    weight.mask = inlined(Encoding::Unsigned, 1, bytes({0b100110}));
    EXPECT_THAT(values(weight), ElementsAre(0, 7, 8, 0, 0, 9));
}

TEST(Packed, WhatDoesNotFitIsNotSound) {
    const auto codes = inlined(Encoding::Unsigned, 8, bytes({0, 1, 2, 3}));
    Weight weight = vectorOf(4, codes);
    EXPECT_TRUE(isSound(weight, 0));
    weight.shape = {5};
    EXPECT_FALSE(isSound(weight, 0)); // more codes than there are
    weight.shape = {4};
    weight.scale = inlined(Encoding::Plain, 0, floats({1, 2, 3, 4, 5}), {5});
    EXPECT_FALSE(isSound(weight, 0)); // more scales than elements
    weight.scale = inlined(Encoding::Plain, 0, floats({1}), {2});
    EXPECT_FALSE(isSound(weight, 0)); // fewer scales than the shape says
    weight.scale = inlined(Encoding::Plain, 0, floats({1}), {1, 1});
    EXPECT_FALSE(isSound(weight, 0)); // another rank
    Weight far = vectorOf(4, codes);
    far.codes.inlined.clear();
    far.codes.offset = ~0ull - 1;
    EXPECT_FALSE(isSound(far, 100));
    far.shape = {1ull << 62};
    EXPECT_FALSE(isSound(far, 100));
    Weight wide = vectorOf(4, codes);
    wide.codes.bits = 9;
    EXPECT_FALSE(isSound(wide, 0));
}

// A code beyond its codebook is found when the values are read.
TEST(Packed, ACodeOutsideItsCodebookIsAnError) {
    Weight table = vectorOf(2, inlined(Encoding::Unsigned, 4, bytes({0x30})));
    table.codebook = inlined(Encoding::Plain, 0, floats({1, 2}), {1, 2});
    const io::MemorySource file("a.bin", {});
    formats::Index index(1);
    (void)addValues(index, 0, table);
    std::vector<std::byte> out(8);
    EXPECT_FALSE(unpack(file, index.derived()[0].spec, 0, out));
}

TEST(Packed, DescriptionsAreCutAndBentWithoutHarm) {
    Weight weight = vectorOf(6, inlined(Encoding::Plain, 0, floats({7, 8, 9})));
    weight.mask = inlined(Encoding::Unsigned, 1, bytes({0b100110}));
    weight.scale = inlined(Encoding::Plain, 0, floats({2}), {1});
    const io::MemorySource file("a.bin", bytes({1, 2, 3, 4}));
    formats::Index index(1);
    (void)addValues(index, 0, weight);
    const std::vector<std::byte>& spec = index.derived()[0].spec;
    std::vector<std::byte> out(24);
    ASSERT_TRUE(unpack(file, spec, 0, out));
    for (std::size_t at = 0; at < spec.size(); ++at) {
        EXPECT_FALSE(unpack(file, std::span(spec).first(at), 0, out));
        auto bent = spec;
        bent[at] = ~bent[at];
        (void)unpack(file, bent, 0, out);
    }
}

} // namespace
} // namespace wb::packed
