// SPDX-License-Identifier: MIT
#include "core/formats/torch/recipes.h"

#include "core/base/checked.h"
#include "core/tensor/bytes.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::torch {
namespace {

constexpr std::array<std::string_view, 5> layouts = {"sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"};
constexpr std::uint64_t slab = 16'384; // entries read at a time

std::unexpected<Error> doesNotFit() {
    return fail(ErrorCode::Malformed, Reason("torch.sparse_shape"), WB_TEXT("The components of a sparse tensor do not match."));
}

bool isIndex(const TensorReader& reader) { return reader.dtype() == Dtype::I64 || reader.dtype() == Dtype::I32; }

Result<void> readIndices(const TensorReader& reader, std::uint64_t first, std::uint64_t count, std::vector<std::int64_t>& out) {
    out.resize(count);
    if (reader.dtype() == Dtype::I64) return reader.readRaw(first, count, std::as_writable_bytes(std::span(out)));
    std::vector<std::int32_t> narrow(count);
    WB_TRY(reader.readRaw(first, count, std::as_writable_bytes(std::span(narrow))));
    std::ranges::copy(narrow, out.begin());
    return {};
}

template <class T>
void addTo(std::byte* at, const std::byte* value) {
    using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>; // integers wrap around as in torch
    store(at, static_cast<T>(static_cast<Sum>(wb::load<T>(at)) + static_cast<Sum>(wb::load<T>(value))));
}

void addTruths(std::byte* at, const std::byte* value) { *at |= *value; }

template <std::uint16_t (*fromF32)(float), float (*toF32)(std::uint16_t)>
void addHalves(std::byte* at, const std::byte* value) {
    store(at, fromF32(toF32(wb::load<std::uint16_t>(at)) + toF32(wb::load<std::uint16_t>(value))));
}

template <class T>
void addParts(std::byte* at, const std::byte* value) {
    addTo<T>(at, value);
    addTo<T>(at + sizeof(T), value + sizeof(T));
}

using Add = void (*)(std::byte* at, const std::byte* value);

// Null for types that torch does not add up.
Add dtypeAddition(Dtype dtype) {
    switch (dtype) {
    case Dtype::F32: return addTo<float>;
    case Dtype::F64: return addTo<double>;
    case Dtype::I64: return addTo<std::int64_t>;
    case Dtype::I32: return addTo<std::int32_t>;
    case Dtype::I16: return addTo<std::int16_t>;
    case Dtype::I8: return addTo<std::int8_t>;
    case Dtype::U8: return addTo<std::uint8_t>;
    case Dtype::Bool: return addTruths;
    case Dtype::F16: return addHalves<f32ToF16, f16ToF32>;
    case Dtype::BF16: return addHalves<f32ToBf16, bf16ToF32>;
    case Dtype::C64: return addParts<float>;
    case Dtype::C128: return addParts<double>;
    default: return nullptr;
    }
}

// The elements [first, first + count) of the result, as they are filled.
struct Window {
    std::uint64_t first;
    std::uint64_t count;
    std::uint64_t elementBytes;
    std::span<std::byte> out;

    // Copies or adds consecutive elements to their positions, as far as it is in the window.
    void put(std::uint64_t at, const std::byte* values, std::uint64_t run, Add add) const {
        const std::uint64_t from = std::max(at, first);
        const std::uint64_t to = std::min(at + run, first + count);
        for (std::uint64_t i = from; i < to; ++i) {
            std::byte* place = out.data() + (i - first) * elementBytes;
            const std::byte* value = values + (i - at) * elementBytes;
            if (add != nullptr) add(place, value);
            else std::memcpy(place, value, elementBytes);
        }
    }
};

class Coordinates final : public Recipe {
public:
    Coordinates(Shape shape, std::vector<std::string> inputs) : m_shape(std::move(shape)), m_inputs(std::move(inputs)) {}

