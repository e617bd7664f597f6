// SPDX-License-Identifier: MIT
#include "core/diff/fold.h"

#include "core/model/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace wb::diff {
namespace {

struct FoldedInputs {
    bool hasGamma = false, hasBeta = false, hasBias = false;
};

// Weight or bias; the inputs are weight, gamma, variance, or mean, variance, gamma, beta, bias, those that exist.
class FoldedRecipe final : public F32Recipe {
public:
    FoldedRecipe(std::vector<std::string> inputs, const FoldedInputs& known, bool isBias, const Shape& shape, std::size_t axis,
                 double epsilon)
        : m_inputs(std::move(inputs)), m_known(known), m_isBias(isBias), m_shape(shape), m_axis(axis), m_epsilon(epsilon) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        bool isRight = dtype == Dtype::F32 && shape == m_shape && m_axis < shape.rank();
        for (std::size_t i = 0; isRight && i < inputs.size(); ++i)
            isRight = inputs[i].elements() == (i == 0 && !m_isBias ? shape.elements() : shape[m_axis]);
        if (isRight) return {};
        return fail(ErrorCode::Malformed, Reason("diff.folded_input"), About{m_inputs[0]},
                    WB_TEXT("{} changed since the file was opened."), m_inputs[0]);
    }

    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        const std::uint64_t channels = m_shape[m_axis];
        std::vector<std::vector<float>> vectors;
        std::vector<std::byte> raw;
        for (std::size_t i = m_isBias ? 0 : 1; i < inputs.size(); ++i) {
            vectors.emplace_back(channels);
            WB_TRY(inputs[i].readF32(0, vectors.back(), raw));
        }
        std::uint64_t inner = 1;
        for (std::size_t axis = m_axis + 1; axis < m_shape.rank(); ++axis) inner *= m_shape[axis];
        if (!m_isBias) WB_TRY(inputs[0].readF32(first, out, raw));
        for (std::uint64_t i = 0; i < out.size(); ++i) {
            const std::uint64_t channel = (first + i) / inner % channels;
            out[i] = static_cast<float>(m_isBias ? bias(vectors, channel) : double{out[i]} * factor(vectors, channel));
        }
        return {};
    }

private:
    using Vectors = std::vector<std::vector<float>>;

    // Of the weight: gamma, variance; of the bias: mean, variance, gamma.
    double factor(const Vectors& vectors, std::uint64_t channel) const {
        const double variance = vectors[m_isBias || m_known.hasGamma ? 1 : 0][channel];
        const double gamma = m_known.hasGamma ? vectors[m_isBias ? 2 : 0][channel] : 1;
        return gamma / std::sqrt(variance + m_epsilon);
    }

    double bias(const Vectors& vectors, std::uint64_t channel) const {
        std::size_t at = m_known.hasGamma ? 3 : 2;
        const double beta = m_known.hasBeta ? vectors[at++][channel] : 0;
        const double bias = m_known.hasBias ? vectors[at][channel] : 0;
        return (bias - vectors[0][channel]) * factor(vectors, channel) + beta;
    }

    std::vector<std::string> m_inputs;
    FoldedInputs m_known;
    bool m_isBias;
    Shape m_shape;
    std::size_t m_axis;
    double m_epsilon;
};

struct Spelling {
    std::string_view mean, variance, gamma, beta;
    bool isChannelFirst; // of the weights
};
constexpr std::array spellings = {Spelling{"running_mean", "running_var", "weight", "bias", true},
                                  Spelling{"moving_mean", "moving_variance", "gamma", "beta", false}};

class LayerFinder {
public:
    explicit LayerFinder(const Model& model) : m_model(model) {
        for (const TensorInfo& tensor : model.tensors) m_byName.emplace(tensor.name, &tensor);
    }

    std::vector<NormalizedLayer> run() const {
        std::vector<NormalizedLayer> layers;
        for (std::size_t i = 0; i < m_model.tensors.size(); ++i)
            for (const Spelling& spelling : spellings)
                if (const std::size_t at = m_model.tensors[i].name.rfind(spelling.mean); at != std::string::npos)
                    if (auto layer = layerOfMean(i, at, spelling)) layers.push_back(*layer);
        return layers;
    }

private:
    const TensorInfo* find(const std::string& name) const {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : found->second;
    }

    std::optional<NormalizedLayer> layerOfMean(std::size_t index, std::size_t at, const Spelling& spelling) const {
        const TensorInfo& mean = m_model.tensors[index];
        const auto sibling = [&](std::string_view word) {
            std::string name = mean.name;
            const TensorInfo* const found = find(name.replace(at, spelling.mean.size(), word));
            return found && found->isReadable() && found->shape == mean.shape ? found : nullptr;
        };
        NormalizedLayer layer;
        layer.mean = &mean;
        layer.variance = sibling(spelling.variance);
        layer.gamma = sibling(spelling.gamma);
        layer.beta = sibling(spelling.beta);
        if (!mean.isReadable() || mean.shape.rank() != 1 || !layer.variance) return std::nullopt;
        if (!findWeight(index, mean.name.substr(0, at), spelling, layer)) return std::nullopt;
        std::string biasName = layer.weight->name;
        for (const std::string_view word : {"weight", "kernel"})
            if (const std::size_t place = biasName.rfind(word); place != std::string::npos) {
                const TensorInfo* const bias = find(biasName.replace(place, word.size(), "bias"));
                if (bias && bias->isReadable() && bias->shape == mean.shape) layer.bias = bias;
                break;
            }
        return layer;
    }

