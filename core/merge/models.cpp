// SPDX-License-Identifier: MIT
#include "core/merge/models.h"

#include "core/merge/adapters.h"
#include "core/merge/file_order.h"
#include "core/merge/joined_files.h"
#include "core/merge/models_recipe.h"
#include "core/merge/tensor_numbers.h"
#include "core/model/prefixed_recipe.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace wb::merge {
namespace {

// Before the name of a tensor of the base that is copied under another one.
constexpr std::string_view unmergedPrefix = "model 1: ";

// Files by name, in them by name, as folders are read whose tensors are not computed; a model of other files keeps its order.
std::vector<std::size_t> modelOrder(const Model& model) {
    std::vector<std::size_t> order = fileOrder(model);
    const auto fileName = [&model](std::size_t i) {
        const std::size_t file = model.tensors[i].file();
        return file < model.files.size() ? std::string_view(model.files[file].name) : std::string_view();
    };
    if (!std::ranges::all_of(order, [&](std::size_t i) { return fileName(i).ends_with(".safetensors"); })) return order;
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return std::pair(fileName(i), std::string_view(model.tensors[i].name)); });
    return order;
}

bool isVocabulary(std::string_view name) {
    return name.find("embed") != std::string_view::npos || name.find("lm_head") != std::string_view::npos ||
           name.find("wte.") != std::string_view::npos;
}

// Whether all but the first dimension agree.
bool haveEqualRows(const Shape& one, const Shape& other) {
    const auto a = one.dimensions(), b = other.dimensions();
    return a.size() == b.size() && !a.empty() && std::equal(a.begin() + 1, a.end(), b.begin() + 1);
}

bool isMerged(Dtype dtype) {
    const DtypeKind kind = info(dtype).kind;
    return canDecode(dtype) && (kind == DtypeKind::Float || kind == DtypeKind::Block);
}

// What has no place in the written types is merged as F32.
Dtype writtenType(Dtype dtype) { return dtype == Dtype::F16 || dtype == Dtype::BF16 ? dtype : Dtype::F32; }

class Joiner {
public:
    Joiner(const ModelPtr& base, std::span<const ModelPtr> others, const MergeSettings& settings,
           const std::function<std::optional<Dtype>(const std::string&)>& typeOf)
        : m_base(*base), m_others(others), m_settings(settings), m_typeOf(typeOf), m_joined(std::make_shared<Model>(*base)),
          m_layers(m_base) {
        m_joined->tensors.clear();
        m_modelNames.push_back(io::baseName(m_base.path));
        for (const TensorInfo& tensor : m_base.tensors)
            if (tensor.logical) m_inputs.push_back(tensor);
    }

    Result<JoinedModels> run() {
        for (std::size_t i = 0; i < m_others.size(); ++i) WB_TRY(addOther(i));
        if (m_settings.method == MergeMethod::Layers) WB_TRY(chooseLayers());
        else WB_TRY(mergeAll());
        std::ranges::move(m_inputs, std::back_inserter(m_joined->tensors));
        noteCut();
        return JoinedModels{ModelPtr(m_joined), m_vocabulary, m_settings.layers};
    }

private:
    using ByName = std::unordered_map<std::string, const TensorInfo*>;

    static ByName byName(const Model& model) {
        ByName tensors;
        for (const TensorInfo& tensor : model.tensors)
            if (!tensor.logical) tensors.emplace(tensor.name, &tensor);
        return tensors;
    }

    static std::string prefixFromOther(std::size_t other) { return fmt::format("model {}: ", other + 2); }

    // Its tensors are listed under prefixed names, among them the inputs of computed ones.
    Result<void> addOther(std::size_t index) {
        const Model& other = *m_others[index];
        WB_TRY_ASSIGN(const std::uint32_t shift, joinFiles(*m_joined, other));
        for (const TensorInfo& tensor : other.tensors) {
            TensorInfo input = withPrefix(tensor, prefixFromOther(index));
            input.logical = true;
            input.source.shiftFiles(shift);
            m_inputs.push_back(std::move(input));
        }
        m_tensors.push_back(byName(other));
        m_modelNames.push_back(io::baseName(other.path));
        std::ranges::copy_if(mergeRemarks(other), std::back_inserter(m_joined->problems), [this](const Problem& remark) {
            return std::ranges::none_of(m_joined->problems, [&](const Problem& own) { return own.message() == remark.message(); });
        });
        return {};
    }

