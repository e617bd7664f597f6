// SPDX-License-Identifier: MIT
#include "core/convert/convert/tensor_plan.h"

#include "core/base/checked.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace wb::conversion {
namespace {

// Shards by name, inside by place: how the reference reads them.
std::vector<std::size_t> sourceOrder(const Model& model) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (!model.tensors[i].logical) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&model](std::size_t i) {
        const TensorInfo& tensor = model.tensors[i];
        const bool hasFile = tensor.file() < model.files.size();
        return std::pair(hasFile ? std::string_view(model.files[tensor.file()].name) : std::string_view(),
                         tensor.offset().value_or(0));
    });
    return order;
}

// Buffers that the reference leaves out, as they follow from the rest.
bool isDropped(std::string_view name) {
    return name.ends_with(".attention.masked_bias") || name.ends_with(".attention.bias") || name.ends_with(".rotary_emb.inv_freq");
}

std::optional<std::uint64_t> takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// Whether `stem` is the name of the rule, and the number of the expert in it (0 where the rule has none).
std::optional<std::uint64_t> matchRule(const NameRule& rule, std::string_view stem) {
    const std::size_t hole = rule.source.find("{}");
    if (hole == std::string_view::npos) return stem == rule.source ? std::optional<std::uint64_t>(0) : std::nullopt;
    if (!stem.starts_with(rule.source.substr(0, hole))) return std::nullopt;
    stem.remove_prefix(hole);
    const auto expert = takeNumber(stem);
    return stem == rule.source.substr(hole + 2) ? expert : std::nullopt;
}

bool isAlwaysF32(std::string_view name, const Shape& shape) {
    return shape.rank() <= 1 || name.ends_with("_norm.weight") || !name.ends_with(".weight") ||
           name.ends_with(".ffn_gate_inp.weight") || name.ends_with(".ffn_gate_inp_shexp.weight");
}

// specs/conversion.md 2.2.
Dtype typeOf(std::string_view name, const Shape& shape, gguf::FileType type) {
    const Dtype wanted = gguf::info(type).base;
    if (isAlwaysF32(name, shape)) return Dtype::F32;
    const bool isTernary = wanted == Dtype::TQ1_0 || wanted == Dtype::TQ2_0;
    if (isTernary && (name == "token_embd.weight" || name == "output.weight")) return Dtype::F16;
    return shape.rowLength() % info(wanted).blockElements == 0 ? wanted : Dtype::F16;
}

class Planner {
public:
    Planner(const SourceFolder& folder, const ConvertFamily& family, const arch::ModelSpec& spec, gguf::FileType type)
        : m_model(*folder.model), m_family(family), m_spec(spec), m_type(type) {}

    Result<std::vector<PlannedTensor>> plan() {
        WB_TRY(addGenerated());
        for (const std::size_t source : sourceOrder(m_model))
            if (!isDropped(m_model.tensors[source].name)) WB_TRY(addSource(source));
        WB_TRY(checkComplete());
        return std::move(m_tensors);
    }

private:
    struct Place {
        std::span<const NameRule> rules;
        std::string targetPrefix, sourcePrefix;
        std::uint64_t layer = 0; // the number of layers outside them
    };

    // Experts' tensors of one layer that wait for the last one.
    struct Waiting {
        std::map<const NameRule*, std::vector<std::optional<std::size_t>>> sources;
        std::uint64_t count = 0;
    };

    Result<void> addGenerated() {
        const arch::RopeFactors& factors = m_spec.ropeFactors;
        if (!factors.llama3 || !m_family.isLlama) return {};
        PlannedTensor tensor;
        tensor.name = "rope_freqs.weight";
        tensor.generated = llama3Factors(factors, m_spec.layers[0]);
        return push(std::move(tensor), {tensor.generated.size()});
    }

    // specs/conversion.md 2.3, in the precision of the reference.
    static std::vector<float> llama3Factors(const arch::RopeFactors& rope, const arch::LayerSpec& layer) {
        const std::uint64_t length = layer.keyLength;
        const auto context = static_cast<float>(rope.originalContext);
        std::vector<float> out;
        for (std::uint64_t i = 0; i < length / 2; ++i) {
            const float exponent = static_cast<float>(2 * i) / static_cast<float>(length);
            const float frequency = 1.0F / std::pow(layer.ropeBase, exponent);
            const float wave = static_cast<float>(2 * std::numbers::pi) / frequency;
            const float smooth = (context / wave - rope.lowFrequencyFactor) / (rope.highFrequencyFactor - rope.lowFrequencyFactor);
            if (wave < context / rope.highFrequencyFactor) out.push_back(1);
            else if (wave > context / rope.lowFrequencyFactor) out.push_back(rope.factor);
            else out.push_back(1 / ((1 - smooth) / rope.factor + smooth));
        }
        return out;
    }

