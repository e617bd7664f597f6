// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tensor_plan.h"

#include "core/convert/gguf/config_value.h"
#include "core/convert/gguf/generated_tensors.h"
#include "core/convert/gguf/row_order.h"
#include "core/convert/gguf/tensor_names.h"
#include "core/convert/gguf/tensor_sizes.h"
#include "core/convert/gguf/tensor_view.h"
#include "core/convert/source/kept_blocks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace wb::convert {
namespace {

bool isAlwaysF32(std::string_view name, const Shape& shape) {
    return shape.rank() <= 1 || name.ends_with("_norm.weight") || !name.ends_with(".weight") ||
           name.ends_with(".ffn_gate_inp.weight") || name.ends_with(".ffn_gate_inp_shexp.weight") ||
           name == "position_embd.weight" || name.ends_with(".ssm_conv1d.weight") || name.ends_with(".ssm_conv1d_q.weight") ||
           name.ends_with(".ssm_conv1d_k.weight") || name.ends_with(".ssm_conv1d_v.weight") ||
           name.ends_with(".shortconv.conv.weight") || name.ends_with(".indexer.proj.weight");
}

// docs/reference/conversion.md, "Type of each tensor".
Dtype typeFromName(std::string_view name, const Shape& shape, gguf::FileType type) {
    const Dtype wanted = gguf::info(type).base;
    if (isAlwaysF32(name, shape)) return Dtype::F32;
    const bool isTernary = wanted == Dtype::TQ1_0 || wanted == Dtype::TQ2_0;
    constexpr std::array<std::string_view, 3> embeddings = {"token_embd.weight", "output.weight", "per_layer_token_embd.weight"};
    if (isTernary && std::ranges::find(embeddings, name) != embeddings.end()) return Dtype::F16;
    return shape.rowLength() % info(wanted).blockElements == 0 ? wanted : Dtype::F16;
}

class Planner {
public:
    Planner(const SourceFolder& folder, FolderFamily family, const arch::ModelSpec& spec, gguf::FileType type)
        : m_config(folder.config), m_model(*folder.model), m_family(*family.family), m_rules(*family.rules), m_spec(spec),
          m_type(type) {
        for (const std::size_t source : sourceOrder(m_model)) m_byName.emplace(plainName(m_model.tensors[source].name), source);
    }

    Result<TensorPlan> plan(bool omitsUnfit, bool keepsBlocks) {
        WB_TRY(readIndexer());
        if (keepsBlocks) WB_TRY(findBlocks());
        for (GeneratedTensor& generated : generatedTensors(m_rules, m_spec)) WB_TRY(addGenerated(std::move(generated)));
        for (const bool repacks : {true, false})
            for (const std::size_t source : sourceOrder(m_model))
                if (auto added = addSource(source, repacks); !added && !omitsUnfit)
                    return std::unexpected(std::move(added).error());
        if (!omitsUnfit) WB_TRY(checkComplete());
        return std::move(m_plan);
    }

private:
    struct Place {
        std::span<const TensorRule> rules;
        std::string targetPrefix, sourcePrefix;
        std::uint64_t layer = 0; // the number of layers outside them
    };

    // Tensors of one layer that wait for the last one of their stacks.
    struct Waiting {
        std::map<const TensorRule*, std::vector<std::optional<std::size_t>>> sources;
        std::uint64_t count = 0;
    };

    Result<void> addGenerated(GeneratedTensor generated) {
        PlannedTensor tensor;
        tensor.name = std::move(generated.name);
        tensor.generated = std::move(generated.values);
        return push(std::move(tensor), {tensor.generated.size()});
    }

