// SPDX-License-Identifier: MIT
#include "core/diff/gguf_view.h"

#include "core/convert/gguf/convert_item.h"
#include "core/convert/gguf/converted_model.h"
#include "core/convert/gguf/row_order.h"
#include "core/diff/relation.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace wb::diff {
namespace {

using convert::PlannedTensor;
using convert::Transform;

using convert::RowOrder;

// Whether the new tensor is the second one of its source.
bool isSecond(const PlannedTensor& tensor) {
    switch (tensor.transform) {
    case Transform::SecondHalf:
    case Transform::TransposedSecondHalf:
    case Transform::OddColumns:
    case Transform::LatentValues:
    case Transform::RepackOddRows: return true;
    default: return tensor.order == RowOrder::TakeGates;
    }
}

// Whether the source makes two tensors.
bool isHalf(const PlannedTensor& tensor) {
    switch (tensor.transform) {
    case Transform::FirstHalf:
    case Transform::TransposedFirstHalf:
    case Transform::EvenColumns:
    case Transform::LatentKeys:
    case Transform::RepackEvenRows: return true;
    default: return tensor.order == RowOrder::TakeMixed || isSecond(tensor);
    }
}

// What happens to values, rows and axes of one tensor, without the types.
void addTransform(const PlannedTensor& tensor, Mappings& mappings) {
    switch (tensor.transform) {
    case Transform::AddOne: return mappings.push_back(Mapping::Shifted);
    case Transform::NegateExp: return mappings.push_back(Mapping::Negexp);
    case Transform::NegateExpColumn: mappings.push_back(Mapping::Negexp); return mappings.push_back(Mapping::Reshaped);
    case Transform::Transpose:
    case Transform::TransposeEach:
    case Transform::TransposedFirstHalf:
    case Transform::TransposedSecondHalf:
    case Transform::LatentKeys: return mappings.push_back(Mapping::Transposed);
    case Transform::Squeeze:
    case Transform::Column:
    case Transform::ByGroup: return mappings.push_back(Mapping::Reshaped);
    case Transform::CutRows: return mappings.push_back(Mapping::Padded);
    default: return;
    }
}

Mappings tensorMappings(const PlannedTensor& tensor, Dtype stored, bool folderIsA) {
    Mappings mappings;
    const Dtype from = convert::isRepack(tensor.transform) ? Dtype::Unknown : tensor.from;
    addType(folderIsA ? from : stored, folderIsA ? stored : from, mappings);
    if (tensor.heads > 0 || tensor.order != RowOrder::Stored) mappings.push_back(Mapping::Permuted);
    addTransform(tensor, mappings);
    if (convert::isStack(tensor.transform)) mappings.push_back(folderIsA ? Mapping::Stacked : Mapping::Split);
    if (isHalf(tensor)) mappings.push_back(folderIsA ? Mapping::Split : Mapping::Fused);
    return mappings;
}

// The element of the source after an order of rows.
std::uint64_t reorderedElement(const PlannedTensor& tensor, const TensorInfo& source, const arch::RecurrentSpec& spec,
                               std::uint64_t element) {
    const std::uint64_t columns = std::max<std::uint64_t>(convert::shapeColumns(source.shape), 1);
    const auto map = convert::takenRows(tensor.order, spec, source.shape.elements() / columns, columns);
    if (!map || element / columns >= map->rows.size()) return element;
    std::uint64_t column = element % columns;
    if (!map->parts.empty()) {
        const std::uint64_t part = columns / map->parts.size();
        column = map->parts[column / part] * part + column % part;
    }
    return map->rows[element / columns].row * columns + column;
}

// Where an element of the new tensor comes from in the folder.
Location tensorSource(const PlannedTensor& tensor, const GgufView& view, std::uint64_t element) {
    const Model& folder = *view.plan->folder.model;
    const auto at = [&](std::size_t source, std::uint64_t position) {
        const TensorInfo& info = folder.tensors[tensor.sources[source]];
        return Location{info.name, info.shape.coordinates(std::min(position, info.shape.elements() - 1))};
    };
    if (convert::isStack(tensor.transform)) {
        const std::uint64_t each = std::max<std::uint64_t>(convert::sourceElements(tensor), 1);
        return at(static_cast<std::size_t>(element / each), element % each);
    }
    const TensorInfo& source = folder.tensors[tensor.sources.front()];
    if (tensor.heads > 0) { // docs/reference/conversion.md, "Recipes": rows of a head from halves to adjacent pairs
        const std::uint64_t row = tensor.shape.rank() == 1 ? 1 : tensor.shape.rowLength();
        const std::uint64_t headRows = tensor.shape.elements() / tensor.heads / row, place = element / row,
                            within = place % headRows;
        return at(0, (place - within + within % 2 * (headRows / 2) + within / 2) * row + element % row);
    }
    if (tensor.order != RowOrder::Stored) return at(0, reorderedElement(tensor, source, view.spec.recurrent, element));
    if (tensor.views.size() == 1 && tensor.views.front().source.form() == TensorSource::Form::Strided) {
        const TensorInfo& strided = tensor.views.front();
        const auto index = strided.shape.coordinates(element);
        std::uint64_t position = (strided.offset().value_or(0) - source.offset().value_or(0)) / info(source.dtype).blockBytes;
        for (std::size_t axis = 0; axis < index.size(); ++axis) position += index[axis] * strided.source.strides()[axis];
        return at(0, position);
    }
    return at(0, element);
}

class ViewPairs {
public:
    ViewPairs(const Model& gguf, const std::shared_ptr<const GgufView>& view, bool folderIsA, std::size_t ggufIndex,
              std::size_t viewIndex)
        : m_folder(*view->plan->folder.model), m_view(view), m_plan(*view->plan), m_isFolderA(folderIsA), m_ggufIndex(ggufIndex),
          m_viewIndex(viewIndex) {
        for (const TensorInfo& tensor : gguf.tensors) m_stored.emplace(tensor.name, &tensor);
        for (const TensorInfo& tensor : view->model->tensors) m_converted.emplace(tensor.name, &tensor);
    }

