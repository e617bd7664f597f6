// SPDX-License-Identifier: MIT
#include "core/convert/weights/shared_storage.h"

#include "core/model/checkpoint.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace wb::convert {
namespace {

// What models of transformers list under _tied_weights_keys most often.
bool isUsuallyTied(std::string_view name) {
    constexpr std::array<std::string_view, 6> endings = {"lm_head.weight",
                                                         "embed_out.weight",
                                                         "cls.predictions.decoder.weight",
                                                         "cls.predictions.decoder.bias",
                                                         "encoder.embed_tokens.weight",
                                                         "decoder.embed_tokens.weight"};
    return std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

using Key = std::tuple<std::uint32_t, std::uint64_t, Dtype, std::vector<std::uint64_t>, std::vector<std::uint64_t>>;

std::optional<Key> tensorKey(const TensorInfo& tensor) {
    const auto form = tensor.source.form();
    const bool isInOnePlace = form == TensorSource::Form::Stored || form == TensorSource::Form::Strided;
    if (tensor.logical || !isInOnePlace || !tensor.offset() || tensor.shape.elements() == 0) return std::nullopt;
    const auto dimensions = tensor.shape.dimensions();
    return Key{tensor.file(), *tensor.offset(), tensor.dtype, {dimensions.begin(), dimensions.end()}, tensor.source.strides()};
}

// Tied tensors of a joined checkpoint: their details name the tensor they repeat.
std::unordered_map<std::size_t, std::size_t> tiedTensors(const Model& model) {
    std::unordered_map<std::string_view, std::size_t> byName;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (model.tensors[i].logical && !model.tensors[i].details->isRepeated && model.tensors[i].details->group.empty())
            byName.emplace(model.tensors[i].name, i);
    std::unordered_map<std::size_t, std::size_t> tied;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        if (!tensor.logical || !tensor.details->isRepeated || tensor.details->aliases.empty()) continue;
        const auto kept = byName.find(tensor.details->aliases.back());
        if (kept != byName.end()) tied.emplace(i, kept->second);
    }
    return tied;
}

} // namespace

std::unordered_map<std::size_t, std::size_t> sharedTensors(const Model& model) {
    if (model.checkpoint && model.checkpoint->isJoined) return tiedTensors(model);
    std::map<Key, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const bool mayShare = model.tensors[i].details && !model.tensors[i].details->aliases.empty();
        if (const auto key = mayShare ? tensorKey(model.tensors[i]) : std::nullopt) places[*key].push_back(i);
    }
    std::unordered_map<std::size_t, std::size_t> shared;
    for (auto& [key, tensors] : places) {
        std::ranges::sort(tensors, {}, [&model](std::size_t i) {
            const std::string& name = model.tensors[i].name;
            return std::pair(isUsuallyTied(name), std::string_view(name));
        });
        for (std::size_t i = 1; i < tensors.size(); ++i) shared.emplace(tensors[i], tensors.front());
    }
    return shared;
}

} // namespace wb::convert
