// SPDX-License-Identifier: MIT
#include "core/diff/fold_pairs.h"

#include "core/diff/content.h"
#include "core/diff/detect.h"
#include "core/diff/relation.h"
#include "core/model/opened_files.h"

#include <algorithm>
#include <limits>
#include <set>

namespace wb::diff {
namespace {

// As for the transforms of a conversion: a quantized tensor stays below the first.
constexpr double mostOfFolded = 0.3, foldedBetterBy = 3;

std::set<std::string_view> tensorNames(const Model& model) {
    std::set<std::string_view> names;
    for (const TensorInfo& tensor : model.tensors) names.insert(tensor.name);
    return names;
}

bool has(const Mappings& mappings, Mapping mapping) { return std::ranges::find(mappings, mapping) != mappings.end(); }

} // namespace

Folds::Folds(std::size_t own, Pairing& pairing) : m_own(own), m_pairing(pairing) {
    const ModelPtr& model = pairing.closed[own];
    const auto others = tensorNames(*pairing.closed[1 - own]);
    for (const NormalizedLayer& stored : findNormalizedLayers(*model)) {
        if (others.contains(stored.mean->name)) continue;
        Layer& layer = m_layers.emplace_back(stored, std::vector<TensorInfo>(), std::vector<TensorInfo>());
        for (const double epsilon : usualEpsilons) {
            layer.weights.push_back(foldedWeight(stored, epsilon));
            layer.biases.push_back(foldedBias(stored, epsilon));
        }
    }
    if (m_layers.empty()) return;
    auto extended = std::make_shared<Model>(*model);
    for (const Layer& layer : m_layers)
        for (const auto& folded : {layer.weights, layer.biases})
            extended->tensors.insert(extended->tensors.end(), folded.begin(), folded.end());
    m_index = pairing.models.size();
    pairing.models.push_back(withOpenedFiles(*extended));
    pairing.closed.push_back(std::move(extended));
}

std::vector<std::string> Folds::inputs(const Layer& layer, bool isBias) {
    return isBias ? layer.stored.biasInputs() : layer.stored.weightInputs();
}

// In each order of axes that makes the shapes fit.
std::vector<PlannedPair> Folds::relateFolded(const TensorInfo& folded, const TensorInfo& other) const {
    std::vector<PlannedPair> pairs;
    const auto add = [&](const TensorInfo& view, std::optional<Mapping> moved) {
        auto planned = m_own == 0 ? relate(view, other, Fit::Shape) : relate(other, view, Fit::Shape);
        if (!planned) return;
        for (Run& run : planned->runs) (m_own == 0 ? run.a : run.b).model = m_index;
        if (moved) planned->pair.mapping.push_back(*moved);
        pairs.push_back(*std::move(planned));
    };
    add(folded, {});
    for (const TensorInfo& view : otherLayouts(folded)) add(view, folded.shape.rank() == 2 ? Mapping::Transposed : Mapping::Axes);
    return pairs;
}

// With the ε that explains the other tensor best; empty where none has a smaller error than `most`.
std::optional<PlannedPair> Folds::best(const Layer& layer, bool isBias, const TensorInfo& other, double most) const {
    const TensorInfo& stored = isBias ? *layer.stored.mean : *layer.stored.weight;
    std::optional<PlannedPair> best;
    for (const TensorInfo& folded : isBias ? layer.biases : layer.weights)
        for (PlannedPair& planned : relateFolded(folded, other)) {
            const auto error = sampleError(planned.runs.front(), m_pairing.models);
            if (!error || *error >= most) continue;
            most = *error;
            best = std::move(planned);
        }
    if (!best) return std::nullopt;
    (m_own == 0 ? best->pair.a : best->pair.b) = inputs(layer, isBias);
    Mappings& mapping = best->pair.mapping;
    std::erase(mapping, Mapping::Cast); // the folded values are f32, unlike the stored ones
    if (stored.dtype != other.dtype && !has(mapping, Mapping::Dequantized)) mapping.insert(mapping.begin(), Mapping::Cast);
    mapping.insert(m_own == 0 ? mapping.begin() : mapping.end(), Mapping::Folded);
    return best;
}

std::vector<PlannedPair> Folds::pairByName(const std::function<const TensorInfo*(const std::string&)>& find) const {
    std::vector<PlannedPair> pairs;
    for (const Layer& layer : m_layers) {
        const std::string& name = layer.stored.weight->name;
        const TensorInfo* const other = find(name);
        if (!other) continue;
        const auto plain =
            m_own == 0 ? relate(*layer.stored.weight, *other, Fit::Likely) : relate(*other, *layer.stored.weight, Fit::Likely);
        const auto identity = plain ? sampleError(plain->runs.front(), m_pairing.models) : std::nullopt;
        const double most = std::min(mostOfFolded, identity ? *identity / foldedBetterBy : std::numeric_limits<double>::infinity());
        auto weight = best(layer, false, *other, most);
        if (!weight) continue;
        pairs.push_back(*std::move(weight));
        std::string biasName = name;
        const std::size_t at = std::max(name.rfind("weight") + 1, name.rfind("kernel") + 1); // npos + 1 is 0
        if (at == 0) continue;
        const TensorInfo* const otherBias = find(biasName.replace(at - 1, std::string_view("weight").size(), "bias"));
        if (!otherBias) continue;
        if (auto bias = best(layer, true, *otherBias, mostOfFolded)) pairs.push_back(*std::move(bias));
    }
    return pairs;
}

Result<std::vector<PlannedPair>> Folds::pairByContent(const std::vector<const TensorInfo*>& own,
                                                      const std::vector<const TensorInfo*>& other, const Options& options) const {
    std::set<std::string_view> freeNames;
    for (const TensorInfo* tensor : own) freeNames.insert(tensor->name);
    std::vector<TensorInfo> views;
    std::vector<const Layer*> layers;
    for (const Layer& layer : m_layers) {
        if (!freeNames.contains(layer.stored.weight->name)) continue;
        std::vector<TensorInfo> layouts = otherLayouts(layer.weights.front());
        layouts.push_back(layer.weights.front());
        for (TensorInfo& view : layouts) {
            views.push_back(std::move(view));
            layers.push_back(&layer);
        }
    }
    std::vector<const TensorInfo*> pointers;
    for (const TensorInfo& view : views) pointers.push_back(&view);
    WB_TRY_ASSIGN(const auto matches,
                  matchByCorrelation({m_pairing.models[m_index], pointers}, {m_pairing.models[1 - m_own], other}, options));
    std::set<const TensorInfo*> rest(other.begin(), other.end());
    std::set<const Layer*> open(layers.begin(), layers.end());
    std::vector<PlannedPair> pairs;
    const auto take = [&](const Layer& layer, bool isBias, const TensorInfo* tensor) {
        auto pair = best(layer, isBias, *tensor, mostOfFolded);
        if (!pair) return false;
        pairs.push_back(*std::move(pair));
        rest.erase(tensor);
        return true;
    };
    for (const auto& [view, tensor] : matches) {
        const Layer* const layer = layers[static_cast<std::size_t>(view - views.data())];
        if (!rest.contains(tensor) || !open.contains(layer) || !take(*layer, false, tensor)) continue;
        open.erase(layer);
    }
    for (const Layer* layer : std::set<const Layer*>(layers.begin(), layers.end())) {
        if (open.contains(layer)) continue;
        double least = mostOfFolded;
        const TensorInfo* nearest = nullptr;
        for (const TensorInfo* tensor : rest) {
            if (tensor->shape.elements() != layer->stored.mean->shape.elements() || !tensor->isReadable()) continue;
            const auto planned = relateFolded(layer->biases.front(), *tensor);
            const auto error = planned.empty() ? std::nullopt : sampleError(planned.front().runs.front(), m_pairing.models);
            if (!error || *error >= least) continue;
            least = *error;
            nearest = tensor;
        }
        if (nearest) take(*layer, true, nearest);
    }
    return pairs;
}

std::optional<PlannedPair> Folds::wanted(const std::vector<std::string>& own, const TensorInfo& other) const {
    const std::set<std::string> names(own.begin(), own.end());
    for (const Layer& layer : m_layers)
        for (const bool isBias : {false, true}) {
            const auto ours = inputs(layer, isBias);
            if (std::set<std::string>(ours.begin(), ours.end()) == names)
                return best(layer, isBias, other, std::numeric_limits<double>::infinity());
        }
    return std::nullopt;
}

} // namespace wb::diff