    // Repacked tensors come before all others.
    Result<void> addSource(std::size_t source, bool repacks) {
        const std::string& stored = m_model.tensors[source].name;
        const std::string whole = plainName(stored);
        if (isDropped(stored) || isTower(stored) || (m_rules.dropsHead && whole == "lm_head.weight") ||
            (m_rules.dropsPrediction && isPrediction(whole)))
            return noteDropped(source, repacks);
        const std::string numbered = isPrediction(whole) ? numberedPrediction(whole) : whole;
        std::string_view inner = numbered;
        const auto place = placeFromName(inner);
        bool isKnown = false;
        for (const TensorRule& rule : place ? place->rules : std::span<const TensorRule>()) {
            const TensorName name = parseTensorName(inner);
            const auto number = matchRule(rule, name);
            if (!number || !isOfLayer(*place, rule)) continue;
            isKnown = true;
            if ((isRepack(rule.transform) || isKept(source, rule)) == repacks)
                WB_TRY(addMatched(source, *place, rule, name, *number));
        }
        if (isKnown || repacks || isScales(whole)) return {};
        return fail(ErrorCode::Unsupported, Reason("convert.unmapped_tensor"), About{stored},
                    WB_TEXT("The tensor {} does not belong to the architecture {}, so the folder cannot be converted."), stored,
                    m_family.architecture);
    }

    Result<void> noteDropped(std::size_t source, bool isFirstPass) {
        const std::string& name = m_model.tensors[source].name;
        if (isFirstPass && isTower(name) && m_plan.leftOut++ == 0) m_plan.firstLeftOut = name;
        return {};
    }

    // If several rules read one source, those of the layer's kind.
    bool isOfLayer(const Place& place, const TensorRule& rule) const {
        if (place.layer >= m_spec.layers.size() || isOfKind(m_spec.layers[place.layer], rule.layers)) return true;
        return std::ranges::none_of(place.rules, [&](const TensorRule& other) {
            return other.source == rule.source && isOfKind(m_spec.layers[place.layer], other.layers);
        });
    }

    // Weights that can stay blocks.
    Result<void> findBlocks() {
        for (const std::size_t source : sourceOrder(m_model)) {
            WB_TRY_ASSIGN(auto kept, keptBlocks(m_model, m_model.tensors[source]));
            if (kept) m_blocks.emplace(source, std::move(*kept));
        }
        return {};
    }

    // Transforms that move entire rows.
    bool isKept(std::size_t source, const TensorRule& rule) const {
        const bool isMoved = rule.transform == Transform::Copy || rule.transform == Transform::Stack ||
                             rule.transform == Transform::PermuteQueries || rule.transform == Transform::PermuteKeys;
        const bool isStored = rule.order == RowOrder::Stored || isIdentity(rule.order, m_spec.recurrent);
        const std::string name = fmt::format(".{}{}", rule.target, rule.isWhole() ? "" : ".weight");
        return isMoved && isStored && m_blocks.contains(source) && !isAlwaysF32(name, m_model.tensors[source].shape);
    }

    // The scales of whole tensors, if one is not 1: "<name>.scale".
    Result<void> addKeptScales(const PlannedTensor& tensor) {
        std::vector<float> scales;
        for (const std::size_t source : tensor.sources) scales.push_back(m_blocks.at(source).scale);
        m_plan.kept += scales.size();
        m_plan.keptType = tensor.from;
        if (std::ranges::all_of(scales, [](float scale) { return scale == 1; })) return {};
        std::string name = tensor.name;
        if (name.ends_with(".weight")) name.resize(name.size() - 7);
        return addGenerated({name + ".scale", std::move(scales)});
    }

    // Rows of the queries of indexers whose projections folders join; the other rows are those of keys.
    Result<void> readIndexer() {
        WB_TRY_ASSIGN(const auto heads, memberNumber(m_config, "indexer_n_heads"));
        WB_TRY_ASSIGN(const auto length, memberNumber(m_config, "indexer_head_dim"));
        m_indexerRows = std::uint64_t{heads.value_or(0)} * length.value_or(0);
        return {};
    }

    // Whether these are the scales of blocks that are repacked.
    bool isScales(std::string_view name) const {
        if (!name.ends_with("_scales")) return false;
        return m_byName.contains(std::string(name.substr(0, name.size() - 7)) + "_blocks");
    }

    // Of the layers that predict ahead, by their prefix, or where they have none by their number.
    bool isPrediction(std::string_view name) const {
        if (!m_rules.predictionPrefix.empty()) return name.starts_with(m_rules.predictionPrefix);
        if (!m_rules.dropsPrediction || !name.starts_with(m_rules.layerPrefix)) return false;
        name.remove_prefix(m_rules.layerPrefix.size());
        const auto layer = takeNumber(name);
        return layer && *layer >= m_spec.layers.size() && *layer < arch::maxLayers;
    }

