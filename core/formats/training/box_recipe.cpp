// SPDX-License-Identifier: MIT
#include "core/formats/training/box_recipe.h"

#include "core/base/checked.h"
#include "core/base/text.h"

#include <algorithm>

namespace wb::training {
namespace {

std::unexpected<Error> wrongBoxes(const char* why) { return fail(ErrorCode::Malformed, Reason("training.boxes"), "{}", why); }

// With axes of one element in front, so that there are rows and columns.
std::vector<std::uint64_t> widened(std::span<const std::uint64_t> numbers, std::uint64_t filler) {
    std::vector<std::uint64_t> out;
    for (std::size_t i = numbers.size(); i < 2; ++i) out.push_back(filler);
    out.insert(out.end(), numbers.begin(), numbers.end());
    return out;
}

bool isInside(std::span<const std::uint64_t> begin, std::span<const std::uint64_t> sizes, std::span<const std::uint64_t> whole) {
    for (std::size_t axis = 0; axis < whole.size(); ++axis)
        if (begin[axis] > whole[axis] || sizes[axis] > whole[axis] - begin[axis]) return false;
    return true;
}

} // namespace

Result<std::shared_ptr<const BoxRecipe>> BoxRecipe::make(Dtype dtype, const Shape& shape, std::vector<BoxInput> inputs,
                                                         std::vector<Box> boxes) {
    if (dtype == Dtype::Unknown || packedBits(dtype) != 0 || info(dtype).blockElements != 1)
        return fail(ErrorCode::Unsupported, Reason("training.box_type"), WB_TEXT("its type is not supported"));
    if (boxes.size() > maxBoxes || inputs.size() > maxBoxes) return wrongBoxes(WB_TEXT("it consists of too many pieces"));
    std::shared_ptr<BoxRecipe> recipe(new BoxRecipe);
    recipe->m_dtype = dtype;
    recipe->m_elementBytes = info(dtype).blockBytes;
    recipe->m_shape = shape;
    recipe->m_dimensions = widened(shape.dimensions(), 1);
    std::optional<std::uint64_t> volume = 0;
    for (Box& box : boxes) {
        const bool isRanked = box.from.size() == shape.rank() && box.to.size() == shape.rank() && box.sizes.size() == shape.rank();
        if (!isRanked || box.input >= inputs.size() || inputs[box.input].shape.rank() != shape.rank())
            return wrongBoxes(WB_TEXT("its pieces have another number of axes"));
        const auto sizes = Shape::make(box.sizes);
        if (!sizes || !isInside(box.from, box.sizes, inputs[box.input].shape.dimensions()) ||
            !isInside(box.to, box.sizes, shape.dimensions()))
            return wrongBoxes(WB_TEXT("its pieces exceed it"));
        volume = volume ? checked::add(*volume, sizes->elements()) : std::nullopt;
        box.from = widened(box.from, 0);
        box.to = widened(box.to, 0);
        box.sizes = widened(box.sizes, 1);
    }
    if (volume != shape.elements()) return wrongBoxes(WB_TEXT("its pieces overlap or leave holes"));
    for (const BoxInput& input : inputs) {
        recipe->m_names.push_back(input.name);
        recipe->m_inputDimensions.push_back(widened(input.shape.dimensions(), 1));
    }
    recipe->m_inputs = std::move(inputs);
    recipe->m_boxes = std::move(boxes);
    return recipe;
}

Result<void> BoxRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    bool isSame = dtype == m_dtype && shape == m_shape && inputs.size() == m_inputs.size();
    for (std::size_t i = 0; i < inputs.size() && isSame; ++i)
        isSame = inputs[i].dtype() == m_dtype && inputs[i].shape() == m_inputs[i].shape;
    if (isSame) return {};
    const std::string& name = m_names.empty() ? std::string() : m_names.front();
    return fail(ErrorCode::Malformed, Reason("training.pieces_changed"), About{name},
                WB_TEXT("The pieces of the tensor that {} belongs to changed since the model was opened."), name);
}

struct BoxRecipe::Reading {
    std::span<const TensorReader> inputs;
    std::uint64_t first; // flat index of the first element that is wanted …
    std::uint64_t end;   // … and of the one after the last
    std::span<std::byte> out;
    std::vector<std::byte> rows;
};

