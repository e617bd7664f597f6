// SPDX-License-Identifier: MIT
#include "core/quant/mix/mix_facts.h"

#include "core/base/checked.h"
#include "core/quant/mix/tensor_category.h"

#include <algorithm>

namespace wb::quant {
namespace {

std::uint64_t countedLayers(const arch::ModelSpec& spec, arch::MixLayerCount layers) {
    if (layers == arch::MixLayerCount::WithRouter) return spec.trunkLayers() + 1;
    if (layers == arch::MixLayerCount::EveryPass && spec.passes > 1)
        return checked::mul(spec.trunkLayers(), spec.passes).value_or(spec.blockCount);
    return spec.blockCount;
}

Result<void> readNumbers(const Model& model, MixFacts& facts) {
    if (!model.architecture) return {};
    WB_TRY_ASSIGN(const arch::ModelSpec spec, arch::readSpec(model));
    facts.layers = countedLayers(spec, facts.rules.layerCount);
    facts.trunkLayers = spec.trunkLayers();
    facts.heads = spec.headCount;
    facts.kvHeads = spec.kvHeadCount;
    facts.experts = spec.experts.count;
    return {};
}

} // namespace

Result<MixFacts> mixFacts(const Model& model, const MixOptions& options) {
    MixFacts facts;
    facts.fileType = options.fileType;
    const arch::Family* const family = arch::findFamily(model.architecture.value_or(""));
    if (family) facts.rules = family->mix;
    WB_TRY(readNumbers(model, facts));
    facts.hasMatrix = options.hasMatrix;
    facts.outputType = options.outputType;
    facts.tied = std::ranges::none_of(model.tensors, [](const TensorInfo& tensor) { return tensor.name == "output.weight"; });
    facts.valueTensors = static_cast<std::uint64_t>(std::ranges::count_if(model.tensors, [](const TensorInfo& tensor) {
        const Category category = tensorCategory(tensor.storedName());
        return category == Category::V || category == Category::Qkv || category == Category::KvB;
    }));
    return facts;
}

} // namespace wb::quant