    // The name that a tensor of the layers that predict ahead would have as one of all layers: those of its layer by the number of
    // that, others by the first one.
    std::string numberedPrediction(std::string_view name) const {
        std::string_view rest = name.substr(m_rules.predictionPrefix.size());
        std::uint64_t layer = m_spec.trunkLayers();
        constexpr std::string_view layers = "layers.";
        if (!rest.starts_with(layers)) return fmt::format("{}{}.{}", m_rules.layerPrefix, layer, name);
        rest.remove_prefix(layers.size());
        layer += std::min<std::uint64_t>(takeNumber(rest).value_or(arch::maxLayers), arch::maxLayers);
        return fmt::format("{}{}{}", m_rules.layerPrefix, layer, rest);
    }

    // Takes the prefix of a layer off `name`.
    std::optional<Place> placeFromName(std::string_view& name) const {
        const std::string_view prefix = m_rules.layerPrefix;
        if (!name.starts_with(prefix)) return Place{m_rules.outer, "", "", m_spec.layers.size()};
        name.remove_prefix(prefix.size());
        const auto layer = takeNumber(name);
        if (!layer || *layer >= m_spec.layers.size() || !name.starts_with('.')) return std::nullopt;
        name.remove_prefix(1);
        return Place{m_rules.layer, fmt::format("blk.{}.", *layer), fmt::format("{}{}.", prefix, *layer), *layer};
    }

    Result<void> addMatched(std::size_t source, const Place& place, const TensorRule& rule, const TensorName& name,
                            std::uint64_t number) {
        if (rule.isWhole() || name.ending == ".weight") m_seen.emplace(place.layer, &rule);
        PlannedTensor tensor;
        tensor.name =
            (rule.isOuter ? "" : place.targetPrefix) + std::string(rule.target) + std::string(rule.isWhole() ? "" : name.ending);
        tensor.sources = {source};
        if (isRepack(rule.transform)) return addRepacked(std::move(tensor), place, rule);
        const TensorInfo& stored = m_model.tensors[source];
        const bool isBias = !rule.isWhole() && name.ending == ".bias";
        WB_TRY(checkShape(stored, ruleDimensions(rule, isBias), TensorSizes(m_spec, place.layer)));
        if (rule.transform == Transform::AsPair) return {};
        if (rule.transform == Transform::JoinShards) return addShard(source, std::move(tensor), rule, number);
        if (isStack(rule.transform)) return addToStack(source, place, rule, number);
        WB_TRY(setTransform(tensor, rule.transform, isBias, place.layer));
        WB_TRY(setOrder(tensor, rule.order));
        tensor.from = stored.dtype;
        if (isKept(source, rule) && !isBias) {
            tensor.views = {m_blocks.at(source).tensor};
            tensor.from = tensor.views.front().dtype;
            const PlannedTensor kept = tensor;
            WB_TRY(push(std::move(tensor), {stored.shape[0], stored.shape[1]}));
            return addKeptScales(kept);
        }
        const auto shape = (tensor.views.empty() ? stored : tensor.views.front()).shape.dimensions();
        std::vector<std::uint64_t> dimensions(shape.begin(), shape.end());
        if (rule.transform == Transform::NegateExpColumn) dimensions.push_back(1);
        return push(std::move(tensor), dimensions);
    }

