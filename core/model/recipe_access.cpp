// SPDX-License-Identifier: MIT
#include "core/model/element_access.h"
#include "core/model/recipe.h"

#include <algorithm>

namespace wb {
namespace {

constexpr std::size_t maxDepth = 8;      // recipes of recipes; known formats need three (unpack, scale, join)
constexpr std::size_t maxReaders = 4096; // of all inputs together; a tensor of a thousand ranks needs as many

class RecipeAccess final : public ElementAccess {
public:
    RecipeAccess(const TensorInfo& tensor, std::vector<TensorReader> inputs)
        : m_type(info(tensor.dtype)), m_recipe(tensor.source.recipe()), m_inputs(std::move(inputs)) {}

    Result<void> readRaw(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        while (count > 0) {
            const std::uint64_t asked = std::min(count, Recipe::maxElements);
            const std::uint64_t bytes = asked / m_type.blockElements * m_type.blockBytes;
            WB_TRY(m_recipe->readRaw(m_inputs, first, asked, out.first(bytes)));
            out = out.subspan(bytes);
            first += asked;
            count -= asked;
        }
        return {};
    }

    Result<void> checkUnchanged() const override {
        for (const TensorReader& input : m_inputs) WB_TRY(input.checkUnchanged());
        return {};
    }

private:
    const DtypeInfo& m_type;
    std::shared_ptr<const Recipe> m_recipe;
    std::vector<TensorReader> m_inputs;
};

Result<TensorInfo> transposed(const TensorInfo& matrix) {
    const bool isStored = matrix.source.form() == TensorSource::Form::Stored;
    if (matrix.shape.rank() != 2 || !isStored || !matrix.offset())
        return fail(ErrorCode::Unsupported, Reason("model.recipe_transposed"),
                    WB_TEXT("{} is not a contiguous matrix and cannot be read by column."), matrix.name);
    TensorInfo view = matrix;
    const TensorPlace& place = matrix.source.place();
    view.shape = *Shape::make({matrix.shape[1], matrix.shape[0]});
    view.source = TensorSource::strided(place.file, *place.offset, {1, matrix.shape[1]}, place.bytes);
    return view;
}

} // namespace

Result<ElementAccessPtr> openRecipe(const Model& model, const TensorInfo& tensor, OpenPath& path) {
    if (std::ranges::find(path.tensors, &tensor) != path.tensors.end())
        return fail(ErrorCode::Malformed, Reason("model.recipe_circle"), WB_TEXT("The values of {} depend on themselves."),
                    tensor.name);
    if (path.tensors.size() == maxDepth)
        return fail(ErrorCode::TooLarge, Reason("model.recipe_depth"),
                    WB_TEXT("The values of {} depend on other tensors through more than {} levels."), path.tensors.front()->name,
                    maxDepth);
    path.tensors.push_back(&tensor);
    const Recipe& recipe = *tensor.source.recipe();
    std::vector<TensorReader> inputs;
    for (const std::string& name : recipe.inputs()) {
        const auto input = std::ranges::find(model.tensors, name, &TensorInfo::name);
        if (input == model.tensors.end())
            return fail(ErrorCode::Malformed, Reason("model.recipe_input"),
                        WB_TEXT("The values of {} are computed from {}, which the model does not contain."), tensor.name, name);
        if (++path.readers > maxReaders)
            return fail(ErrorCode::TooLarge, Reason("model.recipe_inputs"),
                        WB_TEXT("The values of {} are computed from more than {} tensors."), path.tensors.front()->name,
                        maxReaders);
        std::optional<TensorInfo> view;
        if (recipe.isTransposed(inputs.size())) {
            WB_TRY_ASSIGN(view, transposed(*input));
        }
        WB_TRY_ASSIGN(auto reader, TensorReader::open(model, view ? *view : *input, path));
        inputs.push_back(std::move(reader));
    }
    path.tensors.pop_back();
    WB_TRY(recipe.check(inputs, tensor.dtype, tensor.shape));
    return std::make_shared<const RecipeAccess>(tensor, std::move(inputs));
}

} // namespace wb
