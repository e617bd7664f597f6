// SPDX-License-Identifier: MIT
#include "core/diff/gguf_view.h"

#include "core/convert/gguf/convert_item.h"
#include "core/convert/gguf/converted_model.h"
#include "core/diff/relation.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace wb::diff {
namespace {

using convert::PlannedTensor;
using convert::Transform;

// Whether the new tensor is the second one of its source.
bool isSecond(Transform transform) {
    return transform == Transform::SecondHalf || transform == Transform::OddColumns || transform == Transform::RepackOddRows;
}

// What happens to values and rows, without the types.
void addTransform(const PlannedTensor& tensor, bool folderIsA, Mappings& mappings) {
    switch (tensor.transform) {
    case Transform::PermuteQueries:
    case Transform::PermuteKeys:
        if (tensor.heads > 0) mappings.push_back(Mapping::Permuted);
        return;
    case Transform::Stack:
    case Transform::StackHeads: mappings.push_back(folderIsA ? Mapping::Stacked : Mapping::Split); return;
    case Transform::AddOne: mappings.push_back(Mapping::Shifted); return;
    case Transform::Transpose: mappings.push_back(Mapping::Transposed); return;
    case Transform::CutRows: mappings.push_back(Mapping::Padded); return;
    case Transform::FirstHalf:
    case Transform::SecondHalf:
    case Transform::EvenColumns:
    case Transform::OddColumns:
    case Transform::RepackEvenRows:
    case Transform::RepackOddRows: mappings.push_back(folderIsA ? Mapping::Split : Mapping::Fused); return;
    case Transform::Copy:
    case Transform::Repack: return;
    }
}

// Where an element of the new tensor comes from in the folder.
Location sourceOf(const PlannedTensor& tensor, const Model& folder, std::uint64_t element) {
    const auto plain = [&](std::size_t source, std::uint64_t at) {
        const TensorInfo& info = folder.tensors[tensor.sources[source]];
        return Location{info.name, info.shape.coordinates(at)};
    };
    if (convert::isStack(tensor.transform)) {
        const std::uint64_t each = std::max<std::uint64_t>(convert::sourceElements(tensor), 1);
        return plain(static_cast<std::size_t>(element / each), element % each);
    }
    if (tensor.heads > 0) { // docs/reference/conversion.md, "Recipes": rows of a head from halves to adjacent pairs
        const std::uint64_t row = tensor.shape.rank() == 1 ? 1 : tensor.shape.rowLength();
        const std::uint64_t headRows = tensor.shape.elements() / tensor.heads / row, at = element / row, within = at % headRows;
        const std::uint64_t source = at - within + within % 2 * (headRows / 2) + within / 2;
        return plain(0, source * row + element % row);
    }
    Location location = plain(0, 0);
    location.index = tensor.shape.coordinates(element);
    const std::size_t rank = location.index.size();
    if (tensor.transform == Transform::Transpose) std::ranges::reverse(location.index);
    if (tensor.transform == Transform::SecondHalf && rank >= 2) location.index[rank - 2] += tensor.shape[rank - 2];
    const bool isEven = tensor.transform == Transform::EvenColumns, isOdd = tensor.transform == Transform::OddColumns;
    if ((isEven || isOdd) && rank > 0) location.index.back() = 2 * location.index.back() + (isOdd ? 1 : 0);
    return location;
}

class ViewPairs {
public:
    ViewPairs(const Model& gguf, const GgufView& view, bool folderIsA, std::size_t ggufIndex, std::size_t viewIndex)
        : m_folder(*view.plan->folder.model), m_plan(view.plan), m_isFolderA(folderIsA), m_ggufIndex(ggufIndex),
          m_viewIndex(viewIndex) {
        for (const TensorInfo& tensor : gguf.tensors) m_stored.emplace(tensor.name, &tensor);
        for (const TensorInfo& tensor : view.model->tensors) m_converted.emplace(tensor.name, &tensor);
    }

    std::vector<PlannedPair> run() {
        std::map<std::vector<std::size_t>, std::size_t> bySources; // several new tensors of one source are one pair
        for (const PlannedTensor& planned : m_plan->tensors) {
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
        const Dtype folderType = convert::isRepack(planned.transform) ? Dtype::Unknown : planned.from;
        addType(folderType, stored.dtype, pair.mapping);
        addTransform(planned, m_isFolderA, pair.mapping);
    }

    // The second new tensor of a source.
    void join(PlannedPair& known, const PlannedTensor& planned, const TensorInfo& stored) const {
        auto& names = ggufNames(known.pair);
        if (isSecond(planned.transform)) names.push_back(stored.name);
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
        else
            run.locate = [plan = m_plan, &planned](std::uint64_t element) {
                return sourceOf(planned, *plan->folder.model, element);
            };
        known.pair.elements += run.elements;
        if (isSecond(planned.transform)) known.runs.push_back(std::move(run));
        else known.runs.insert(known.runs.begin(), std::move(run));
    }

    const Model& m_folder;
    std::shared_ptr<const convert::ConvertPlan> m_plan;
    bool m_isFolderA;
    std::size_t m_ggufIndex, m_viewIndex;
    ByName m_stored, m_converted;
    std::vector<PlannedPair> m_pairs;
};

} // namespace

std::optional<GgufView> ggufViewOf(const ModelPtr& folder, bool onlyVocabulary) {
    if (folder->format != FormatId::HuggingFace) return std::nullopt;
    convert::ConvertRequest request;
    request.type = gguf::FileType::F32;
    request.isForComparison = true;
    request.onlyVocabulary = onlyVocabulary;
    auto plan = convert::planConvert(folder, request);
    if (!plan) return std::nullopt;
    GgufView view;
    view.plan = std::make_shared<const convert::ConvertPlan>(*std::move(plan));
    auto model = convert::convertedModel(view.plan);
    if (!model) return std::nullopt;
    view.model = *std::move(model);
    return view;
}

std::vector<PlannedPair> pairsOfView(const Model& gguf, const GgufView& view, bool folderIsA, std::size_t ggufIndex,
                                     std::size_t viewIndex) {
    return ViewPairs(gguf, view, folderIsA, ggufIndex, viewIndex).run();
}

} // namespace wb::diff
