// SPDX-License-Identifier: MIT
#include "core/convert/restore/restore_folder.h"
#include "core/convert/restore/restore_recipes.h"
#include "core/convert/gguf/convert_item.h"
#include "core/convert/gguf/layer_pairs.h"
#include "core/convert/gguf/row_order.h"
#include "core/convert/gguf/tensor_names.h"
#include "core/convert/gguf/tensor_view.h"
#include "core/convert/gguf/view_recipe.h"
#include "core/formats/gguf/gguf.h"
#include "core/model/tensor_reader.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace wb::convert {
namespace {

bool isBlock(Dtype dtype) { return info(dtype).kind == DtypeKind::Block; }

// Tensors that follow from config.json.
bool isGenerated(std::string_view name) {
    return name == "rope_freqs.weight" || name == "rope_factors_long.weight" || name == "rope_factors_short.weight";
}

std::uint16_t codeOf(float value, Dtype type) { return type == Dtype::F16 ? f32ToF16(value) : f32ToBf16(value); }
float valueFromCode(std::uint16_t code, Dtype type) { return type == Dtype::F16 ? f16ToF32(code) : bf16ToF32(code); }

class Restorer {
public:
    explicit Restorer(const RestoreContext& context) : m_context(context), m_model(context.model) {}

    Result<ModelPtr> run() {
        m_folder = std::make_shared<Model>();
        m_folder->format = FormatId::HuggingFace;
        m_folder->path = m_model.path;
        m_folder->folder = m_model.folder;
        m_folder->files = m_model.files;
        m_folder->bigEndian = m_model.bigEndian;
        const FolderRules& rules = m_context.rules;
        const std::string prefix(rules.outerPrefix);
        WB_TRY(restoreAll(rules.outer, "", prefix));
        for (m_layer = 0; m_layer < m_context.spec.layers.size(); ++m_layer)
            WB_TRY(restoreAll(rules.layer, fmt::format("blk.{}.", m_layer), prefix + layerPrefix(m_layer)));
        WB_TRY(checkAllUsed());
        WB_TRY(restorePairs());
        // What recipes name; no tensor of the folder has such a name, as those of GGUF are their own.
        for (TensorInfo input : m_model.tensors) {
            input.logical = true;
            m_folder->tensors.push_back(std::move(input));
        }
        noteInexact();
        return ModelPtr(m_folder);
    }

private:
    std::string layerPrefix(std::size_t layer) const {
        const FolderRules& rules = m_context.rules;
        const std::size_t trunk = m_context.spec.trunkLayers();
        if (layer < trunk || rules.predictionPrefix.empty()) return fmt::format("{}{}.", rules.layerPrefix, layer);
        return fmt::format("{}layers.{}.", rules.predictionPrefix, layer - trunk);
    }

    // What is around the layers that predict ahead is named without a layer.
    bool isAroundPrediction(const TensorRule& rule) const {
        const std::string_view prefix = m_context.rules.predictionPrefix;
        return !prefix.empty() && rule.source.starts_with(prefix);
    }

    bool isPrediction() const { return !m_context.rules.predictionPrefix.empty() && m_layer >= m_context.spec.trunkLayers(); }

    // Folders stack the experts of layers that predict ahead: rules of whole tensors come first there.
    Result<void> restoreAll(std::span<const TensorRule> rules, const std::string& from, const std::string& to) {
        std::vector<const TensorRule*> ordered;
        for (const TensorRule& rule : rules) ordered.push_back(&rule);
        if (!from.empty() && isPrediction()) std::ranges::stable_partition(ordered, &TensorRule::isWhole);
        for (const TensorRule* rule : ordered) {
            if (rule->isWhole()) WB_TRY(restore(rules, *rule, from, to, "", ""));
            else
                for (const std::string_view ending : {".weight", ".bias"}) WB_TRY(restore(rules, *rule, from, to, ending, ending));
        }
        return {};
    }