    Result<void> addSource(std::size_t source) {
        std::string_view name = m_model.tensors[source].name;
        if (name.starts_with("language_model.")) name.remove_prefix(15);
        const std::size_t dot = name.rfind('.');
        const std::string_view ending = dot == std::string_view::npos ? std::string_view() : name.substr(dot);
        std::string_view stem = name.substr(0, name.size() - ending.size());
        const auto place = placeOf(stem);
        if (place && (ending == ".weight" || ending == ".bias"))
            for (const NameRule& rule : place->rules)
                if (const auto expert = matchRule(rule, stem))
                    return addMatched(source, *place, rule, std::string(ending), *expert);
        return fail(ErrorCode::Unsupported, Reason("convert.unmapped_tensor"), About{m_model.tensors[source].name},
                    WB_TEXT("The tensor {} is none that models of the family {} have, so the folder cannot be converted."),
                    m_model.tensors[source].name, m_family.architecture);
    }

    // Takes the prefix of a layer off `stem`.
    std::optional<Place> placeOf(std::string_view& stem) const {
        constexpr std::string_view prefix = "model.layers.";
        if (!stem.starts_with(prefix)) return Place{outerRules(), "", "", m_spec.layers.size()};
        stem.remove_prefix(prefix.size());
        const auto layer = takeNumber(stem);
        if (!layer || *layer >= m_spec.layers.size() || !stem.starts_with('.')) return std::nullopt;
        stem.remove_prefix(1);
        return Place{m_family.layer, fmt::format("blk.{}.", *layer), fmt::format("{}{}.", prefix, *layer), *layer};
    }

    Result<void> addMatched(std::size_t source, const Place& place, const NameRule& rule, const std::string& ending,
                            std::uint64_t expert) {
        const TensorInfo& stored = m_model.tensors[source];
        WB_TRY(checkShape(stored, rule, ending == ".bias"));
        if (ending == ".weight") m_seen.emplace(place.layer, &rule);
        if (rule.transform == Transform::Stack) return addExpert(source, place, rule, expert);
        PlannedTensor tensor;
        tensor.name = place.targetPrefix + std::string(rule.target) + ending;
        tensor.sources = {source};
        if (m_family.permutes && rule.transform == Transform::PermuteQueries) tensor.heads = m_spec.headCount;
        if (m_family.permutes && rule.transform == Transform::PermuteKeys) tensor.heads = m_spec.kvHeadCount;
        tensor.transform = tensor.heads > 0 ? rule.transform : Transform::Copy;
        tensor.from = stored.dtype;
        const auto dimensions = stored.shape.dimensions();
        return push(std::move(tensor), {dimensions.begin(), dimensions.end()});
    }

    Result<void> addExpert(std::size_t source, const Place& place, const NameRule& rule, std::uint64_t expert) {
        const TensorInfo& stored = m_model.tensors[source];
        Waiting& waiting = m_waiting[place.layer];
        auto& sources = waiting.sources[&rule];
        sources.resize(m_spec.experts.count);
        if (expert >= sources.size() || sources[expert])
            return fail(ErrorCode::Malformed, Reason("convert.surplus_expert"), About{stored.name},
                        WB_TEXT("The tensor {} is of an expert beyond the {} of config.json, or stands there twice."), stored.name,
                        sources.size());
        sources[expert] = source;
        const auto stacks = static_cast<std::uint64_t>(std::ranges::count(place.rules, Transform::Stack, &NameRule::transform));
        if (++waiting.count < stacks * m_spec.experts.count) return {};
        for (const NameRule& each : place.rules)
            if (each.transform == Transform::Stack) WB_TRY(addStack(place, each, waiting.sources[&each]));
        m_waiting.erase(place.layer);
        return {};
    }

    Result<void> addStack(const Place& place, const NameRule& rule, const std::vector<std::optional<std::size_t>>& experts) {
        PlannedTensor tensor;
        tensor.name = place.targetPrefix + std::string(rule.target) + ".weight";
        for (const auto& source : experts) tensor.sources.push_back(*source);
        const TensorInfo& first = m_model.tensors[tensor.sources.front()];
        tensor.transform = Transform::Stack;
        tensor.from = first.dtype;
        for (const std::size_t source : tensor.sources)
            if (m_model.tensors[source].dtype != first.dtype || m_model.tensors[source].shape != first.shape)
                return fail(ErrorCode::Malformed, Reason("convert.unequal_experts"), About{m_model.tensors[source].name},
                            WB_TEXT("The tensor {} has another type or shape than that of the first expert."),
                            m_model.tensors[source].name);
        return push(std::move(tensor), {tensor.sources.size(), first.shape[0], first.shape[1]});
    }

