// SPDX-License-Identifier: MIT
#include "tests/unit/support/forms.h"

#include "core/model/recipe.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace wb::test {
namespace {

constexpr std::uint64_t elements = formRows * formColumns;
constexpr std::uint64_t valueBytes = elements * sizeof(float);
constexpr std::uint64_t pieceRows = 70; // pieces of 70, 200 and 30 rows

std::int8_t code(std::uint64_t row, std::uint64_t column) {
    return static_cast<std::int8_t>(static_cast<int>((row * 37 + column * 101 + row * column) % 255) - 127);
}

float scale(std::uint64_t row) { return std::ldexp(1.0f, -static_cast<int>(row % 5) - 6); }

// codes[row, column] * scales[row], as simple quantized formats store a weight.
class ScaledRows final : public F32Recipe {
public:
    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        if (dtype == Dtype::F32 && inputs[0].shape() == shape && inputs[1].elements() == shape[0]) return {};
        return fail(ErrorCode::Malformed, Reason("forms.shape"), "The codes and scales do not fit.");
    }

    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        std::vector<std::byte> scratch;
        WB_TRY(inputs[0].readF32(first, out, scratch));
        const std::uint64_t row = first / formColumns, rows = (first + out.size() - 1) / formColumns - row + 1;
        std::vector<float> scales(rows);
        WB_TRY(inputs[1].readF32(row, scales, scratch));
        for (std::size_t i = 0; i < out.size(); ++i) out[i] *= scales[(first + i) / formColumns - row];
        return {};
    }

private:
    std::vector<std::string> m_inputs{"codes", "scales"};
};

void append(std::vector<char>& file, const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    const auto* begin = reinterpret_cast<const char*>(bytes.data());
    file.insert(file.end(), begin, begin + bytes.size());
}

void write(const std::filesystem::path& path, const std::vector<char>& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<float> rows(const std::vector<float>& values, std::uint64_t first, std::uint64_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first * formColumns);
    return {begin, begin + static_cast<std::ptrdiff_t>(count * formColumns)};
}

TensorInfo tensor(const char* name, Dtype dtype, Shape shape, TensorSource source) {
    TensorInfo info;
    info.name = name;
    info.dtype = dtype;
    info.shape = std::move(shape);
    info.source = std::move(source);
    return info;
}

} // namespace

std::vector<float> formValues() {
    std::vector<float> values;
    for (std::uint64_t row = 0; row < formRows; ++row)
        for (std::uint64_t column = 0; column < formColumns; ++column)
            values.push_back(static_cast<float>(code(row, column)) * scale(row));
    return values;
}

// forms-1.bin: the values, the values column by column, the middle piece. forms-2.bin: the last piece, the first one, codes,
// scales.
void writeForms(const std::filesystem::path& folder) {
    const std::vector<float> values = formValues();
    std::vector<float> transposed, scales;
    std::vector<std::int8_t> codes;
    for (std::uint64_t column = 0; column < formColumns; ++column)
        for (std::uint64_t row = 0; row < formRows; ++row) transposed.push_back(values[row * formColumns + column]);
    for (std::uint64_t row = 0; row < formRows; ++row) {
        scales.push_back(scale(row));
        for (std::uint64_t column = 0; column < formColumns; ++column) codes.push_back(code(row, column));
    }
    std::vector<char> one, two;
    append(one, values);
    append(one, transposed);
    append(one, rows(values, pieceRows, 200));
    append(two, rows(values, 270, 30));
    append(two, rows(values, 0, pieceRows));
    append(two, codes);
    append(two, scales);
    write(folder / "forms-1.bin", one);
    write(folder / "forms-2.bin", two);
}

ModelPtr openForms(const std::filesystem::path& folder) {
    auto model = std::make_shared<Model>();
    model->path = model->folder = folder;
    for (const char* name : {"forms-1.bin", "forms-2.bin"}) {
        auto source = io::FileSource::open(folder / name);
        if (!source) std::abort();
        model->files.push_back(namedFile(folder / name, *source));
    }
    const Shape shape = *Shape::make({formRows, formColumns});
    constexpr std::uint64_t row = formColumns * sizeof(float), codesAt = 100 * row;
    std::vector<TensorPiece> pieces = {
        {1, 30 * row, pieceRows * formColumns}, {0, 2 * valueBytes, 200 * formColumns}, {1, 0, 30 * formColumns}};
    model->tensors = {
        tensor("stored", Dtype::F32, shape, TensorSource::stored(0, 0, valueBytes)),
        tensor("pieces", Dtype::F32, shape, TensorSource::pieces(std::move(pieces), valueBytes)),
        tensor("strided", Dtype::F32, shape, TensorSource::strided(0, valueBytes, {1, formRows}, valueBytes)),
        tensor("codes", Dtype::I8, shape, TensorSource::stored(1, codesAt, elements)),
        tensor("scales", Dtype::F32, *Shape::make({formRows}),
               TensorSource::stored(1, codesAt + elements, formRows * sizeof(float))),
        tensor("recipe", Dtype::F32, shape,
               TensorSource::recipe(std::make_shared<ScaledRows>(), elements + formRows * sizeof(float))),
        tensor("unavailable", Dtype::F32, shape, TensorSource::unavailable(Reason("forms.missing"), "its file is missing")),
    };
    model->tensors[5].logical = true;
    return model;
}

const TensorInfo& formTensor(const Model& model, std::string_view name) {
    return *std::ranges::find(model.tensors, name, &TensorInfo::name);
}

} // namespace wb::test