    const Shape& shape() const { return m_shape; }

    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        if (inputs.size() != 2 || shape != m_shape || !isIndex(inputs[0]) || inputs[1].dtype() != dtype ||
            inputs[0].shape().rank() != 2)
            return doesNotFit();
        const std::uint64_t sparse = inputs[0].shape()[0];
        const Shape& values = inputs[1].shape();
        if (sparse > shape.rank() || values.rank() != 1 + shape.rank() - sparse || values[0] != inputs[0].shape()[1])
            return doesNotFit();
        for (std::size_t i = sparse; i < shape.rank(); ++i)
            if (values[1 + i - sparse] != shape[i]) return doesNotFit();
        if (dtypeAddition(dtype) != nullptr) return {};
        return fail(ErrorCode::Unsupported, Reason("torch.sparse_sum"), WB_TEXT("Sparse tensors of type {} are not supported."),
                    name(dtype));
    }

    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override {
        std::ranges::fill(out, std::byte{0});
        const std::uint64_t entries = inputs[0].shape()[1];
        const std::uint64_t run = entries == 0 ? 0 : inputs[1].elements() / entries;
        const Window window{first, count, info(inputs[1].dtype()).blockBytes, out};
        const std::uint64_t step = std::max<std::uint64_t>(1, slab / std::max<std::uint64_t>(run, 1));
        for (std::uint64_t at = 0; at < entries; at += step)
            WB_TRY(readEntries(inputs, at, std::min(step, entries - at), run, window));
        return {};
    }

private:
    // Entries [at, at + count): where each starts, then its values.
    Result<void> readEntries(std::span<const TensorReader> inputs, std::uint64_t at, std::uint64_t count, std::uint64_t run,
                             const Window& window) const {
        const Shape& indices = inputs[0].shape();
        std::vector<std::uint64_t> places(count, 0);
        std::vector<std::int64_t> axis;
        for (std::uint64_t i = 0; i < indices[0]; ++i) {
            WB_TRY(readIndices(inputs[0], i * indices[1] + at, count, axis));
            for (std::uint64_t k = 0; k < count; ++k) {
                if (axis[k] < 0 || static_cast<std::uint64_t>(axis[k]) >= m_shape[i]) return doesNotFit();
                places[k] = places[k] * m_shape[i] + static_cast<std::uint64_t>(axis[k]);
            }
        }
        std::vector<std::byte> values(count * run * window.elementBytes);
        WB_TRY(inputs[1].readRaw(at * run, count * run, values));
        const Add add = dtypeAddition(inputs[1].dtype());
        for (std::uint64_t k = 0; k < count; ++k)
            window.put(places[k] * run, values.data() + k * run * window.elementBytes, run, add);
        return {};
    }

    Shape m_shape; // of the result
    std::vector<std::string> m_inputs;
};

// csr, csc, bsr and bsc: entries of a plain matrix are blocks of one element.
class Compressed final : public Recipe {
public:
    Compressed(std::string_view layout, Shape shape, std::vector<std::string> inputs)
        : m_layout(layout), m_shape(std::move(shape)), m_inputs(std::move(inputs)) {}

    std::string_view layout() const { return m_layout; }
    const Shape& shape() const { return m_shape; }
    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        if (inputs.size() != 3 || shape != m_shape || !isIndex(inputs[0]) || !isIndex(inputs[1]) || inputs[2].dtype() != dtype ||
            shape.rank() != 2 || info(dtype).blockElements != 1)
            return doesNotFit();
        const Shape& values = inputs[2].shape();
        if (values.rank() != (isBlocked() ? 3 : 1) || inputs[1].shape().rank() != 1 || values[0] != inputs[1].elements())
            return doesNotFit();
        const std::uint64_t rows = blockRows(inputs);
        const std::uint64_t columns = blockColumns(inputs);
        if (rows == 0 || columns == 0 || shape[0] % rows != 0 || shape[1] % columns != 0) return doesNotFit();
        const std::uint64_t outer = byRow() ? shape[0] / rows : shape[1] / columns;
        if (inputs[0].shape().rank() != 1 || inputs[0].elements() != outer + 1) return doesNotFit();
        return {};
    }

    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override {
        std::ranges::fill(out, std::byte{0});
        const Window window{first, count, info(inputs[2].dtype()).blockBytes, out};
        std::uint64_t outer = 0;
        std::uint64_t outerEnd = inputs[0].elements() - 1;
        if (byRow()) { // only the rows of the window
            const std::uint64_t rowElements = std::max<std::uint64_t>(1, m_shape[1] * blockRows(inputs));
            outer = first / rowElements;
            outerEnd = std::min(outerEnd, (first + count - 1) / rowElements + 1);
        }
        std::vector<std::int64_t> begins;
        for (; outer < outerEnd; outer += std::min(slab, outerEnd - outer)) {
            const std::uint64_t lines = std::min(slab, outerEnd - outer);
            WB_TRY(readIndices(inputs[0], outer, lines + 1, begins));
            for (std::uint64_t i = 0; i < lines; ++i) WB_TRY(readLine(inputs, outer + i, begins[i], begins[i + 1], window));
        }
        return {};
    }