    std::vector<PlannedPair> run() {
        std::map<std::vector<std::size_t>, std::size_t> bySources; // several new tensors of one source are one pair
        for (const PlannedTensor& planned : m_plan.tensors) {
            const TensorInfo* const stored = find(m_stored, planned.name);
            const TensorInfo* const converted = find(m_converted, planned.name);
            if (planned.sources.empty() || !stored || !converted || stored->shape != converted->shape) continue;
            const auto [known, isNew] = bySources.emplace(planned.sources, m_pairs.size());
            if (isNew) begin(planned, *stored);
            else join(m_pairs[known->second], planned, *stored);
            addRun(m_pairs[known->second], planned, *stored, *converted);
        }
        return std::move(m_pairs);
    }

private:
    using ByName = std::unordered_map<std::string_view, const TensorInfo*>;

    static const TensorInfo* find(const ByName& tensors, const std::string& name) {
        const auto found = tensors.find(name);
        return found == tensors.end() ? nullptr : found->second;
    }

    std::vector<std::string>& folderNames(Pair& pair) const { return m_isFolderA ? pair.a : pair.b; }
    std::vector<std::string>& ggufNames(Pair& pair) const { return m_isFolderA ? pair.b : pair.a; }

    void begin(const PlannedTensor& planned, const TensorInfo& stored) {
        Pair& pair = m_pairs.emplace_back().pair;
        for (const std::size_t source : planned.sources) folderNames(pair).push_back(m_folder.tensors[source].name);
        ggufNames(pair).push_back(stored.name);
        pair.mapping = tensorMappings(planned, stored.dtype, m_isFolderA);
    }

    // The second new tensor of a source.
    void join(PlannedPair& known, const PlannedTensor& planned, const TensorInfo& stored) const {
        auto& names = ggufNames(known.pair);
        if (isSecond(planned)) names.push_back(stored.name);
        else names.insert(names.begin(), stored.name);
    }

    void addRun(PlannedPair& known, const PlannedTensor& planned, const TensorInfo& stored, const TensorInfo& converted) const {
        constexpr std::uint64_t largestUnit = 1 << 24;
        Run run;
        (m_isFolderA ? run.a : run.b) = {m_viewIndex, converted, 0};
        (m_isFolderA ? run.b : run.a) = {m_ggufIndex, stored, 0};
        run.elements = stored.shape.elements();
        const std::uint64_t unit = convert::itemUnit(planned);
        run.unit = unit <= largestUnit && unit % info(stored.dtype).blockElements == 0 ? unit : 1;
        run.origin = planned.transform == Transform::AddOne && !m_isFolderA ? 1 : 0; // the folder stores values without the one
        if (m_isFolderA)
            run.locate = [name = stored.name, shape = stored.shape](std::uint64_t element) {
                return Location{name, shape.coordinates(element)};
            };
        else run.locate = [view = m_view, &planned](std::uint64_t element) { return tensorSource(planned, *view, element); };
        known.pair.elements += run.elements;
        if (isSecond(planned)) known.runs.push_back(std::move(run));
        else known.runs.insert(known.runs.begin(), std::move(run));
    }

    const Model& m_folder;
    std::shared_ptr<const GgufView> m_view;
    const convert::ConvertPlan& m_plan;
    bool m_isFolderA;
    std::size_t m_ggufIndex, m_viewIndex;
    ByName m_stored, m_converted;
    std::vector<PlannedPair> m_pairs;
};

} // namespace

std::optional<GgufView> makeGgufView(const ModelPtr& folder, bool onlyVocabulary) {
    if (folder->format != FormatId::HuggingFace) return std::nullopt;
    convert::ConvertRequest request;
    request.type = gguf::FileType::F32;
    request.isForComparison = true;
    request.onlyVocabulary = onlyVocabulary;
    auto plan = convert::planConvert(folder, request);
    if (!plan) return std::nullopt;
    GgufView view;
    view.plan = std::make_shared<const convert::ConvertPlan>(*std::move(plan));
    auto spec = arch::specOfConfig(view.plan->folder.config, "config.json");
    if (!spec) return std::nullopt;
    view.spec = *std::move(spec);
    auto model = convert::convertedModel(view.plan);
    if (!model) return std::nullopt;
    view.model = *std::move(model);
    return view;
}

std::vector<PlannedPair> pairsOfView(const Model& gguf, const std::shared_ptr<const GgufView>& view, bool folderIsA,
                                     std::size_t ggufIndex, std::size_t viewIndex) {
    return ViewPairs(gguf, view, folderIsA, ggufIndex, viewIndex).run();
}

} // namespace wb::diff