    Result<void> mergeAll() {
        const ByName own = byName(m_base);
        for (std::size_t i = 0; i < m_others.size(); ++i)
            for (const TensorInfo& tensor : m_others[i]->tensors)
                if (!tensor.logical && !own.contains(tensor.name)) return missing(tensor.name, i + 1, 0);
        const TensorNumbers numbers(m_settings, m_layers);
        for (const std::size_t index : modelOrder(m_base)) {
            WB_TRY_ASSIGN(TensorInfo tensor, merged(m_base.tensors[index], numbers));
            m_joined->tensors.push_back(std::move(tensor));
        }
        return {};
    }

    std::unexpected<Error> missing(const std::string& name, std::size_t has, std::size_t lacks) const {
        return fail(ErrorCode::Malformed, Reason("merge.missing_tensor"), About{name},
                    WB_TEXT("{} has the tensor {}, but {} does not; only models of one architecture can be merged."),
                    m_modelNames[has], name, m_modelNames[lacks]);
    }

    Result<TensorInfo> merged(const TensorInfo& own, const TensorNumbers& numbers) {
        TensorInfo tensor = own;
        std::vector<std::string> inputs = {std::string(beforePrefix) + own.name};
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            const auto other = m_tensors[i].find(own.name);
            if (other == m_tensors[i].end()) return missing(own.name, 0, i + 1);
            WB_TRY(fitShape(tensor, *other->second, i));
            inputs.push_back(prefixFromOther(i) + own.name);
        }
        if (!isMerged(own.dtype)) return tensor;
        WB_TRY_ASSIGN(TensorMerge merge, numbers.tensorNumbers(own.name));
        TensorInfo before = own;
        before.name = inputs.front();
        before.logical = true;
        std::uint64_t bytes = before.bytes();
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            const TensorInfo& other = *m_tensors[i].at(own.name);
            if (!isMerged(other.dtype) || !other.isReadable()) return typesDiffer(own.name, i);
            bytes += other.bytes();
        }
        auto details = std::make_shared<TensorDetails>();
        details->parts = {own.name};
        details->parts.insert(details->parts.end(), inputs.begin() + 1, inputs.end());
        details->scheme = mergeScheme(merge, m_settings.seed);
        tensor.details = std::move(details);
        tensor.dtype = m_typeOf ? m_typeOf(own.name).value_or(writtenType(own.dtype)) : writtenType(own.dtype);
        tensor.source = TensorSource::recipe(std::make_shared<ModelsRecipe>(std::move(inputs), m_modelNames, std::move(merge),
                                                                            tensor.dtype, tensor.shape.elements()),
                                             bytes);
        cutBefore(before, tensor.shape);
        m_inputs.push_back(std::move(before));
        return tensor;
    }

    // The base's values are compared with the result's, so they need its shape; only stored tensors are measured where rows are
    // cut.
    void cutBefore(TensorInfo& before, const Shape& shape) {
        if (before.shape == shape) return;
        TensorInfo whole = before;
        whole.name = "whole " + before.name;
        before.shape = shape;
        before.source = TensorSource::recipe(std::make_shared<CopyRecipe>(whole.name, whole.dtype), whole.bytes());
        m_inputs.push_back(std::move(whole));
    }

    // Cuts the rows of a vocabulary that the other does not have.
    Result<void> fitShape(TensorInfo& tensor, const TensorInfo& other, std::size_t index) {
        if (tensor.shape == other.shape) return {};
        if (!isVocabulary(tensor.name) || !haveEqualRows(tensor.shape, other.shape))
            return shapesDiffer(tensor.name, tensor.shape, other.shape, index + 1);
        const std::uint64_t least = std::min(tensor.shape[0], other.shape[0]);
        m_longest = std::max({m_longest, tensor.shape[0], other.shape[0]});
        m_vocabulary = std::min(m_vocabulary.value_or(least), least);
        std::vector<std::uint64_t> dimensions(tensor.shape.dimensions().begin(), tensor.shape.dimensions().end());
        dimensions[0] = least;
        tensor.shape = *Shape::make(dimensions);
        return {};
    }

    std::unexpected<Error> shapesDiffer(const std::string& name, const Shape& own, const Shape& other, std::uint64_t model) const {
        return fail(ErrorCode::Malformed, Reason("merge.shapes"), About{name},
                    WB_TEXT("The tensor {} has the shape {} in {}, but {} in {}; only models of one shape can be merged."), name,
                    own.toString(), m_modelNames[0], other.toString(), m_modelNames[model]);
    }

    std::unexpected<Error> typesDiffer(const std::string& name, std::size_t index) const {
        return fail(ErrorCode::Malformed, Reason("merge.type"), About{name},
                    WB_TEXT("The tensor {} of {} has no numbers that can be merged."), name, m_modelNames[index + 1]);
    }

    void noteCut() {
        if (!m_vocabulary) return;
        m_joined->problems.push_back(
            makeProblem(Severity::Warning, Reason("merge.vocabulary_cut"), "", std::nullopt,
                        WB_TEXT("The models have vocabularies of different lengths: embeddings of up to {} rows are cut to {}."),
                        m_longest, *m_vocabulary));
    }

    // Layers of all models one after another; everything outside of layers is the base's.
    Result<void> chooseLayers() {
        for (const std::size_t index : modelOrder(m_base))
            if (!m_layers.layerPlace(m_base.tensors[index].name))
                addCopy(m_base.tensors[index], m_base.tensors[index].name, std::string(unmergedPrefix));
        std::uint64_t layer = 0;
        for (const TensorInfo& tensor : m_base.tensors)
            if (const auto place = tensor.logical ? std::nullopt : m_layers.layerPlace(tensor.name))
                m_shapes.emplace(place->rest, tensor.shape);
        for (const LayerSlice& slice : m_settings.layers)
            for (std::uint64_t from = slice.first; from <= slice.last; ++from) WB_TRY(addLayer(slice.model, from, layer++));
        return {};
    }

    Result<void> addLayer(std::uint64_t model, std::uint64_t from, std::uint64_t to) {
        const Model& source = model == 0 ? m_base : *m_others[model - 1];
        const LayerNames names(source);
        std::size_t count = 0;
        for (const std::size_t index : modelOrder(source)) {
            const auto place = names.layerPlace(source.tensors[index].name);
            if (!place || place->layer != from) continue;
            const TensorInfo& tensor = source.tensors[index];
            const auto shape = m_shapes.find(std::string(place->rest));
            if (shape != m_shapes.end() && shape->second != tensor.shape)
                return shapesDiffer(tensor.name, shape->second, tensor.shape, model);
            addCopy(tensor, m_layers.nameIn(to, place->rest),
                    model == 0 ? std::string(unmergedPrefix) : prefixFromOther(model - 1));
            ++count;
        }
        if (count > 0) return {};
        return fail(ErrorCode::NotFound, Reason("merge.no_layer"), About{m_modelNames[model]},
                    WB_TEXT("{} has {} layers, so layer {} cannot be used; the first one is 0."), m_modelNames[model],
                    names.count(), from);
    }

    void addCopy(const TensorInfo& source, std::string name, const std::string& prefix) {
        const std::string input = prefix + source.name;
        if (prefix == unmergedPrefix && m_copied.insert(input).second) {
            TensorInfo before = source;
            before.name = input;
            before.logical = true;
            m_inputs.push_back(std::move(before));
        }
        TensorInfo tensor = source;
        auto details = std::make_shared<TensorDetails>();
        details->parts = {prefix == unmergedPrefix ? source.name : input};
        details->scheme = "layers";
        tensor.details = std::move(details);
        tensor.name = std::move(name);
        tensor.source = TensorSource::recipe(std::make_shared<CopyRecipe>(input, source.dtype), source.bytes());
        m_joined->tensors.push_back(std::move(tensor));
    }

    const Model& m_base;
    std::span<const ModelPtr> m_others;
    const MergeSettings& m_settings;
    const std::function<std::optional<Dtype>(const std::string&)>& m_typeOf;
    std::shared_ptr<Model> m_joined;
    const LayerNames m_layers; // of the base
    std::vector<std::string> m_modelNames;
    std::vector<ByName> m_tensors; // of the others
    std::vector<TensorInfo> m_inputs;
    std::set<std::string> m_copied;
    std::map<std::string, Shape> m_shapes; // of the base's layers, by the name in the layer
    std::optional<std::uint64_t> m_vocabulary;
    std::uint64_t m_longest = 0;
};

} // namespace

Result<JoinedModels> mergeModels(const ModelPtr& base, std::span<const ModelPtr> others, const MergeSettings& settings,
                                 const std::function<std::optional<Dtype>(const std::string& name)>& typeOf) {
    WB_TRY(checkSettings(settings));
    if (settings.weights.size() != others.size())
        return fail(ErrorCode::Internal, Reason("merge.weights"), "There is not one weight for each model.");
    return Joiner(base, others, settings, typeOf).run();
}

} // namespace wb::merge