private:
    bool isBlocked() const { return m_layout == "sparse_bsr" || m_layout == "sparse_bsc"; }
    bool byRow() const { return m_layout == "sparse_csr" || m_layout == "sparse_bsr"; }
    std::uint64_t blockRows(std::span<const TensorReader> inputs) const { return isBlocked() ? inputs[2].shape()[1] : 1; }
    std::uint64_t blockColumns(std::span<const TensorReader> inputs) const { return isBlocked() ? inputs[2].shape()[2] : 1; }

    // The entries of one row or column of blocks.
    Result<void> readLine(std::span<const TensorReader> inputs, std::uint64_t outer, std::int64_t begin, std::int64_t end,
                          const Window& window) const {
        if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > inputs[1].elements()) return doesNotFit();
        const std::uint64_t rows = blockRows(inputs);
        const std::uint64_t columns = blockColumns(inputs);
        const std::uint64_t block = rows * columns;
        const Add add =
            dtypeAddition(inputs[2].dtype()); // as torch does, for whom 0 + -0 is 0; other types have no duplicates to add
        const std::uint64_t step = std::max<std::uint64_t>(1, slab / block);
        std::vector<std::int64_t> inner;
        std::vector<std::byte> values;
        for (auto at = static_cast<std::uint64_t>(begin); at < static_cast<std::uint64_t>(end); at += step) {
            const std::uint64_t entries = std::min(step, static_cast<std::uint64_t>(end) - at);
            WB_TRY(readIndices(inputs[1], at, entries, inner));
            values.resize(entries * block * window.elementBytes);
            WB_TRY(inputs[2].readRaw(at * block, entries * block, values));
            for (std::uint64_t k = 0; k < entries; ++k) {
                const std::uint64_t innerCount = byRow() ? m_shape[1] / columns : m_shape[0] / rows;
                if (inner[k] < 0 || static_cast<std::uint64_t>(inner[k]) >= innerCount) return doesNotFit();
                const std::uint64_t row = (byRow() ? outer : static_cast<std::uint64_t>(inner[k])) * rows;
                const std::uint64_t column = (byRow() ? static_cast<std::uint64_t>(inner[k]) : outer) * columns;
                for (std::uint64_t r = 0; r < rows; ++r)
                    window.put((row + r) * m_shape[1] + column, values.data() + (k * block + r * columns) * window.elementBytes,
                               columns, add);
            }
        }
        return {};
    }

    std::string_view m_layout; // one of `layouts`
    Shape m_shape;
    std::vector<std::string> m_inputs;
};

class Changed final : public Recipe {
public:
    Changed(std::string input, bool isConjugate, bool isNegative)
        : m_inputs{std::move(input)}, m_isConjugate(isConjugate), m_isNegative(isNegative) {}

    bool isConjugate() const { return m_isConjugate; }
    bool isNegative() const { return m_isNegative; }
    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        const DtypeKind kind = info(dtype).kind;
        const bool isFine = inputs.size() == 1 && inputs[0].dtype() == dtype && inputs[0].shape() == shape &&
                            partBytes(dtype) != 0 && (kind == DtypeKind::Complex || !m_isConjugate);
        if (isFine) return {};
        return fail(ErrorCode::Unsupported, Reason("torch.changed_type"), WB_TEXT("Values of type {} have no sign to change."),
                    name(dtype));
    }

    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override {
        WB_TRY(inputs[0].readRaw(first, count, out));
        const std::uint64_t bytes = partBytes(inputs[0].dtype());
        const bool isComplex = info(inputs[0].dtype()).kind == DtypeKind::Complex;
        for (std::uint64_t at = 0; at < out.size(); at += bytes) {
            const bool isImaginary = isComplex && at / bytes % 2 == 1;
            if (m_isNegative != (m_isConjugate && isImaginary)) out[at + bytes - 1] ^= std::byte{0x80}; // the sign of a float
        }
        return {};
    }