    // The inverse of a rule.
    Result<void> restore(std::span<const TensorRule> rules, const TensorRule& rule, const std::string& from, const std::string& to,
                         std::string_view fromEnding, std::string_view toEnding) {
        const TensorInfo* const tensor =
            m_context.tensor((rule.isOuter ? "" : from) + std::string(rule.target) + std::string(fromEnding));
        if (!tensor || m_used.contains(tensor) || (rule.isOuter && m_layer != ngramLayer())) return {};
        const std::string name = (isAroundPrediction(rule) ? "" : to) + std::string(rule.source) + std::string(toEnding);
        m_used.insert(tensor);
        if (fromEnding == ".bias" && isReshape(rule.transform)) return restoreRows(*tensor, name, 0, 0);
        if (rule.order == RowOrder::TakeMixed) return joinRows(rules, rule, *tensor, name, from, fromEnding);
        const bool isOrdered = !isIdentity(rule.order, m_context.spec.recurrent);
        if (isOrdered || isReshape(rule.transform)) return restoreOrdered(*tensor, rule, name);
        switch (rule.transform) {
        case Transform::Stack:
        case Transform::StackHeads: return unstack(*tensor, name);
        case Transform::Transpose: return fromEnding == ".bias" ? restoreRows(*tensor, name, 0, 0) : transpose(*tensor, name);
        case Transform::AddOne: return restoreRows(*tensor, name, 0, 1);
        case Transform::PermuteQueries: return restoreRows(*tensor, name, permuted(&arch::LayerSpec::heads), 0);
        case Transform::PermuteKeys: return restoreRows(*tensor, name, permuted(&arch::LayerSpec::kvHeads), 0);
        case Transform::IndexerQueries:
        case Transform::FirstHalf:
        case Transform::EvenColumns:
        case Transform::RepackEvenRows: return join(rules, rule, *tensor, name, from, fromEnding);
        case Transform::Repack: return unpack({tensor}, name);
        case Transform::JoinShards: return restoreRows(*tensor, firstShard(name), 0, 0);
        case Transform::TransposeEach: return transposeEach(*tensor, name);
        case Transform::LatentKeys:
        case Transform::TransposedFirstHalf: return joinTransposed(rules, rule, *tensor, name, from, fromEnding);
        case Transform::Copy:
        case Transform::CutRows: return restoreRows(*tensor, name, 0, 0);
        default: return unfit(*tensor); // the second part of the first one's value
        }
    }

    std::uint64_t permuted(std::uint64_t arch::LayerSpec::* heads) const {
        const auto& layers = m_context.spec.layers;
        return m_context.rules.permutes && m_layer < layers.size() ? layers[m_layer].*heads : 0;
    }

    static std::string firstShard(std::string name) {
        const std::size_t hole = name.find("{}");
        return hole == std::string::npos ? name : name.replace(hole, 2, "0");
    }

    // The numbers of a pair whose value is a list; empty without one.
    Result<std::vector<std::int64_t>> pairNumbers(std::string_view suffix) const {
        const std::string key = fmt::format("{}.{}", m_context.family.architecture, suffix);
        const Value* const list = m_model.metadata.find(key);
        std::vector<std::int64_t> numbers;
        if (!list || !list->array()) return numbers;
        WB_TRY_ASSIGN(const auto values, gguf::readArray(m_model, key, 0, std::min(list->array()->count, maxStoredNumbers)));
        for (const Value& value : values) numbers.push_back(static_cast<std::int64_t>(value.unsignedNumber().value_or(0)));
        return numbers;
    }

    // The layer that embeddings of n-grams are added to, by the pair that lists it.
    std::size_t ngramLayer() const {
        const auto rule = std::ranges::find(m_context.rules.ownKeys, KeyKind::LayerNumbers, &KeyRule::kind);
        const auto listed = rule == m_context.rules.ownKeys.end() ? Result<std::vector<std::int64_t>>() : pairNumbers(rule->key);
        return listed && !listed->empty() ? static_cast<std::size_t>(listed->front()) : 0;
    }

    // Pairs that are tensors in the folder.
    Result<void> restorePairs() {
        const std::string prefix = std::string(m_context.rules.outerPrefix) + layerPrefix(ngramLayer());
        for (const TensorRule& rule : m_context.rules.layer) {
            if (rule.transform != Transform::AsPair || m_model.tensors.empty()) continue;
            WB_TRY_ASSIGN(auto numbers, pairNumbers(rule.target));
            const auto shape = Shape::make({numbers.size()});
            if (numbers.empty() || !shape) continue;
            const std::uint64_t bytes = numbers.size() * sizeof(std::int64_t);
            const std::string& input = m_model.tensors.front().name;
            push(prefix + std::string(rule.source), Dtype::I64, *shape,
                 TensorSource::recipe(std::make_shared<KnownNumbers>(input, std::move(numbers)), bytes), {input}, "metadata");
        }
        return {};
    }