    Result<void> push(PlannedTensor tensor, const std::vector<std::uint64_t>& dimensions) {
        const auto shape = Shape::make(dimensions);
        if (!shape || info(tensor.from).kind == DtypeKind::Block || info(tensor.from).kind == DtypeKind::Complex ||
            tensor.from == Dtype::Unknown)
            return fail(ErrorCode::Unsupported, Reason("convert.source_type"), About{tensor.name},
                        WB_TEXT("The values of {} are of the type {}, which cannot be converted."), tensor.name,
                        wb::name(tensor.from));
        tensor.shape = *shape;
        tensor.to = typeOf(tensor.name, *shape, m_type);
        const auto bytes = rowBytes(tensor.to, shape->elements());
        if (!bytes)
            return fail(ErrorCode::TooLarge, Reason("convert.tensor_size"), About{tensor.name},
                        WB_TEXT("The tensor {} is too large for one file."), tensor.name);
        tensor.bytes = *bytes;
        m_tensors.push_back(std::move(tensor));
        return {};
    }

    // The size that config.json says for a dimension; empty for any.
    std::optional<std::uint64_t> sizeOf(Dim dim) const {
        const arch::LayerSpec& layer = m_spec.layers[0];
        switch (dim) {
        case Dim::One: return 1;
        case Dim::Vocabulary: return m_spec.vocabulary;
        case Dim::Width: return m_spec.width;
        case Dim::FeedForward: return layer.feedForward > 0 ? layer.feedForward : layer.expertWidth;
        case Dim::Queries: return layer.heads * layer.keyLength;
        case Dim::KeyValues: return layer.kvHeads * layer.keyLength;
        case Dim::HeadLength: return layer.keyLength;
        case Dim::Experts: return m_spec.experts.count;
        case Dim::ExpertWidth: return layer.expertWidth;
        case Dim::None:
        case Dim::Any: break;
        }
        return std::nullopt;
    }

    Result<void> checkShape(const TensorInfo& tensor, const NameRule& rule, bool isBias) const {
        const std::size_t rank = isBias || rule.columns == Dim::None ? 1 : 2;
        const auto fits = [&](std::size_t axis, Dim dim) {
            const auto size = sizeOf(dim);
            return !size || tensor.shape[axis] == *size;
        };
        if (tensor.shape.rank() == rank && fits(0, rule.rows) && (rank == 1 || fits(1, rule.columns))) return {};
        const auto text = [this](Dim dim) {
            const auto size = sizeOf(dim);
            return size ? fmt::format("{}", *size) : std::string("any");
        };
        const std::string wanted = rank == 1 ? text(rule.rows) : text(rule.rows) + ", " + text(rule.columns);
        return fail(ErrorCode::Malformed, Reason("convert.shape"), About{tensor.name},
                    WB_TEXT("The tensor {} has the shape {}, but config.json asks for [{}]."), tensor.name, tensor.shape.toString(),
                    wanted);
    }

    Result<void> checkComplete() const {
        for (const NameRule& rule : outerRules()) WB_TRY(checkSeen(m_spec.layers.size(), rule, ""));
        for (std::uint64_t layer = 0; layer < m_spec.layers.size(); ++layer)
            for (const NameRule& rule : m_family.layer) WB_TRY(checkSeen(layer, rule, fmt::format("model.layers.{}.", layer)));
        return {};
    }

    Result<void> checkSeen(std::uint64_t layer, const NameRule& rule, const std::string& prefix) const {
        const auto waiting = m_waiting.find(layer);
        const bool isPartial = waiting != m_waiting.end() && rule.transform == Transform::Stack;
        if (!isPartial && (!rule.required || m_seen.contains({layer, &rule}))) return {};
        std::string name = prefix + std::string(rule.source) + ".weight";
        if (const std::size_t hole = name.find("{}"); hole != std::string::npos) name.replace(hole, 2, "N");
        return fail(ErrorCode::Malformed, Reason("convert.missing_tensor"), About{name},
                    WB_TEXT("The tensor {} is missing, which models of the family {} have."), name, m_family.architecture);
    }

    const Model& m_model;
    const ConvertFamily& m_family;
    const arch::ModelSpec& m_spec;
    gguf::FileType m_type;
    std::vector<PlannedTensor> m_tensors;
    std::set<std::pair<std::uint64_t, const NameRule*>> m_seen; // by layer
    std::map<std::uint64_t, Waiting> m_waiting;                 // by layer
};

} // namespace

Result<std::vector<PlannedTensor>> planTensors(const SourceFolder& folder, const ConvertFamily& family, const arch::ModelSpec& spec,
                                               gguf::FileType type) {
    return Planner(folder, family, spec, type).plan();
}

gguf::FileType automaticType(const SourceFolder& folder) {
    for (const std::size_t i : sourceOrder(*folder.model))
        if (folder.model->tensors[i].shape.rank() >= 2)
            return folder.model->tensors[i].dtype == Dtype::F16 ? gguf::FileType::F16 : gguf::FileType::BF16;
    return gguf::FileType::BF16;
}

} // namespace wb::conversion