    // A bias of a matrix that is transposed or squeezed stays as it is.
    Result<void> setTransform(PlannedTensor& tensor, Transform transform, bool isBias, std::uint64_t layer) {
        const TensorInfo& stored = m_model.tensors[tensor.sources.front()];
        if (m_rules.permutes && transform == Transform::PermuteQueries) tensor.heads = m_spec.layers[layer].heads;
        if (m_rules.permutes && transform == Transform::PermuteKeys) tensor.heads = m_spec.layers[layer].kvHeads;
        const bool isPlain = (transform == Transform::PermuteQueries || transform == Transform::PermuteKeys) && tensor.heads == 0;
        const bool isWhole = transform == Transform::CutRows && stored.shape.rank() == 2 && stored.shape[0] <= m_spec.vocabulary;
        const bool isReshaped = transform == Transform::Transpose || transform == Transform::Squeeze;
        const bool isUntouched = isPlain || isWhole || (isBias && isReshaped);
        tensor.transform = isUntouched ? Transform::Copy : transform;
        if (!needsView(tensor.transform)) return {};
        WB_TRY_ASSIGN(TensorInfo view, transformedView(stored, tensor.transform, viewSizes(layer)));
        tensor.views.push_back(std::move(view));
        return {};
    }

    ViewSizes viewSizes(std::uint64_t layer) const {
        ViewSizes sizes{m_spec.vocabulary, m_spec.recurrent.groups, 0, 0, m_indexerRows};
        if (layer >= m_spec.layers.size() || m_spec.latent.keyValueRank == 0) return sizes;
        const arch::LayerSpec& of = m_spec.layers[layer];
        const std::uint64_t rotated = of.keyLength - std::min(of.keyLength, m_spec.latent.keyValueRank);
        sizes.heads = of.heads;
        sizes.keys = m_spec.latent.keyLength - std::min(m_spec.latent.keyLength, rotated);
        return sizes;
    }

    Result<void> setOrder(PlannedTensor& tensor, RowOrder order) {
        if (isIdentity(order, m_spec.recurrent)) return {};
        const TensorInfo& stored = m_model.tensors[tensor.sources.front()];
        TensorInfo view = tensor.views.empty() ? stored : tensor.views.front();
        WB_TRY(orderRows(stored, order, m_spec.recurrent, view));
        tensor.order = order;
        tensor.views = {std::move(view)};
        return {};
    }

    // Tensors of one rule by their numbers, and how many the folder has.
    struct Shards {
        std::map<std::uint64_t, std::size_t> sources;
        std::uint64_t count = 0;
    };

    std::uint64_t countShards(std::size_t source, const TensorRule& rule, std::uint64_t number) const {
        const std::string whole = plainName(m_model.tensors[source].name);
        const std::string ending = fmt::format("{}{}", number, rule.source.substr(rule.source.find("{}") + 2));
        const std::string beginning = whole.substr(0, whole.size() - ending.size());
        std::uint64_t count = 0;
        while (m_byName.contains(fmt::format("{}{}{}", beginning, count, rule.source.substr(rule.source.find("{}") + 2)))) ++count;
        return count;
    }

    // The joined tensor stands where the last of its shards does.
    Result<void> addShard(std::size_t source, PlannedTensor tensor, const TensorRule& rule, std::uint64_t number) {
        const TensorInfo& stored = m_model.tensors[source];
        Shards& shards = m_shards[&rule];
        if (shards.count == 0) shards.count = countShards(source, rule, number);
        if (number >= shards.count || !shards.sources.emplace(number, source).second)
            return fail(ErrorCode::Malformed, Reason("convert.surplus_shard"), About{stored.name},
                        WB_TEXT("The tensor {} is duplicated, or a shard before it is missing."), stored.name);
        if (shards.sources.size() < shards.count) return {};
        const TensorInfo& first = m_model.tensors[shards.sources.begin()->second];
        std::vector<TensorPiece> pieces;
        std::uint64_t rows = 0, bytes = 0;
        tensor.sources.clear();
        for (const auto& [at, each] : shards.sources) {
            const TensorInfo& shard = m_model.tensors[each];
            if (shard.dtype != first.dtype || shard.shape[1] != first.shape[1] || shard.source.form() != TensorSource::Form::Stored)
                return fail(ErrorCode::Malformed, Reason("convert.unequal_shards"), About{shard.name},
                            WB_TEXT("The tensor {} differs in type, columns or storage from the first shard."), shard.name);
            pieces.push_back({static_cast<std::uint32_t>(shard.file()), *shard.offset(), shard.shape.elements()});
            rows += shard.shape[0];
            bytes += shard.bytes();
            tensor.sources.push_back(each);
        }
        TensorInfo view = first;
        const auto shape = Shape::make({rows, first.shape[1]});
        if (!shape) return push(std::move(tensor), {});
        view.shape = *shape;
        view.source = TensorSource::pieces(std::move(pieces), bytes);
        tensor.views = {std::move(view)};
        tensor.transform = rule.transform;
        tensor.from = first.dtype;
        return push(std::move(tensor), {rows, first.shape[1]});
    }