private:
    // Bytes of a real number in the type; 0 where its sign is not its highest bit.
    static std::uint64_t partBytes(Dtype dtype) {
        switch (dtype) {
        case Dtype::F64:
        case Dtype::C128: return 8;
        case Dtype::F32:
        case Dtype::C64: return 4;
        case Dtype::F16:
        case Dtype::BF16: return 2;
        default: return 0;
        }
    }

    std::vector<std::string> m_inputs;
    bool m_isConjugate;
    bool m_isNegative;
};

constexpr std::uint8_t changedKind = 255; // in messages, where the layouts are 0 to 4

void writeSparse(worker::WireWriter& out, std::size_t layout, const Shape& shape, const std::vector<std::string>& inputs) {
    out.u8(static_cast<std::uint8_t>(layout));
    out.u64(shape.rank());
    for (const std::uint64_t dimension : shape.dimensions()) out.u64(dimension);
    out.u64(inputs.size());
    for (const std::string& input : inputs) out.text(input);
}

bool writeRecipe(worker::WireWriter& out, const Recipe& recipe) {
    if (const auto* changed = dynamic_cast<const Changed*>(&recipe)) {
        out.u8(changedKind);
        out.flag(changed->isConjugate());
        out.flag(changed->isNegative());
        out.text(changed->inputs()[0]);
    } else if (const auto* coordinates = dynamic_cast<const Coordinates*>(&recipe)) {
        writeSparse(out, 0, coordinates->shape(), coordinates->inputs());
    } else if (const auto* compressed = dynamic_cast<const Compressed*>(&recipe)) {
        const auto layout = std::ranges::find(layouts, compressed->layout()) - layouts.begin();
        writeSparse(out, static_cast<std::size_t>(layout), compressed->shape(), compressed->inputs());
    } else {
        return false;
    }
    return true;
}

std::shared_ptr<const Recipe> readRecipe(worker::WireReader& in) {
    const std::uint8_t kind = in.u8();
    if (kind == changedKind) {
        const bool isConjugate = in.flag();
        const bool isNegative = in.flag();
        return makeChanged(std::string(in.text()), isConjugate, isNegative);
    }
    if (kind >= layouts.size()) return nullptr;
    std::vector<std::uint64_t> dimensions(in.count(8));
    for (std::uint64_t& dimension : dimensions) dimension = in.u64();
    std::vector<std::string> inputs(in.count(8));
    for (std::string& input : inputs) input = std::string(in.text());
    const auto shape = Shape::make(dimensions);
    return shape ? makeSparse(std::string(layouts[kind]), *shape, std::move(inputs)) : nullptr;
}

} // namespace

std::shared_ptr<const Recipe> makeSparse(const std::string& layout, Shape shape, std::vector<std::string> inputs) {
    const auto* known = std::ranges::find(layouts, std::string_view(layout));
    if (known == layouts.end()) return nullptr;
    if (known == layouts.begin()) return std::make_shared<const Coordinates>(std::move(shape), std::move(inputs));
    return std::make_shared<const Compressed>(*known, std::move(shape), std::move(inputs));
}

bool isSparseReadable(const std::string& layout, Dtype dtype, const Shape& shape) {
    return layout == layouts.front() ? dtypeAddition(dtype) != nullptr : shape.rank() == 2 && info(dtype).blockElements == 1;
}

std::shared_ptr<const Recipe> makeChanged(std::string input, bool isConjugate, bool isNegative) {
    return std::make_shared<const Changed>(std::move(input), isConjugate, isNegative);
}

worker::RecipeWire recipeWire() { return {writeRecipe, readRecipe}; }

} // namespace wb::torch
