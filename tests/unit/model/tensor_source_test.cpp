// SPDX-License-Identifier: MIT
#include "core/model/recipe.h"
#include "tests/unit/support/forms.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <random>

namespace wb {
namespace {

TensorInfo tensorFromName(std::string name, Dtype dtype, std::initializer_list<std::uint64_t> shape, TensorSource source) {
    TensorInfo info;
    info.name = std::move(name);
    info.dtype = dtype;
    info.shape = *Shape::make(shape);
    info.source = std::move(source);
    return info;
}

ModelFile memoryFile(const char* name, std::vector<std::byte> bytes) {
    const std::uint64_t size = bytes.size();
    return {name, size, {}, std::make_shared<io::MemorySource>(name, std::move(bytes))};
}

std::vector<std::byte> counted(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
    return bytes;
}

Reason refusal(const Model& model, const TensorInfo& tensor) {
    const auto reader = TensorReader::open(model, tensor);
    if (reader) return Reason("test.none");
    EXPECT_NE(reader.error().message(), "");
    return reader.error().reason;
}

// Reads the whole tensor in ranges of `step` elements.
std::vector<std::byte> readAll(const TensorReader& reader, std::uint64_t step) {
    std::vector<std::byte> all(reader.byteCount(reader.elements()));
    for (std::uint64_t first = 0; first < reader.elements(); first += step) {
        const std::uint64_t count = std::min(step, reader.elements() - first);
        const auto read = reader.readRaw(first, count, std::span(all).subspan(reader.byteCount(first), reader.byteCount(count)));
        EXPECT_TRUE(read) << read.error().message();
    }
    return all;
}

TEST(TensorSource, EveryFormYieldsTheSameValues) {
    const test::TemporaryFolder folder;
    test::writeForms(folder.path());
    const ModelPtr model = test::openForms(folder.path());
    const std::vector<float> expected = test::formValues();
    for (const char* form : test::readableForms) {
        const auto reader = TensorReader::open(*model, test::formTensor(*model, form));
        ASSERT_TRUE(reader) << reader.error().message();
        for (const std::uint64_t step : {expected.size(), std::size_t{70'001}, std::size_t{1000}, std::size_t{50}}) {
            std::vector<float> values(expected.size());
            std::vector<std::byte> scratch;
            for (std::uint64_t first = 0; first < values.size(); first += step)
                ASSERT_TRUE(
                    reader->readF32(first, std::span(values).subspan(first, std::min(step, values.size() - first)), scratch));
            ASSERT_EQ(values, expected) << form << " in steps of " << step;
        }
        EXPECT_TRUE(reader->checkUnchanged());
    }
    const Error error = TensorReader::open(*model, test::formTensor(*model, "unavailable")).error();
    EXPECT_EQ(error.reason, Reason("forms.missing"));
    EXPECT_NE(error.message().find("its file is missing"), std::string::npos);
}

TEST(TensorSource, AFileThatChangedIsSeenInEveryForm) {
    const test::TemporaryFolder folder;
    test::writeForms(folder.path());
    const ModelPtr model = test::openForms(folder.path());
    std::vector<TensorReader> readers;
    for (const char* form : {"pieces", "recipe"}) readers.push_back(*TensorReader::open(*model, test::formTensor(*model, form)));
    std::filesystem::resize_file(folder.path() / "forms-2.bin", 100);
    for (const TensorReader& reader : readers) EXPECT_EQ(reader.checkUnchanged().error().code, ErrorCode::Changed);
    EXPECT_EQ(TensorReader::open(*model, test::formTensor(*model, "pieces")).error().code, ErrorCode::Changed);
}

TEST(TensorSource, PiecesMayBeBlocksOfSeveralFilesInEitherByteOrder) {
    Model model;
    model.files = {memoryFile("a", counted(34 * 5)), memoryFile("b", counted(34 * 4))};
    const auto tensor = tensorFromName("t", Dtype::Q8_0, {5, 32}, TensorSource::pieces({{1, 34, 64}, {0, 0, 0}, {0, 68, 96}}, 170));
    std::vector<std::byte> expected = counted(34 * 4);
    expected = {expected.begin() + 34, expected.begin() + 102};
    const std::vector<std::byte> rest = counted(34 * 5);
    expected.insert(expected.end(), rest.begin() + 68, rest.end());
    EXPECT_EQ(readAll(*TensorReader::open(model, tensor), 32), expected);
    EXPECT_EQ(readAll(*TensorReader::open(model, tensor), 160), expected);
    model.bigEndian = true;
    swapBlockBytes(Dtype::Q8_0, expected);
    EXPECT_EQ(readAll(*TensorReader::open(model, tensor), 64), expected);
}

TEST(TensorSource, PiecesMustFitFilesAndShape) {
    Model model;
    model.files = {memoryFile("a", counted(100))};
    const auto pieces = [&](std::vector<TensorPiece> list) {
        return refusal(model, tensorFromName("t", Dtype::F32, {10}, TensorSource::pieces(std::move(list), 40)));
    };
    constexpr std::uint64_t huge = ~std::uint64_t{0};
    EXPECT_EQ(pieces({{0, 60, 10}}), Reason("test.none"));
    EXPECT_EQ(pieces({{0, 61, 10}}), Reason("model.piece_outside"));
    EXPECT_EQ(pieces({{1, 0, 10}}), Reason("model.piece_outside"));
    EXPECT_EQ(pieces({{noFile, 0, 10}}), Reason("model.piece_outside"));
    EXPECT_EQ(pieces({{0, huge, 10}}), Reason("model.piece_outside"));
    EXPECT_EQ(pieces({{0, 0, huge}}), Reason("model.piece_outside"));
    EXPECT_EQ(pieces({{0, 0, 4}, {0, 20, 5}}), Reason("model.piece_count"));
    EXPECT_EQ(pieces({}), Reason("model.piece_count"));
    EXPECT_EQ(refusal(model, tensorFromName("t", Dtype::Q8_0, {64}, TensorSource::pieces({{0, 0, 16}, {0, 17, 48}}, 68))),
              Reason("model.piece_outside"));
}

// Any order of axes, with gaps, repeated elements and axes of one element, against a loop over all coordinates.
TEST(TensorSource, StridesMeanWhatTheySay) {
    std::minstd_rand random(5);
    const auto file = counted(1 << 20);
    Model model;
    model.files = {memoryFile("a", file)};
    for (int round = 0; round < 200; ++round) {
        const std::size_t rank = random() % 5;
        std::vector<std::uint64_t> dimensions, strides;
        std::uint64_t elements = 1, reach = 0;
        for (std::size_t i = 0; i < rank; ++i) {
            dimensions.push_back(1 + random() % (round % 10 == 0 ? 90 : 9));
            strides.push_back(std::array<std::uint64_t, 6>{0, 1, 3, 17, 90, 900}[random() % 6]);
            elements *= dimensions.back();
            reach += (dimensions.back() - 1) * strides.back();
        }
        const Dtype dtype = std::array{Dtype::U8, Dtype::F16, Dtype::F32, Dtype::F64, Dtype::C128}[random() % 5];
        const std::uint64_t size = info(dtype).blockBytes, offset = random() % 50;
        if (elements > 200'000 || offset + (reach + 1) * size > file.size()) continue;
        TensorInfo tensor = tensorFromName("t", dtype, {}, TensorSource::strided(0, offset, strides, elements * size));
        tensor.shape = *Shape::make(dimensions);
        std::vector<std::byte> expected(elements * size);
        for (std::uint64_t i = 0; i < elements; ++i) {
            const auto at = tensor.shape.coordinates(i);
            std::uint64_t element = 0;
            for (std::size_t axis = 0; axis < rank; ++axis) element += at[axis] * strides[axis];
            std::memcpy(&expected[i * size], &file[offset + element * size], size);
        }
        const auto reader = TensorReader::open(model, tensor);
        ASSERT_TRUE(reader) << reader.error().message();
        for (const std::uint64_t step : {std::uint64_t{7}, std::uint64_t{61}, std::uint64_t{1003}, elements})
            ASSERT_EQ(readAll(*reader, step), expected)
                << tensor.shape.toString() << " in steps of " << step << " in round " << round;
    }
}

TEST(TensorSource, StridesMustStayInTheFile) {
    Model model;
    model.files = {memoryFile("a", counted(4 * 20 + 2))};
    const auto strided = [&](std::initializer_list<std::uint64_t> shape, std::vector<std::uint64_t> strides,
                             std::uint64_t offset = 2) {
        return refusal(model, tensorFromName("t", Dtype::F32, shape, TensorSource::strided(0, offset, std::move(strides), 80)));
    };
    constexpr std::uint64_t huge = ~std::uint64_t{0};
    EXPECT_EQ(strided({4, 5}, {1, 4}), Reason("test.none"));
    EXPECT_EQ(strided({4, 1}, {1, huge}), Reason("test.none")); // the only element of an axis is at its origin
    EXPECT_EQ(strided({4, 0}, {1, huge}), Reason("test.none"));
    EXPECT_EQ(strided({4, 5}, {1, 4}, 3), Reason("model.strides_outside"));
    EXPECT_EQ(strided({4, 5}, {5, 2}), Reason("model.strides_outside"));
    EXPECT_EQ(strided({4, 5}, {1, huge}), Reason("model.strides_outside"));
    EXPECT_EQ(strided({5, 5}, {huge / 4, huge / 4}), Reason("model.strides_outside"));
    EXPECT_EQ(strided({2, 2}, {huge / 4 + 1, 1}), Reason("model.strides_outside"));
    EXPECT_EQ(strided({4, 5}, {1, 4}, huge), Reason("model.strides_outside"));
    EXPECT_EQ(strided({4, 5}, {4}), Reason("model.strides"));
    EXPECT_EQ(refusal(model, tensorFromName("t", Dtype::Q8_0, {2, 32}, TensorSource::strided(0, 0, {32, 1}, 68))),
              Reason("model.strides"));
    EXPECT_EQ(refusal(model, tensorFromName("t", Dtype::F32, {4}, TensorSource::strided(3, 0, {1}, 16))),
              Reason("model.strides_outside"));
}

// 4 GiB that exist nowhere: element i of it is the f32 with the bits i. Counts what is read.
class EndlessSource final : public io::ByteSource {
public:
    std::uint64_t size() const override { return std::uint64_t{1} << 32; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        ++reads;
        bytes += out.size();
        largest = std::max(largest, out.size());
        for (std::size_t i = 0; i < out.size(); i += 4) {
            const auto element = static_cast<std::uint32_t>((offset + i) / 4);
            std::memcpy(&out[i], &element, 4);
        }
        return {};
    }
    mutable std::uint64_t reads = 0, bytes = 0;
    mutable std::size_t largest = 0;

private:
    std::string m_name = "endless";
};

TEST(TensorSource, ATransposedGiantIsReadInBands) {
    constexpr std::uint64_t side = 32'768;
    const auto source = std::make_shared<EndlessSource>();
    Model model;
    model.files = {{"endless", source->size(), {}, source}};
    const auto tensor = tensorFromName("t", Dtype::F32, {side, side}, TensorSource::strided(0, 0, {1, side}, source->size()));
    const auto reader = TensorReader::open(model, tensor);
    ASSERT_TRUE(reader);
    std::vector<std::uint32_t> values(2 * side);
    for (std::uint64_t row = 0; row < 256; row += 2) {
        ASSERT_TRUE(reader->readRaw(row * side, values.size(), std::as_writable_bytes(std::span(values))));
        for (std::uint64_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], row + i / side + i % side * side);
    }
    // 256 rows are two bands of 16 MiB; a column of one is a run of 512 bytes.
    EXPECT_LE(source->reads, 2 * side);
    EXPECT_EQ(source->bytes, 256 * side * 4);
    EXPECT_LE(source->largest, 256u << 10);

    source->bytes = 0;
    std::uint32_t one = 0;
    ASSERT_TRUE(reader->readRaw(20'000 * side + 5, 1, std::as_writable_bytes(std::span(&one, 1))));
    EXPECT_EQ(one, 20'000 + 5 * side);
    EXPECT_EQ(source->bytes, 4u); // a single element brings no band
}

// The sum of its inputs, or what the test says of them.
class Sum final : public F32Recipe {
public:
    explicit Sum(std::vector<std::string> inputs) : m_inputs(std::move(inputs)) {}
    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        for (const TensorReader& input : inputs)
            if (input.shape() != shape) return fail(ErrorCode::Malformed, Reason("test.shape"), "The shapes differ.");
        if (dtype != Dtype::F32) return fail(ErrorCode::Malformed, Reason("test.type"), "The type is wrong.");
        return {};
    }
    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        EXPECT_LE(out.size(), maxElements);
        std::ranges::fill(out, 0.0F);
        std::vector<float> term(out.size());
        std::vector<std::byte> scratch;
        for (const TensorReader& input : inputs) {
            WB_TRY(input.readF32(first, term, scratch));
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += term[i];
        }
        return {};
    }

private:
    std::vector<std::string> m_inputs;
};

TensorInfo sumFromName(std::string name, std::vector<std::string> inputs, std::initializer_list<std::uint64_t> shape) {
    return tensorFromName(std::move(name), Dtype::F32, shape, TensorSource::recipe(std::make_shared<Sum>(std::move(inputs)), 0));
}

TEST(TensorSource, RecipesMayReadRecipesInEitherByteOrder) {
    std::vector<float> ones(100'000, 1.0F);
    std::vector<std::byte> bytes(ones.size() * 4);
    std::memcpy(bytes.data(), ones.data(), bytes.size());
    for (const bool bigEndian : {false, true}) {
        auto stored = bytes;
        if (bigEndian) swapBlockBytes(Dtype::F32, stored);
        Model model;
        model.bigEndian = bigEndian;
        model.files = {memoryFile("a", stored)};
        model.tensors = {tensorFromName("one", Dtype::F32, {100'000}, TensorSource::stored(0, 0, 400'000)),
                         sumFromName("two", {"one", "one"}, {100'000}), sumFromName("five", {"two", "one", "two"}, {100'000})};
        const auto reader = TensorReader::open(model, model.tensors[2]);
        ASSERT_TRUE(reader);
        std::vector<float> values(100'000);
        std::vector<std::byte> scratch;
        ASSERT_TRUE(reader->readF32(0, values, scratch));
        EXPECT_EQ(values, std::vector<float>(100'000, 5.0F));
    }
}

TEST(TensorSource, RecipesThatNeverEndAreRefused) {
    Model model;
    model.files = {memoryFile("a", counted(16))};
    model.tensors = {tensorFromName("base", Dtype::F32, {4}, TensorSource::stored(0, 0, 16)),
                     sumFromName("itself", {"itself"}, {4}),
                     sumFromName("a", {"b"}, {4}),
                     sumFromName("b", {"base", "a"}, {4}),
                     sumFromName("lost", {"nobody"}, {4}),
                     sumFromName("wrong", {"base"}, {5}),
                     sumFromName("many", std::vector<std::string>(5000, "base"), {4})};
    for (int level = 0; level < 9; ++level)
        model.tensors.push_back(
            sumFromName(fmt::format("deep{}", level), {level == 0 ? "base" : fmt::format("deep{}", level - 1)}, {4}));
    // Every level has ten inputs: without a cap on all of them together, 10^7 readers.
    for (int level = 0; level < 7; ++level)
        model.tensors.push_back(sumFromName(fmt::format("wide{}", level),
                                            std::vector<std::string>(10, level == 0 ? "base" : fmt::format("wide{}", level - 1)),
                                            {4}));
    const auto refusalOf = [&](std::string_view name) { return refusal(model, test::formTensor(model, name)); };
    EXPECT_EQ(refusalOf("itself"), Reason("model.recipe_circle"));
    EXPECT_EQ(refusalOf("a"), Reason("model.recipe_circle"));
    EXPECT_EQ(refusalOf("lost"), Reason("model.recipe_input"));
    EXPECT_EQ(refusalOf("wrong"), Reason("test.shape"));
    EXPECT_EQ(refusalOf("many"), Reason("model.recipe_inputs"));
    EXPECT_EQ(refusalOf("deep7"), Reason("test.none"));
    EXPECT_EQ(refusalOf("deep8"), Reason("model.recipe_depth"));
    EXPECT_EQ(refusalOf("wide6"), Reason("model.recipe_inputs"));
}

TEST(TensorSource, ARecipeFailsWithItsInput) {
    Model model;
    model.tensors = {tensorFromName("gone", Dtype::F32, {4}, TensorSource::unavailable(Reason("test.gone"), "its file is missing")),
                     sumFromName("sum", {"gone"}, {4})};
    EXPECT_EQ(refusal(model, model.tensors[1]), Reason("test.gone"));
}

TEST(TensorSource, KeepsItsPlaceWhenItBecomesUnavailable) {
    TensorSource source = TensorSource::stored(2, 100, 40);
    source.makeUnavailable(Reason("test.cut"), "it is cut");
    EXPECT_EQ(source.form(), TensorSource::Form::Unavailable);
    EXPECT_EQ(source.place().file, 2u);
    EXPECT_EQ(source.place().offset, 100u);
    EXPECT_EQ(source.place().bytes, 40u);
    source.setPlace({3, 7, 8});
    EXPECT_EQ(source.unavailableWhy(), "it is cut");
    EXPECT_EQ(source.place().file, 3u);
}

TEST(TensorSource, ShiftsAllItsFiles) {
    TensorSource pieces = TensorSource::pieces({{0, 1, 2}, {4, 5, 6}}, 8);
    const TensorSource copy = pieces;
    pieces.shiftFiles(3);
    EXPECT_EQ(pieces.place().file, 3u);
    EXPECT_EQ(pieces.pieces()[1].file, 7u);
    EXPECT_EQ(copy.pieces()[1].file, 4u); // a copy is another value
    TensorSource recipe = TensorSource::recipe(std::make_shared<Sum>(std::vector<std::string>()), 1);
    recipe.shiftFiles(3);
    EXPECT_EQ(recipe.place().file, noFile);
}

} // namespace
} // namespace wb