    // Blocks of [experts, rows, blocks of a row, 16] bytes next to scales of [experts, rows, blocks of a row].
    Result<void> addRepacked(PlannedTensor tensor, const Place& place, const TensorRule& rule) {
        const TensorInfo& blocks = m_model.tensors[tensor.sources.front()];
        const std::string plain = plainName(blocks.name);
        const auto scales = m_byName.find(plain.substr(0, plain.size() - std::string_view("_blocks").size()) + "_scales");
        if (scales == m_byName.end())
            return fail(ErrorCode::Malformed, Reason("convert.no_scales"), About{blocks.name},
                        WB_TEXT("The tensor {} has quantized blocks, but their scales are missing."), blocks.name);
        const TensorInfo& factors = m_model.tensors[scales->second];
        const TensorSizes sizes(m_spec, place.layer);
        const std::uint64_t rowBlocks = sizes.of(rule.columns).value_or(0) / 32;
        const bool isWhole =
            sizes.of(rule.columns).value_or(1) % 32 == 0 && blocks.dtype == Dtype::U8 && factors.dtype == Dtype::U8;
        const auto wanted = Shape::make({m_spec.experts.count, sizes.of(rule.rows).value_or(0), rowBlocks, 16});
        const auto wantedScales = Shape::make({m_spec.experts.count, sizes.of(rule.rows).value_or(0), rowBlocks});
        if (!isWhole || !wanted || !wantedScales || blocks.shape != *wanted || factors.shape != *wantedScales)
            return fail(ErrorCode::Malformed, Reason("convert.blocks"), About{blocks.name},
                        WB_TEXT("The blocks of {} and their scales do not have the shape required by config.json."), blocks.name);
        tensor.sources.push_back(scales->second);
        tensor.transform = rule.transform;
        tensor.from = Dtype::MXFP4;
        if (needsView(rule.transform))
            for (const std::size_t source : tensor.sources) {
                WB_TRY_ASSIGN(TensorInfo view, transformedView(m_model.tensors[source], rule.transform));
                tensor.views.push_back(std::move(view));
            }
        const Shape& taken = tensor.views.empty() ? blocks.shape : tensor.views.front().shape;
        m_plan.keepsQuantized = true;
        return push(std::move(tensor), {taken[0], taken[1], taken[2] * 32});
    }

    std::uint64_t stackSize(const Place& place, const TensorRule& rule) const {
        if (rule.transform == Transform::Stack) return m_spec.experts.count;
        const arch::LayerSpec& layer = m_spec.layers[place.layer];
        return rule.target == "attn_k_norm" ? layer.kvHeads : layer.heads;
    }

    // Experts' stacks of a layer are where its last expert stands, each stack of heads where its last head stands.
    Result<void> addToStack(std::size_t source, const Place& place, const TensorRule& rule, std::uint64_t number) {
        const TensorInfo& stored = m_model.tensors[source];
        const bool isOfExperts = rule.transform == Transform::Stack;
        Waiting& waiting = m_waiting[{place.layer, isOfExperts ? nullptr : &rule}];
        auto& sources = waiting.sources[&rule];
        sources.resize(stackSize(place, rule));
        if (number >= sources.size() || sources[number])
            return fail(ErrorCode::Malformed, Reason("convert.surplus_expert"), About{stored.name},
                        WB_TEXT("The tensor {} belongs to an expert or head beyond the {} in config.json, or is duplicated."),
                        stored.name, sources.size());
        sources[number] = source;
        const auto stacks =
            isOfExperts ? static_cast<std::uint64_t>(std::ranges::count(place.rules, Transform::Stack, &TensorRule::transform)) : 1;
        if (++waiting.count < stacks * sources.size()) return {};
        for (const TensorRule& each : place.rules)
            if (const auto found = waiting.sources.find(&each); found != waiting.sources.end())
                WB_TRY(addStack(place, each, found->second));
        m_waiting.erase({place.layer, isOfExperts ? nullptr : &rule});
        return {};
    }