    // Names are more certain than the order, which may be that of the alphabet.
    bool findWeight(std::size_t mean, const std::string& prefix, const Spelling& spelling, NormalizedLayer& layer) const {
        for (const std::string& twin : twins(prefix))
            for (const char* word : {"weight", "weights", "kernel", "depthwise_weights", "depthwise_kernel"})
                if (const TensorInfo* const weight = find(twin + word); weight && fits(*weight, spelling, layer)) return true;
        for (std::size_t i = mean; i-- > 0;) {
            const TensorInfo& tensor = m_model.tensors[i];
            if (tensor.shape.rank() < 2) continue;
            return fits(tensor, spelling, layer); // the one before
        }
        return false;
    }

    // "layer.bn1." is after "layer.conv1.", "features.4." after "features.3.", "Conv/BatchNorm/" belongs to "Conv/".
    static std::vector<std::string> twins(const std::string& prefix) {
        std::vector<std::string> names;
        if (prefix.empty()) return names;
        const char separator = prefix.back();
        const std::string path = prefix.substr(0, prefix.size() - 1);
        const std::size_t begin = path.rfind(separator) == std::string::npos ? 0 : path.rfind(separator) + 1;
        const std::string parent = path.substr(0, begin), last = path.substr(begin);
        for (const std::string_view word : {"batch_normalization", "batchnorm", "bn", "norm"})
            if (const std::size_t at = last.find(word); at != std::string::npos)
                for (const char* other : {"conv", "conv2d", "fc", "linear"}) {
                    std::string twin = last;
                    names.push_back(parent + twin.replace(at, word.size(), other) + separator);
                }
        if (!last.empty() && last.size() < 6 && last.find_first_not_of("0123456789") == std::string::npos && last != "0")
            names.push_back(fmt::format("{}{}{}", parent, std::stoul(last) - 1, separator));
        if (!parent.empty()) names.push_back(parent);
        return names;
    }

    static bool fits(const TensorInfo& weight, const Spelling& spelling, NormalizedLayer& layer) {
        const std::size_t rank = weight.shape.rank();
        if (rank < 2 || !weight.isReadable()) return false;
        const bool isDepthwise = !spelling.isChannelFirst && rank == 4 && weight.shape[3] == 1; // HWC1
        const std::size_t axis = spelling.isChannelFirst ? 0 : isDepthwise ? 2 : rank - 1;
        if (weight.shape[axis] != layer.mean->shape[0]) return false;
        layer.weight = &weight;
        layer.channelAxis = axis;
        return true;
    }

    const Model& m_model;
    std::unordered_map<std::string_view, const TensorInfo*> m_byName;
};

std::vector<std::string> namesOf(std::initializer_list<const TensorInfo*> tensors) {
    std::vector<std::string> names;
    for (const TensorInfo* tensor : tensors)
        if (tensor) names.push_back(tensor->name);
    return names;
}

TensorInfo foldedTensor(const TensorInfo& like, std::shared_ptr<const Recipe> recipe, double epsilon) {
    TensorInfo folded = like;
    folded.name += fmt::format(" (normalization folded, ε {})", epsilon);
    folded.dtype = Dtype::F32;
    folded.source = TensorSource::recipe(std::move(recipe), like.bytes());
    return folded;
}

} // namespace

std::vector<std::string> NormalizedLayer::weightInputs() const { return namesOf({weight, gamma, variance}); }
std::vector<std::string> NormalizedLayer::biasInputs() const { return namesOf({beta, mean, bias}); }

std::vector<NormalizedLayer> findNormalizedLayers(const Model& model) { return LayerFinder(model).run(); }

TensorInfo foldedWeight(const NormalizedLayer& layer, double epsilon) {
    const FoldedInputs known{layer.gamma != nullptr, false, false};
    return foldedTensor(
        *layer.weight,
        std::make_shared<FoldedRecipe>(layer.weightInputs(), known, false, layer.weight->shape, layer.channelAxis, epsilon),
        epsilon);
}

TensorInfo foldedBias(const NormalizedLayer& layer, double epsilon) {
    const FoldedInputs known{layer.gamma != nullptr, layer.beta != nullptr, layer.bias != nullptr};
    return foldedTensor(*layer.mean,
                        std::make_shared<FoldedRecipe>(namesOf({layer.mean, layer.variance, layer.gamma, layer.beta, layer.bias}),
                                                       known, true, layer.mean->shape, 0, epsilon),
                        epsilon);
}

} // namespace wb::diff