    void push(std::string name, Dtype dtype, const Shape& shape, TensorSource source, std::vector<std::string> parts,
              const char* transform) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = dtype;
        tensor.shape = shape;
        tensor.source = std::move(source);
        auto details = std::make_shared<TensorDetails>();
        details->parts = std::move(parts);
        details->scheme = transform;
        tensor.details = std::move(details);
        m_folder->tensors.push_back(std::move(tensor));
    }

    static const char* transformFromHeads(std::uint64_t heads, float subtrahend) {
        return heads > 0 ? "unpermute" : subtrahend != 0 ? "subtract_one" : "";
    }

    Result<void> restoreRows(const TensorInfo& tensor, const std::string& name, std::uint64_t heads, float subtrahend) {
        WB_TRY_ASSIGN(const Dtype dtype, typeBefore(tensor, subtrahend));
        const char* const transform = transformFromHeads(heads, subtrahend);
        if (heads == 0 && subtrahend == 0 && dtype == tensor.dtype)
            push(name, dtype, tensor.shape, tensor.source, {tensor.name}, transform);
        else
            push(name, dtype, tensor.shape,
                 TensorSource::recipe(std::make_shared<RestoredRows>(tensor.name, heads, subtrahend, dtype), tensor.bytes()),
                 {tensor.name}, transform);
        return {};
    }