    Result<void> addStack(const Place& place, const TensorRule& rule, const std::vector<std::optional<std::size_t>>& members) {
        PlannedTensor tensor;
        tensor.name = place.targetPrefix + std::string(rule.target) + ".weight";
        for (const auto& source : members) tensor.sources.push_back(*source);
        const TensorInfo& first = m_model.tensors[tensor.sources.front()];
        tensor.transform = rule.transform;
        tensor.from = first.dtype;
        for (const std::size_t source : tensor.sources)
            if (m_model.tensors[source].dtype != first.dtype || m_model.tensors[source].shape != first.shape)
                return fail(ErrorCode::Malformed, Reason("convert.unequal_experts"), About{m_model.tensors[source].name},
                            WB_TEXT("The tensor {} differs in type or shape from that of the first expert or head."),
                            m_model.tensors[source].name);
        if (std::ranges::all_of(tensor.sources, [this](std::size_t source) { return m_blocks.contains(source); })) {
            for (const std::size_t source : tensor.sources) tensor.views.push_back(m_blocks.at(source).tensor);
            tensor.from = tensor.views.front().dtype;
            if (std::ranges::any_of(tensor.views, [&tensor](const TensorInfo& view) { return view.dtype != tensor.from; }))
                return fail(ErrorCode::Malformed, Reason("convert.unequal_experts"), About{tensor.name},
                            WB_TEXT("The tensor {} differs in type or shape from that of the first expert or head."), tensor.name);
        }
        const PlannedTensor kept = tensor;
        std::vector<std::uint64_t> dimensions = {tensor.sources.size()};
        const auto each = first.shape.dimensions();
        dimensions.insert(dimensions.end(), each.begin(), each.end());
        WB_TRY(push(std::move(tensor), dimensions));
        return info(kept.from).kind == DtypeKind::Block ? addKeptScales(kept) : Result<void>();
    }

    Result<void> push(PlannedTensor tensor, const std::vector<std::uint64_t>& dimensions) {
        const auto shape = Shape::make(dimensions);
        const bool isBlocks = tensor.from == Dtype::MXFP4 || tensor.from == Dtype::NVFP4;
        const bool isKept = isRepack(tensor.transform) || (isBlocks && !tensor.views.empty());
        const DtypeKind kind = info(tensor.from).kind;
        if (!shape || (!isKept && (kind == DtypeKind::Block || kind == DtypeKind::Complex || tensor.from == Dtype::Unknown)))
            return fail(ErrorCode::Unsupported, Reason("convert.source_type"), About{tensor.name},
                        WB_TEXT("The values of {} have the type {}, which cannot be converted."), tensor.name,
                        wb::name(tensor.from));
        tensor.shape = *shape;
        tensor.to = isKept ? tensor.from : typeFromName(tensor.name, *shape, m_type);
        const auto bytes = rowBytes(tensor.to, shape->elements());
        if (!bytes)
            return fail(ErrorCode::TooLarge, Reason("convert.tensor_size"), About{tensor.name},
                        WB_TEXT("The tensor {} is too large for one file."), tensor.name);
        tensor.bytes = *bytes;
        m_plan.tensors.push_back(std::move(tensor));
        return {};
    }

    Result<void> checkShape(const TensorInfo& tensor, const std::vector<Dim>& dimensions, const TensorSizes& sizes) const {
        bool fits = tensor.shape.rank() == dimensions.size();
        std::string wanted;
        for (std::size_t axis = 0; axis < dimensions.size(); ++axis) {
            const auto size = sizes.of(dimensions[axis]);
            fits = fits && (!size || tensor.shape[axis] == *size);
            (wanted += wanted.empty() ? "" : ", ") += size ? fmt::format("{}", *size) : std::string("any");
        }
        if (fits) return {};
        return fail(ErrorCode::Malformed, Reason("convert.shape"), About{tensor.name},
                    WB_TEXT("The tensor {} has the shape {}, but config.json requires [{}]."), tensor.name, tensor.shape.toString(),
                    wanted);
    }