// Rows of one box in one group of rows: matrices of the two last axes are groups.
Result<std::uint64_t> BoxRecipe::readBox(Reading& reading, const Box& box, std::uint64_t group,
                                         std::span<const std::uint64_t> coordinates) const {
    const std::size_t outer = m_dimensions.size() - 2;
    const auto& dimensions = m_inputDimensions[box.input];
    std::uint64_t inputGroup = 0;
    for (std::size_t axis = 0; axis < outer; ++axis) {
        if (coordinates[axis] < box.to[axis] || coordinates[axis] - box.to[axis] >= box.sizes[axis]) return 0;
        inputGroup = inputGroup * dimensions[axis] + coordinates[axis] - box.to[axis] + box.from[axis];
    }
    const std::uint64_t height = m_dimensions[outer], width = m_dimensions[outer + 1], inputWidth = dimensions[outer + 1];
    const std::uint64_t column = box.to[outer + 1], columns = box.sizes[outer + 1];
    if (columns == 0) return 0;
    const std::uint64_t base = group * height * width; // all products are flat indices of tensors, which fit
    const std::uint64_t firstRow = reading.first > base ? (reading.first - base) / width : 0;
    const std::uint64_t begin = std::max(box.to[outer], firstRow);
    const std::uint64_t end = box.to[outer] + box.sizes[outer];
    std::uint64_t filled = 0;
    for (std::uint64_t row = begin; row < end; ++row) {
        const std::uint64_t low = std::max(base + row * width + column, reading.first);
        const std::uint64_t high = std::min(base + row * width + column + columns, reading.end);
        if (base + row * width >= reading.end) break;
        if (low >= high) continue;
        const std::uint64_t inputRow = inputGroup * dimensions[outer] + row - box.to[outer] + box.from[outer];
        const std::uint64_t inputColumn = low - (base + row * width + column) + box.from[outer + 1];
        const auto target = reading.out.subspan((low - reading.first) * m_elementBytes, (high - low) * m_elementBytes);
        WB_TRY(reading.inputs[box.input].readRaw(inputRow * inputWidth + inputColumn, high - low, target));
        filled += high - low;
    }
    return filled;
}

Result<std::uint64_t> BoxRecipe::readGroup(Reading& reading, std::uint64_t group) const {
    const std::size_t outer = m_dimensions.size() - 2;
    std::vector<std::uint64_t> coordinates(outer);
    std::uint64_t rest = group;
    for (std::size_t axis = outer; axis-- > 0;) {
        coordinates[axis] = rest % m_dimensions[axis];
        rest /= m_dimensions[axis];
    }
    std::uint64_t filled = 0;
    for (const Box& box : m_boxes) {
        WB_TRY_ASSIGN(const std::uint64_t own, readBox(reading, box, group, coordinates));
        filled += own;
    }
    return filled;
}

Result<void> BoxRecipe::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                std::span<std::byte> out) const {
    if (count == 0) return {};
    const std::size_t outer = m_dimensions.size() - 2;
    const std::uint64_t matrix = m_dimensions[outer] * m_dimensions[outer + 1]; // not 0: the tensor has elements
    Reading reading{inputs, first, first + count, out, {}};
    std::uint64_t filled = 0;
    for (std::uint64_t group = first / matrix; group <= (first + count - 1) / matrix; ++group) {
        WB_TRY_ASSIGN(const std::uint64_t own, readGroup(reading, group));
        filled += own;
    }
    if (filled == count) return {};
    const std::string& name = m_names.empty() ? std::string() : m_names.front();
    return fail(ErrorCode::Malformed, Reason("training.boxes"), About{name},
                WB_TEXT("The pieces of the tensor that {} belongs to overlap or leave holes."), name);
}

namespace {

void writeDimensions(worker::WireWriter& out, std::span<const std::uint64_t> dimensions) {
    out.u64(dimensions.size());
    for (const std::uint64_t dimension : dimensions) out.u64(dimension);
}

std::vector<std::uint64_t> readDimensions(worker::WireReader& in) {
    std::vector<std::uint64_t> dimensions(in.count(8));
    for (std::uint64_t& dimension : dimensions) dimension = in.u64();
    return dimensions;
}

} // namespace

worker::RecipeWire boxRecipeWire() {
    const auto write = [](worker::WireWriter& out, const Recipe& any) {
        const auto* recipe = dynamic_cast<const BoxRecipe*>(&any);
        if (recipe == nullptr) return false;
        out.u8(static_cast<std::uint8_t>(recipe->m_dtype));
        writeDimensions(out, recipe->m_shape.dimensions());
        out.u64(recipe->m_inputs.size());
        for (const BoxInput& input : recipe->m_inputs) {
            out.text(input.name);
            writeDimensions(out, input.shape.dimensions());
        }
        out.u64(recipe->m_boxes.size());
        const std::size_t rank = recipe->m_shape.rank();
        for (const Box& box : recipe->m_boxes) {
            out.u32(box.input);
            for (const auto* numbers : {&box.from, &box.to, &box.sizes})
                writeDimensions(out, std::span(*numbers).last(rank)); // without the axes in front
        }
        return true;
    };
    const auto read = [](worker::WireReader& in) -> std::shared_ptr<const Recipe> {
        const std::uint8_t dtype = in.u8();
        const auto shape = Shape::make(readDimensions(in));
        std::vector<BoxInput> inputs;
        const std::uint64_t count = in.count(16);
        for (std::uint64_t i = 0; i < count && in.good(); ++i) {
            std::string name = toUtf8(in.text());
            const auto own = Shape::make(readDimensions(in));
            if (!own) return nullptr;
            inputs.push_back({std::move(name), *own});
        }
        std::vector<Box> boxes(in.count(28));
        for (Box& box : boxes) {
            box.input = in.u32();
            for (auto* numbers : {&box.from, &box.to, &box.sizes}) *numbers = readDimensions(in);
        }
        if (!in.good() || !shape || dtype >= static_cast<std::uint8_t>(Dtype::Count)) return nullptr;
        auto recipe = BoxRecipe::make(static_cast<Dtype>(dtype), *shape, std::move(inputs), std::move(boxes));
        return recipe ? *recipe : nullptr;
    };
    return {write, read};
}

} // namespace wb::training
