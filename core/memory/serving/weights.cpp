// SPDX-License-Identifier: MIT
#include "core/memory/serving/weights.h"

#include "core/memory/amounts.h"
#include "core/model/parameters.h"
#include "core/quant/mix/mix_rules.h"

#include <algorithm>
#include <array>

namespace wb::memory {
namespace {

constexpr std::uint64_t alignment = 32;

std::uint64_t padded(std::uint64_t bytes) { return checked::alignUp(bytes, alignment).value_or(unlimited); }

std::uint64_t bytesAs(const TensorInfo& tensor, Dtype type) {
    if (type == tensor.dtype && tensor.bytes() > 0) return padded(tensor.bytes());
    const auto row = rowBytes(type, tensor.shape.rowLength());
    return row ? padded(product(*row, tensor.shape.rows())) : unlimited;
}

bool isInput(std::string_view name) {
    constexpr std::array names = {"token_embd.", "token_embd_norm.", "token_types.", "position_embd.", "per_layer_token_embd."};
    return std::ranges::any_of(names, [&](std::string_view start) { return name.starts_with(start); });
}

bool isOfFirstBlock(std::string_view name) {
    return name.starts_with("per_layer_model_proj.") || name.starts_with("per_layer_proj_norm.");
}

bool isExpert(std::string_view name) { return name.find("_exps.") != std::string_view::npos; }

void add(Weights& weights, const std::string& name, std::uint64_t bytes) {
    const std::int64_t block = name.starts_with("blk.") ? quant::blockNumber(name) : isOfFirstBlock(name) ? 0 : -1;
    const bool isBlock = block >= 0 && static_cast<std::uint64_t>(block) < weights.blocks.size();
    std::uint64_t& place = isBlock                           ? weights.blocks[static_cast<std::size_t>(block)]
                           : isInput(name)                   ? weights.input
                           : name.starts_with("rope_freqs.") ? weights.everywhere
                                                             : weights.head;
    place = sum(place, bytes);
    if (isBlock && isExpert(name)) {
        std::uint64_t& experts = weights.experts[static_cast<std::size_t>(block)];
        experts = sum(experts, bytes);
    }
}

std::uint64_t numbersSum(std::span<const std::uint64_t> numbers) {
    std::uint64_t all = 0;
    for (const std::uint64_t number : numbers) all = sum(all, number);
    return all;
}

bool loadsPrediction(const Settings& settings) {
    return settings.loadsPrediction || settings.predictsAhead || allocatorRules(settings).loadsPrediction;
}

std::uint64_t scaled(std::uint64_t number, double factor) {
    const double result = static_cast<double>(number) * factor;
    return result < 1e19 ? static_cast<std::uint64_t>(result) : unlimited;
}

} // namespace

std::uint64_t Weights::total() const { return sum(numbersSum(blocks), input, head, everywhere); }

double Weights::bitsPerWeight() const {
    return parameters == 0 ? 0 : static_cast<double>(total()) * 8 / static_cast<double>(parameters);
}

std::uint64_t Weights::gpuBlocks(std::uint64_t gpuLayers) const {
    return gpuLayers == 0 ? 0 : std::min<std::uint64_t>(gpuLayers - 1, blocks.size());
}

std::uint64_t Weights::expertsLeft(const Settings& settings, const LayerShare& share) const {
    const auto last = static_cast<std::size_t>(std::min<std::uint64_t>(settings.cpuExperts, std::min(share.last, experts.size())));
    return share.first < last ? numbersSum(std::span(experts).subspan(share.first, last - share.first)) : 0;
}

std::uint64_t Weights::expertsLeft(const Settings& settings) const {
    const std::size_t first = blocks.size() - static_cast<std::size_t>(gpuBlocks(settings.gpuLayers));
    return expertsLeft(settings, {first, blocks.size(), true});
}

std::uint64_t Weights::onDevice(const Settings& settings, const LayerShare& share) const {
    if (share.isEmpty()) return 0;
    const std::uint64_t last = share.hasOutput ? sum(head, tiedHead, loadsPrediction(settings) ? prediction : 0) : 0;
    const std::uint64_t all = sum(numbersSum(std::span(blocks).subspan(share.first, share.last - share.first)), everywhere, last);
    return all - std::min(all, expertsLeft(settings, share));
}

std::uint64_t Weights::onGpu(const Settings& settings) const {
    std::uint64_t all = 0;
    for (const LayerShare& share : layerShares(settings, blocks.size())) all = sum(all, onDevice(settings, share));
    return all;
}

std::uint64_t Weights::onProcessor(const Settings& settings) const {
    if (!settings.usesGpu()) return sum(total(), loadsPrediction(settings) ? prediction : 0);
    const auto moved = static_cast<std::size_t>(gpuBlocks(settings.gpuLayers));
    return sum(numbersSum(std::span(blocks).first(blocks.size() - moved)), input, moved < blocks.size() ? everywhere : 0,
               expertsLeft(settings));
}

void Weights::scaleTo(std::uint64_t wanted) {
    if (parameters == 0) return;
    const double factor = static_cast<double>(wanted) / static_cast<double>(parameters);
    for (std::uint64_t* number : {&input, &head, &tiedHead, &everywhere, &prediction}) *number = scaled(*number, factor);
    for (std::uint64_t& block : blocks) block = scaled(block, factor);
    for (std::uint64_t& expert : experts) expert = scaled(expert, factor);
    parameters = wanted;
}

Weights weightSizes(const Model& model, const arch::ModelSpec& spec, std::span<const Dtype> types) {
    return weightSizes(model, spec, [&](const TensorInfo& tensor) {
        return bytesAs(tensor, types[static_cast<std::size_t>(&tensor - model.tensors.data())]);
    });
}

Weights weightSizes(const Model& model, const arch::ModelSpec& spec,
                    const std::function<std::uint64_t(const TensorInfo&)>& bytesOf) {
    Weights weights;
    weights.blocks.resize(spec.trunkLayers());
    weights.experts.resize(spec.trunkLayers());
    bool hasOutput = false;
    for (const TensorInfo& tensor : model.tensors) {
        if (!isWeight(model, tensor)) continue;
        const std::string& name = tensor.storedName();
        const std::int64_t block = name.starts_with("blk.") ? quant::blockNumber(name) : -1;
        if (block >= 0 && static_cast<std::uint64_t>(block) >= spec.trunkLayers() && spec.predictionLayers > 0) {
            weights.prediction = sum(weights.prediction, bytesOf(tensor));
            continue;
        }
        const std::uint64_t bytes = bytesOf(tensor);
        add(weights, name, bytes);
        hasOutput = hasOutput || name == "output.weight";
        if (name == "token_embd.weight") weights.tiedHead = bytes;
        weights.parameters = sum(weights.parameters, tensor.shape.elements());
    }
    if (hasOutput) weights.tiedHead = 0;
    return weights;
}

Weights storedWeights(const Model& model, const arch::ModelSpec& spec) {
    std::vector<Dtype> types;
    types.reserve(model.tensors.size());
    for (const TensorInfo& tensor : model.tensors) types.push_back(tensor.dtype);
    return weightSizes(model, spec, types);
}

} // namespace wb::memory