    // Vectors are stored as F32 whatever they were: where none loses anything they get the type of the matrices back.
    Result<Dtype> typeBefore(const TensorInfo& tensor, float subtrahend) {
        if (tensor.dtype != Dtype::F32) return tensor.dtype;
        if (m_context.type == Dtype::F32) return Dtype::F32;
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, tensor));
        std::vector<float> values;
        std::vector<std::byte> scratch;
        constexpr std::uint64_t slab = 1 << 16;
        for (std::uint64_t at = 0; at < reader.elements(); at += slab) {
            values.resize(std::min(slab, reader.elements() - at));
            WB_TRY(reader.readF32(at, values, scratch));
            for (const float value : values) {
                const float kept = valueFromCode(codeOf(value - subtrahend, m_context.type), m_context.type);
                if (kept == value - subtrahend && kept + subtrahend == value) continue;
                m_inexact.push_back(tensor.name);
                return Dtype::F32;
            }
        }
        return m_context.type;
    }

    // Rows in the order of the source, in its shape, with its values.
    Result<void> restoreOrdered(const TensorInfo& tensor, const TensorRule& rule, const std::string& name) {
        const std::uint64_t columns = shapeColumns(tensor.shape), rows = tensor.shape.elements() / columns;
        auto map = givenRows(rule.order, m_context.spec.recurrent, rows, columns);
        const auto shape = shapeBefore(tensor, rule);
        if (!map || !shape) return unfit(tensor);
        constexpr std::uint64_t most = 1 << 22; // elements that are kept in memory: vectors and small matrices
        const bool isNegated = rule.transform == Transform::NegateExp || rule.transform == Transform::NegateExpColumn;
        if (tensor.dtype == Dtype::F32 && tensor.shape.elements() <= most && (isNegated || m_context.type != Dtype::F32))
            return restoreValues(tensor, *map, {name, *shape}, isNegated);
        if (isNegated) return unfit(tensor);
        const bool divides = !map->parts.empty() && info(tensor.dtype).blockElements != 1;
        const Dtype dtype = divides ? Dtype::F32 : tensor.dtype;
        push(name, dtype, *shape,
             TensorSource::recipe(std::make_shared<MappedRows>(std::vector{tensor.name}, std::move(*map), columns, dtype),
                                  tensor.bytes()),
             {tensor.name}, "untile");
        return {};
    }

    static bool isReshape(Transform transform) {
        switch (transform) {
        case Transform::NegateExp:
        case Transform::NegateExpColumn:
        case Transform::Squeeze:
        case Transform::LeadingAxis:
        case Transform::Column:
        case Transform::ByGroup: return true;
        default: return false;
        }
    }

    // A view of a tensor under another name, for recipes.
    const TensorInfo& addView(TensorInfo view) {
        view.name += "[view]";
        view.logical = true;
        m_folder->tensors.push_back(std::move(view));
        return m_folder->tensors.back();
    }

    Result<void> transposeEach(const TensorInfo& tensor, const std::string& name) {
        WB_TRY_ASSIGN(const TensorInfo view, transformedView(tensor, Transform::TransposeEach));
        push(name, view.dtype, view.shape, view.source, {tensor.name}, "transpose");
        return {};
    }

    // Of keys and values of latent attention: the rows of each head; of halves: those of the columns of every matrix.
    Result<void> joinTransposed(std::span<const TensorRule> rules, const TensorRule& rule, const TensorInfo& first,
                                const std::string& name, const std::string& from, std::string_view ending) {
        const bool isLatent = rule.transform == Transform::LatentKeys;
        const Transform wanted = isLatent ? Transform::LatentValues : Transform::TransposedSecondHalf;
        const auto other = std::ranges::find_if(
            rules, [&](const TensorRule& each) { return each.transform == wanted && each.source == rule.source; });
        const TensorInfo* const second =
            other == rules.end() ? nullptr : m_context.tensor(from + std::string(other->target) + std::string(ending));
        if (!second || second->shape.rank() != 3 || first.shape.rank() != 3 || second->shape[0] != first.shape[0] ||
            second->shape[2] != (isLatent ? first.shape[1] : first.shape[2]))
            return unfit(first);
        m_used.insert(second);
        WB_TRY_ASSIGN(TensorInfo one, transformedView(first, Transform::TransposeEach));
        TensorInfo two = *second;
        if (!isLatent) {
            WB_TRY_ASSIGN(two, transformedView(*second, Transform::TransposeEach));
        }
        const bool isAlike = one.dtype == two.dtype && info(one.dtype).blockElements == 1;
        const Dtype dtype = isAlike ? one.dtype : Dtype::F32;
        const std::uint64_t columns = one.shape[2];
        const auto shape = isLatent ? Shape::make({first.shape[0] * (one.shape[1] + two.shape[1]), columns})
                                    : Shape::make({first.shape[0], one.shape[1], columns + two.shape[2]});
        if (!shape) return unfit(first);
        const std::uint64_t runs[2] = {isLatent ? one.shape[1] * columns : columns,
                                       isLatent ? two.shape[1] * columns : two.shape[2]};
        std::vector<std::string> inputs = {addView(std::move(one)).name, isLatent ? second->name : addView(std::move(two)).name};
        push(name, dtype, *shape,
             TensorSource::recipe(std::make_shared<Concatenated>(std::move(inputs), runs[0], runs[1], dtype),
                                  first.bytes() + second->bytes()),
             {first.name, second->name}, "join");
        return {};
    }

    struct Restored {
        std::string name;
        Shape shape;
    };

    Result<void> restoreValues(const TensorInfo& tensor, const RowMap& map, const Restored& restored, bool isNegated) {
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, tensor));
        std::vector<float> stored(reader.elements()), values;
        std::vector<std::byte> scratch;
        WB_TRY(reader.readF32(0, stored, scratch));
        const std::uint64_t columns = shapeColumns(tensor.shape);
        values.reserve(stored.size());
        for (const RowPlace& row : map.rows)
            for (std::uint64_t column = 0; column < columns; ++column) {
                const std::uint64_t part = map.parts.empty() ? columns : columns / map.parts.size();
                const std::uint64_t from = map.parts.empty() ? column : map.parts[column / part] * part + column % part;
                values.push_back(stored[row.row * columns + from]);
            }
        if (isNegated && std::ranges::any_of(values, [](float value) { return !(value <= 0); })) return unfit(tensor);
        auto [dtype, kept] = exactValues(values, isNegated);
        if (dtype == Dtype::F32 && m_context.type != Dtype::F32) m_inexact.push_back(tensor.name);
        push(restored.name, dtype, restored.shape,
             TensorSource::recipe(std::make_shared<KnownValues>(tensor.name, std::move(kept), dtype), tensor.bytes()),
             {tensor.name}, isNegated ? "log" : "untile");
        return {};
    }

    // The values before the transform, in the matrices' type if that gives the same values again.
    std::pair<Dtype, std::vector<float>> exactValues(const std::vector<float>& values, bool isNegated) const {
        std::vector<float> exact, kept;
        bool isExact = m_context.type != Dtype::F32;
        for (const float value : values) {
            exact.push_back(isNegated ? exponentFromValue(value) : value);
            kept.push_back(m_context.type == Dtype::F32 ? exact.back()
                                                        : valueFromCode(codeOf(exact.back(), m_context.type), m_context.type));
            isExact = isExact && (isNegated ? negatedExp(kept.back()) : kept.back()) == value;
        }
        return isExact ? std::pair(m_context.type, std::move(kept)) : std::pair(Dtype::F32, std::move(exact));
    }

    // The x whose -e^x is `value`, which is not positive: of the numbers around the logarithm the first that gives exactly it.
    static float exponentFromValue(float value) {
        if (value == 0) return -200;
        const float middle = std::log(-value);
        float below = middle, above = middle;
        for (int step = 0; step < 64 && negatedExp(below) != value; ++step) {
            if (negatedExp(above) == value) return above;
            below = std::nextafter(below, -INFINITY);
            above = std::nextafter(above, INFINITY);
        }
        return negatedExp(below) == value ? below : middle;
    }

    // With the axes of length 1 that a rule states.
    static std::optional<Shape> shapeBefore(const TensorInfo& tensor, const TensorRule& rule) {
        if (rule.transform == Transform::Column || rule.transform == Transform::ByGroup ||
            rule.transform == Transform::NegateExpColumn)
            return Shape::make({tensor.shape.elements()});
        if (rule.transform == Transform::LeadingAxis)
            return tensor.shape.rank() > 1 ? Shape::make(tensor.shape.dimensions().subspan(1)) : std::nullopt;
        if (rule.transform != Transform::Squeeze) return tensor.shape;
        std::vector<std::uint64_t> dimensions;
        std::size_t next = 0;
        for (const arch::Dim dim : {rule.matrices, rule.rows, rule.columns}) {
            if (dim == arch::Dim::One) dimensions.push_back(1);
            else if (dim != arch::Dim::None && next < tensor.shape.rank()) dimensions.push_back(tensor.shape[next++]);
        }
        return next == tensor.shape.rank() ? Shape::make(dimensions) : std::nullopt;
    }

    // The rows of this tensor and of the one that the rule of the gates made of the same source.
    Result<void> joinRows(std::span<const TensorRule> rules, const TensorRule& rule, const TensorInfo& mixed,
                          const std::string& name, const std::string& from, std::string_view ending) {
        const auto other = std::ranges::find_if(
            rules, [&rule](const TensorRule& each) { return each.order == RowOrder::TakeGates && each.source == rule.source; });
        const TensorInfo* const gates =
            other == rules.end() ? nullptr : m_context.tensor(from + std::string(other->target) + std::string(ending));
        const std::uint64_t columns = shapeColumns(mixed.shape);
        if (!gates || gates->dtype != mixed.dtype || shapeColumns(gates->shape) != columns) return unfit(mixed);
        m_used.insert(gates);
        auto map = givenRows(rule.order, m_context.spec.recurrent, mixed.shape.elements() / columns, columns);
        if (!map) return unfit(mixed);
        const auto shape = Shape::make({map->rows.size(), columns});
        if (!shape) return unfit(mixed);
        push(name, mixed.dtype, *shape,
             TensorSource::recipe(
                 std::make_shared<MappedRows>(std::vector{mixed.name, gates->name}, std::move(*map), columns, mixed.dtype),
                 mixed.bytes() + gates->bytes()),
             {mixed.name, gates->name}, "join");
        return {};
    }

    Result<void> unstack(const TensorInfo& tensor, const std::string& name) {
        const auto dimensions = tensor.shape.dimensions();
        const std::size_t hole = name.find("{}");
        const bool isStored = tensor.source.form() == TensorSource::Form::Stored;
        if (dimensions.size() < 2 || (!isStored && isBlock(tensor.dtype)) || hole == std::string::npos) return unfit(tensor);
        const Shape each = *Shape::make(dimensions.subspan(1));
        const auto bytes = rowBytes(tensor.dtype, each.elements());
        if (!bytes) return unfit(tensor);
        WB_TRY_ASSIGN(const Dtype dtype, typeBefore(tensor, 0));
        for (std::uint64_t i = 0; i < dimensions[0]; ++i) {
            std::string own = name;
            own.replace(hole, 2, fmt::format("{}", i));
            TensorInfo slice = tensor;
            slice.name = fmt::format("{}[{}]", tensor.name, i);
            slice.shape = each;
            slice.source = isStored ? TensorSource::stored(tensor.file(), *tensor.offset() + i * *bytes, *bytes)
                                    : TensorSource::recipe(sliceRecipe(tensor, each, i), *bytes);
            if (dtype == tensor.dtype) {
                push(own, dtype, each, slice.source, {tensor.name}, "unstack");
                continue;
            }
            push(own, dtype, each, TensorSource::recipe(std::make_shared<RestoredRows>(slice.name, 0, 0.0F, dtype), *bytes),
                 {tensor.name}, "unstack");
            slice.logical = true;
            m_folder->tensors.push_back(std::move(slice));
        }
        return {};
    }

    // Matrix `index` of a tensor that is computed itself.
    static std::shared_ptr<const Recipe> sliceRecipe(const TensorInfo& tensor, const Shape& each, std::uint64_t index) {
        std::vector<std::uint64_t> strides(each.rank(), 1);
        for (std::size_t axis = each.rank() - 1; axis-- > 0;) strides[axis] = strides[axis + 1] * each[axis + 1];
        return std::make_shared<ViewRecipe>(tensor.name, tensor.dtype, each, index * each.elements(), std::move(strides));
    }

    Result<void> transpose(const TensorInfo& tensor, const std::string& name) {
        if (tensor.shape.rank() != 2) return unfit(tensor);
        WB_TRY_ASSIGN(const TensorInfo view, transformedView(tensor, Transform::Transpose));
        push(name, view.dtype, view.shape, view.source, {tensor.name}, "transpose");
        return {};
    }

    // The tensor that another rule made of the same source.
    Result<void> join(std::span<const TensorRule> rules, const TensorRule& rule, const TensorInfo& first, const std::string& name,
                      const std::string& from, std::string_view ending) {
        const auto other = std::ranges::find_if(rules, [&rule](const TensorRule& each) {
            return &each != &rule && each.source == rule.source && each.layers == rule.layers;
        });
        const TensorInfo* const second =
            other == rules.end() ? nullptr : m_context.tensor(from + std::string(other->target) + std::string(ending));
        if (!second || second->dtype != first.dtype) return unfit(first);
        m_used.insert(second);
        if (rule.transform == Transform::IndexerQueries) return append(first, *second, name);
        if (second->shape != first.shape) return unfit(first);
        if (rule.transform == Transform::RepackEvenRows) return unpack({&first, second}, name);
        if (rule.transform == Transform::EvenColumns) return interleave(first, *second, name);
        return concatenate(first, *second, name);
    }

    // The rows of the one and then those of the other, matrix by matrix.
    Result<void> concatenate(const TensorInfo& first, const TensorInfo& second, const std::string& name) {
        std::vector<std::uint64_t> dimensions(first.shape.dimensions().begin(), first.shape.dimensions().end());
        if (dimensions.size() < 2) return unfit(first);
        const std::uint64_t matrix = dimensions[dimensions.size() - 2] * dimensions.back();
        const auto bytes = rowBytes(first.dtype, matrix);
        if (!bytes || matrix == 0) return unfit(first);
        dimensions[dimensions.size() - 2] *= 2;
        if (first.source.form() != TensorSource::Form::Stored || second.source.form() != TensorSource::Form::Stored) {
            if (isBlock(first.dtype)) return unfit(first);
            push(name, first.dtype, *Shape::make(dimensions),
                 TensorSource::recipe(
                     std::make_shared<Concatenated>(std::vector{first.name, second.name}, matrix, matrix, first.dtype),
                     first.bytes() + second.bytes()),
                 {first.name, second.name}, "join");
            return {};
        }
        std::vector<TensorPiece> pieces;
        for (std::uint64_t i = 0; i < first.shape.elements() / matrix; ++i)
            for (const TensorInfo* half : {&first, &second}) pieces.push_back({half->file(), *half->offset() + i * *bytes, matrix});
        push(name, first.dtype, *Shape::make(dimensions), TensorSource::pieces(std::move(pieces), first.bytes() + second.bytes()),
             {first.name, second.name}, "join");
        return {};
    }

    // The rows of the one and then those of the other.
    Result<void> append(const TensorInfo& first, const TensorInfo& second, const std::string& name) {
        const auto isPlain = [](const TensorInfo& tensor) {
            return tensor.shape.rank() == 2 && tensor.source.form() == TensorSource::Form::Stored;
        };
        if (!isPlain(first) || !isPlain(second) || first.shape[1] != second.shape[1]) return unfit(first);
        const auto shape = Shape::make({first.shape[0] + second.shape[0], first.shape[1]});
        if (!shape) return unfit(first);
        std::vector<TensorPiece> pieces;
        for (const TensorInfo* part : {&first, &second}) pieces.push_back({part->file(), *part->offset(), part->shape.elements()});
        push(name, first.dtype, *shape, TensorSource::pieces(std::move(pieces), first.bytes() + second.bytes()),
             {first.name, second.name}, "join");
        return {};
    }

    Result<void> interleave(const TensorInfo& even, const TensorInfo& odd, const std::string& name) {
        std::vector<std::uint64_t> dimensions(even.shape.dimensions().begin(), even.shape.dimensions().end());
        if (dimensions.empty() || isBlock(even.dtype)) return unfit(even);
        dimensions.back() *= 2;
        WB_TRY_ASSIGN(const Dtype one, typeBefore(even, 0));
        WB_TRY_ASSIGN(const Dtype other, typeBefore(odd, 0));
        const Dtype dtype = one == other ? one : Dtype::F32;
        push(name, dtype, *Shape::make(dimensions),
             TensorSource::recipe(std::make_shared<Interleaved>(even.name, odd.name, dtype), even.bytes() + odd.bytes()),
             {even.name, odd.name}, "interleave");
        return {};
    }

    // Blocks that stayed MXFP4, as codes and scales again; `name` is that of the codes.
    Result<void> unpack(std::vector<const TensorInfo*> tensors, const std::string& name) {
        const TensorInfo& first = *tensors.front();
        constexpr std::string_view ending = "_blocks";
        if (first.dtype != Dtype::MXFP4 || first.shape.rank() != 3 || !name.ends_with(ending)) return unfit(first);
        const std::uint64_t rows = first.shape[1] * tensors.size(), blocks = first.shape[2] / 32;
        std::vector<std::string> names;
        std::uint64_t bytes = 0;
        for (const TensorInfo* tensor : tensors) names.push_back(tensor->name), bytes += tensor->bytes();
        const std::string scales = name.substr(0, name.size() - ending.size()) + "_scales";
        const auto recipe = [&](UnpackedBlocks::Part part) {
            return TensorSource::recipe(std::make_shared<UnpackedBlocks>(names, part), bytes);
        };
        push(name, Dtype::U8, *Shape::make({first.shape[0], rows, blocks, 16}), recipe(UnpackedBlocks::Part::Codes), names,
             "unpack");
        push(scales, Dtype::U8, *Shape::make({first.shape[0], rows, blocks}), recipe(UnpackedBlocks::Part::Scales), names,
             "unpack");
        return {};
    }

    static std::unexpected<Error> unfit(const TensorInfo& tensor) {
        return fail(ErrorCode::Unsupported, Reason("convert.no_inverse"), About{tensor.name},
                    WB_TEXT("The tensor {} of type {} and shape {} cannot be converted back to its original form."), tensor.name,
                    name(tensor.dtype), tensor.shape.toString());
    }

    Result<void> checkAllUsed() const {
        for (const TensorInfo& tensor : m_model.tensors)
            if (!tensor.logical && !m_used.contains(&tensor) && !isGenerated(tensor.name))
                return fail(ErrorCode::Unsupported, Reason("convert.unmapped_tensor"), About{tensor.name},
                            WB_TEXT("The tensor {} does not belong to the architecture {}, so the file cannot be converted to a "
                                    "folder; --to safetensors keeps its names."),
                            tensor.name, m_context.family.architecture);
        return {};
    }

    void noteInexact() {
        if (m_inexact.empty()) return;
        std::string names;
        for (std::size_t i = 0; i < std::min<std::size_t>(m_inexact.size(), 8); ++i) (names += i == 0 ? "" : ", ") += m_inexact[i];
        m_context.problems.push_back(makeProblem(Severity::Note, "convert.stays_f32", "", std::nullopt,
                                                 WB_TEXT("{} tensors stay F32 because {} cannot store their values exactly: {}."),
                                                 m_inexact.size(), name(m_context.type), names));
    }

    static const char* name(Dtype dtype) { return wb::name(dtype); }

    const RestoreContext& m_context;
    const Model& m_model;
    std::shared_ptr<Model> m_folder;
    std::size_t m_layer = std::numeric_limits<std::size_t>::max(); // that is restored; none for tensors outside layers
    std::set<const TensorInfo*> m_used;
    std::vector<std::string> m_inexact;
};

} // namespace

Result<ModelPtr> restoreTensors(const RestoreContext& context) { return Restorer(context).run(); }

} // namespace wb::convert
