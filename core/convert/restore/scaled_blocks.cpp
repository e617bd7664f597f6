// SPDX-License-Identifier: MIT
#include "core/convert/restore/scaled_blocks.h"

#include "core/model/recipe.h"

#include <algorithm>
#include <map>
#include <set>

namespace wb::convert {
namespace {

constexpr std::string_view blocksPrefix = "blocks: ";

// Blocks times one scale, or one for each index of the first axis.
class ScaledBlocks final : public F32Recipe {
public:
    ScaledBlocks(std::string blocks, std::string scales) : m_inputs{std::move(blocks), std::move(scales)} {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        const bool fits = inputs.size() == 2 && dtype == Dtype::F32 && inputs[0].shape() == shape &&
                          inputs[1].dtype() == Dtype::F32 && inputs[1].elements() > 0 &&
                          shape.elements() % inputs[1].elements() == 0;
        if (fits) return {};
        return fail(ErrorCode::Malformed, Reason("convert.changed_shape"), About{m_inputs[0]},
                    WB_TEXT("{} changed since the model was opened."), m_inputs[0]);
    }

    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        std::vector<std::byte> scratch;
        const std::uint64_t block = info(inputs[0].dtype()).blockElements, elements = inputs[0].elements();
        const std::uint64_t begin = first / block * block,
                            end = std::min((first + out.size() + block - 1) / block * block, elements);
        std::vector<float> blocks(end - begin), scales(inputs[1].elements());
        WB_TRY(inputs[0].readF32(begin, blocks, scratch));
        WB_TRY(inputs[1].readF32(0, scales, scratch));
        const std::uint64_t each = elements / scales.size();
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = blocks[first - begin + i] * scales[(first + i) / each];
        return {};
    }

private:
    std::vector<std::string> m_inputs;
};

} // namespace

ModelPtr withScaledBlocks(const ModelPtr& gguf) {
    std::map<std::string_view, const TensorInfo*> byName;
    for (const TensorInfo& tensor : gguf->tensors) byName.emplace(tensor.name, &tensor);
    std::map<std::string_view, std::string_view> scales; // names, by that of the blocks
    std::set<std::string_view> used;
    constexpr std::string_view ending = ".weight";
    for (const TensorInfo& tensor : gguf->tensors) {
        if (tensor.dtype != Dtype::NVFP4 || tensor.logical || !tensor.name.ends_with(ending)) continue;
        const auto scale = byName.find(tensor.name.substr(0, tensor.name.size() - ending.size()) + ".scale");
        if (scale == byName.end() || scale->second->dtype != Dtype::F32) continue;
        const std::uint64_t count = scale->second->shape.elements();
        if (count != 1 && (tensor.shape.rank() < 3 || count != tensor.shape[0])) continue;
        scales.emplace(tensor.name, scale->second->name);
        used.insert(scale->second->name);
    }
    if (scales.empty()) return gguf;
    auto model = std::make_shared<Model>(*gguf);
    std::vector<TensorInfo> blocks;
    for (TensorInfo& tensor : model->tensors) {
        const auto scale = scales.find(tensor.name);
        tensor.logical = tensor.logical || used.contains(tensor.name);
        if (scale == scales.end()) continue;
        blocks.push_back(tensor);
        blocks.back().name = std::string(blocksPrefix) + tensor.name;
        blocks.back().logical = true;
        tensor.source =
            TensorSource::recipe(std::make_shared<ScaledBlocks>(blocks.back().name, std::string(scale->second)), tensor.bytes());
        tensor.dtype = Dtype::F32;
    }
    model->tensors.insert(model->tensors.end(), blocks.begin(), blocks.end());
    return model;
}

} // namespace wb::convert