    // Layers that predict ahead are omitted of many folders.
    Result<void> checkComplete() const {
        for (const TensorRule& rule : m_rules.outer) WB_TRY(checkSeen(m_spec.layers.size(), rule, ""));
        for (std::uint64_t layer = 0; layer < m_spec.trunkLayers(); ++layer) {
            for (const TensorRule& rule : m_rules.layer)
                if (isOfKind(m_spec.layers[layer], rule.layers))
                    WB_TRY(checkSeen(layer, rule, fmt::format("{}{}.", m_rules.layerPrefix, layer)));
        }
        if (m_waiting.empty()) return {};
        const auto& [place, waiting] = *m_waiting.begin();
        return missing(*waiting.sources.begin()->first, fmt::format("{}{}.", m_rules.layerPrefix, place.first));
    }

    Result<void> checkSeen(std::uint64_t layer, const TensorRule& rule, const std::string& prefix) const {
        const bool isPartial = rule.transform == Transform::Stack && m_waiting.contains({layer, nullptr});
        if (!isPartial && (!rule.required || wasSeen(layer, rule))) return {};
        return missing(rule, prefix);
    }

    // Under the rule's name or another one of the same target: some folders have stacked experts, others single ones.
    bool wasSeen(std::uint64_t layer, const TensorRule& rule) const {
        const auto stem = [](const TensorRule& each) {
            return each.target.substr(0, each.target.size() - (each.target.ends_with(".weight") ? 7 : 0));
        };
        const std::span<const TensorRule> rules = layer < m_spec.layers.size() ? m_rules.layer : m_rules.outer;
        return std::ranges::any_of(rules, [&](const TensorRule& each) {
            return m_seen.contains({layer, &each}) && (&each == &rule || stem(each) == stem(rule));
        });
    }

    std::unexpected<Error> missing(const TensorRule& rule, const std::string& prefix) const {
        std::string name = prefix + std::string(rule.source) + (rule.isWhole() ? "" : ".weight");
        if (const std::size_t hole = name.find("{}"); hole != std::string::npos) name.replace(hole, 2, "N");
        return fail(ErrorCode::Malformed, Reason("convert.missing_tensor"), About{name},
                    WB_TEXT("The tensor {} is missing; models of the architecture {} require it."), name, m_family.architecture);
    }

    const ValueObject& m_config;
    const Model& m_model;
    const arch::Family& m_family;
    const FolderRules& m_rules;
    const arch::ModelSpec& m_spec;
    gguf::FileType m_type;
    TensorPlan m_plan;
    std::uint64_t m_indexerRows = 0;
    std::map<std::size_t, KeptBlocks> m_blocks; // by source
    std::map<const TensorRule*, Shards> m_shards;
    std::map<std::string, std::size_t> m_byName;                              // sources by plainName
    std::set<std::pair<std::uint64_t, const TensorRule*>> m_seen;             // by layer
    std::map<std::pair<std::uint64_t, const TensorRule*>, Waiting> m_waiting; // by layer, and by rule for heads
};

} // namespace

Result<TensorPlan> planTensors(const SourceFolder& folder, FolderFamily family, const arch::ModelSpec& spec, gguf::FileType type,
                               bool omitsUnfit, bool keepsBlocks) {
    return Planner(folder, family, spec, type).plan(omitsUnfit, keepsBlocks);
}

gguf::FileType automaticType(const SourceFolder& folder) {
    for (const std::size_t i : sourceOrder(*folder.model)) {
        const TensorInfo& tensor = folder.model->tensors[i];
        if (tensor.shape.rank() < 2 || isDropped(tensor.name) || isTower(tensor.name)) continue;
        if (tensor.dtype == Dtype::BF16) return gguf::FileType::BF16;
        if (tensor.dtype == Dtype::F16) return gguf::FileType::F16;
    }
    return gguf::FileType::F16;
}

} // namespace wb::convert
