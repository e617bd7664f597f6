// SPDX-License-Identifier: MIT
#include "core/merge/adapters.h"

#include "core/base/progress.h"
#include "core/formats/peft/delta_recipe.h"
#include "core/merge/adapter_kinds.h"
#include "core/merge/file_order.h"
#include "core/merge/joined_files.h"
#include "core/merge/merged_recipe.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace wb::merge {
namespace {

constexpr std::string_view peftPrefix = "base_model.model.";

const ValueObject* adapterConfig(const Model& adapter) {
    const Value* const config = adapter.metadata.find("adapter_config.json");
    return config ? config->object() : nullptr;
}

bool isSet(const ValueObject& config, std::string_view key) {
    const Value* const value = config.find(key);
    if (!value || value->type == ValueType::Null) return false;
    if (const bool* const truth = std::get_if<bool>(&value->data)) return *truth;
    if (value->array()) return value->array()->count > 0;
    if (value->object()) return value->object()->count > 0;
    return true;
}

std::unexpected<Error> refuseKind(const Model& adapter, std::string_view kind) {
    return fail(ErrorCode::Unsupported, Reason("merge.adapter_kind"), About{io::baseName(adapter.path)},
                WB_TEXT("The adapter {} uses {}, which cannot be merged yet."), io::baseName(adapter.path), kind);
}

// Facts that the parts do not contain.
Result<void> checkConfig(const Model& adapter, const ValueObject& config) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> features = {
        {{"use_qalora", "QALoRA"},
         {"use_bdlora", "BD-LoRA"},
         {"alora_invocation_tokens", "activated LoRA"},
         {"layer_replication", WB_TEXT("copied layers")},
         {"trainable_token_indices", WB_TEXT("trained tokens")},
         {"arrow_config", WB_TEXT("Arrow routing")}}};
    for (const auto& [key, word] : features)
        if (isSet(config, key)) return refuseKind(adapter, word);
    return {};
}

// The name that the base has for what an adapter calls so.
std::string baseNameFromName(std::string name) {
    if (name.starts_with(peftPrefix)) name.erase(0, peftPrefix.size());
    for (const std::string_view word : {".base_layer", ".modules_to_save.default", ".modules_to_save"})
        if (const std::size_t at = name.find(word); at != std::string::npos) name.erase(at, word.size());
    return name;
}

std::unexpected<Error> refuseTensor(const Model& adapter, const std::string& name) {
    return fail(ErrorCode::Unsupported, Reason("merge.adapter_tensor"), About{name},
                WB_TEXT("The tensor {} of the adapter {} is not one that its kind has, so it cannot be merged."), name,
                io::baseName(adapter.path));
}

// Tensors of adapters, whatever their kind.
bool isPartOfKind(std::string_view name) {
    constexpr std::array<std::string_view, 6> words = {".lora_", ".hada_", ".lokr_", ".ia3_", ".oft_", ".vera_"};
    return std::ranges::any_of(words, [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

Result<AdapterParts> kohyaParts(const Model& adapter) {
    WB_TRY_ASSIGN(KindParts kind, kohyaKind(adapter));
    AdapterParts parts;
    parts.isKohya = true;
    parts.changes = std::move(kind.changes);
    const std::set<std::string_view> used(kind.tensors.begin(), kind.tensors.end());
    for (const TensorInfo& tensor : adapter.tensors)
        if (!tensor.logical && !used.contains(tensor.name)) return refuseTensor(adapter, tensor.name);
    return parts;
}

} // namespace

std::string plainName(std::string name) {
    name = baseNameFromName(std::move(name));
    constexpr std::string_view word = "language_model.";
    if (const std::size_t at = name.find(word); at != std::string::npos) name.erase(at, word.size());
    if (name.starts_with("transformer.")) name.erase(0, 12);
    return name;
}

Result<AdapterParts> adapterParts(const Model& adapter) {
    const ValueObject* const config = adapterConfig(adapter);
    if (isKohya(adapter)) return kohyaParts(adapter);
    if (adapter.format != FormatId::Peft)
        return fail(ErrorCode::Unsupported, Reason("merge.no_adapter"), About{io::baseName(adapter.path)},
                    WB_TEXT("{} is neither a PEFT adapter (a folder with adapter_config.json and adapter_model.safetensors or "
                            "adapter_model.bin) nor a safetensors file of the Kohya scripts."),
                    io::baseName(adapter.path));
    AdapterParts parts;
    std::set<std::string, std::less<>> used;
    if (config) {
        WB_TRY(checkConfig(adapter, *config));
        parts.isTransposed = isSet(*config, "fan_in_fan_out");
        const Value* const alpha = config->find("lora_alpha");
        parts.alpha = alpha ? alpha->number() : std::nullopt;
        WB_TRY_ASSIGN(KindParts kind, peftKind(adapter, *config, baseNameFromName));
        parts.changes = std::move(kind.changes);
        used.insert(kind.tensors.begin(), kind.tensors.end());
        if (!parts.alpha && parts.changes.empty())
            return fail(ErrorCode::Malformed, Reason("merge.no_alpha"), About{io::baseName(adapter.path)},
                        WB_TEXT("adapter_config.json of {} has no numeric lora_alpha, so its scale is unknown."),
                        io::baseName(adapter.path));
    }
    std::map<std::string, double> scales; // by module
    std::map<std::string, const LowRank*> factors;
    for (const TensorInfo& tensor : adapter.tensors) {
        const auto* const delta = dynamic_cast<const peft::DeltaRecipe*>(tensor.source.recipe().get());
        if (!tensor.logical || !delta) continue;
        LowRank matrix;
        matrix.module = baseNameFromName(tensor.name.substr(0, tensor.name.size() - std::string_view(".delta").size()));
        matrix.isEmbedding = delta->areTransposed();
        matrix.a = delta->inputs()[matrix.isEmbedding ? 0 : 1];
        matrix.b = delta->inputs()[matrix.isEmbedding ? 1 : 0];
        if (used.contains(matrix.a)) continue; // with magnitudes
        matrix.rank = delta->rank();
        matrix.scale = delta->scale();
        scales[matrix.module] = matrix.scale;
        parts.matrices.push_back(std::move(matrix));
    }
    for (const LowRank& matrix : parts.matrices) factors[matrix.a] = factors[matrix.b] = &matrix;
    constexpr std::string_view biasEnding = ".lora_B.bias";
    for (const TensorInfo& tensor : adapter.tensors) {
        if (tensor.logical || factors.contains(tensor.name) || used.contains(tensor.name)) continue;
        if (tensor.name.ends_with(biasEnding)) {
            const std::string module = baseNameFromName(tensor.name.substr(0, tensor.name.size() - biasEnding.size()));
            if (!scales.contains(module)) return refuseTensor(adapter, tensor.name);
            parts.biases.emplace_back(module + ".bias", tensor.name);
        } else if (isPartOfKind(tensor.name) || !tensor.name.starts_with(peftPrefix)) {
            return refuseTensor(adapter, tensor.name);
        } else {
            parts.replaced.emplace_back(baseNameFromName(tensor.name), tensor.name);
        }
    }
    if (parts.matrices.empty() && parts.replaced.empty() && parts.changes.empty())
        return fail(ErrorCode::Malformed, Reason("merge.empty_adapter"), About{io::baseName(adapter.path)},
                    WB_TEXT("The adapter {} contains nothing to merge."), io::baseName(adapter.path));
    return parts;
}

namespace {

constexpr Reason notFinite = "merge.not_finite";

Result<std::uint64_t> countNotFinite(const Model& adapter, const TensorInfo& tensor, const std::stop_token& stop) {
    constexpr std::uint64_t slabElements = 1 << 18;
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(adapter, tensor));
    std::vector<float> values;
    std::vector<std::byte> scratch;
    std::uint64_t count = 0;
    for (std::uint64_t first = 0; first < reader.elements(); first += values.size()) {
        if (stop.stop_requested()) return std::unexpected(canceled());
        values.resize(std::min(slabElements, reader.elements() - first));
        WB_TRY(reader.readF32(first, values, scratch));
        count += static_cast<std::uint64_t>(std::ranges::count_if(values, [](float value) { return !std::isfinite(value); }));
    }
    return count;
}

// Adds the changes of adapters to the tensors of a base, then makes the model of them.
class Merger {
public:
    explicit Merger(const ModelPtr& base) : m_base(*base), m_merged(std::make_shared<Model>(*base)) {
        m_merged->tensors.clear();
        for (const std::size_t i : fileOrder(m_base)) {
            m_merged->tensors.push_back(m_base.tensors[i]);
            m_byName.emplace(m_base.tensors[i].name, m_merged->tensors.size() - 1);
            m_byPlainName.emplace(plainName(m_base.tensors[i].name), m_merged->tensors.size() - 1);
        }
    }

    Result<void> add(const Adapter& adapter, std::size_t number, const std::stop_token& stop) {
        m_adapter = &adapter;
        m_prefix = fmt::format("adapter {}: ", number);
        WB_TRY_ASSIGN(const AdapterParts parts, adapterParts(*adapter.model));
        WB_TRY(addFiles());
        for (const auto& [name, tensor] : parts.replaced) WB_TRY(replace(name, tensor));
        for (const LowRank& matrix : parts.matrices) WB_TRY(addMatrix(matrix, parts));
        for (const auto& [name, tensor] : parts.biases) WB_TRY(addBias(name, tensor, parts));
        for (const ModuleChange& change : parts.changes) WB_TRY(addChange(change, parts.isKohya));
        return noteNotFinite(stop);
    }

    Result<ModelPtr> finish() {
        std::vector<TensorInfo> inputs;
        for (auto& [index, change] : m_changes) {
            TensorInfo& tensor = m_merged->tensors[index];
            TensorInfo before = tensor;
            before.name = std::string(beforePrefix) + tensor.name;
            before.logical = true;
            inputs.push_back(before);
            change.inputs.insert(change.inputs.begin(), !change.tunedAs.empty()     ? change.tunedAs
                                                        : change.replacedBy.empty() ? before.name
                                                                                    : change.replacedBy);
            WB_TRY_ASSIGN(tensor.dtype, mergedType(tensor));
            auto details = std::make_shared<TensorDetails>();
            details->parts = {tensor.name};
            details->parts.insert(details->parts.end(), change.tunedParts.begin(), change.tunedParts.end());
            for (std::size_t i = change.replacedBy.empty() || !change.tunedAs.empty() ? 1 : 0; i < change.inputs.size(); ++i)
                details->parts.push_back(change.inputs[i]);
            details->scheme = change.scheme.empty() ? "replace" : change.scheme;
            tensor.details = std::move(details);
            tensor.source = TensorSource::recipe(
                std::make_shared<MergedRecipe>(std::move(change.inputs), std::move(change.terms), tensor.dtype, m_store),
                before.bytes());
        }
        std::ranges::move(inputs, std::back_inserter(m_merged->tensors));
        std::ranges::move(m_inputs, std::back_inserter(m_merged->tensors));
        return ModelPtr(m_merged);
    }

private:
    struct Change {
        std::vector<std::string> inputs; // after the tensor itself
        std::vector<MergedRecipe::Term> terms;
        std::string replacedBy;
        std::string tunedAs;                 // the F32 tensor that earlier changes of other kinds make of it
        std::vector<std::string> tunedParts; // of the adapters, that these read
        std::string scheme;
    };

    // A tensor of blocks has no space for a sum; what decodes to a float is merged as F32.
    static Result<Dtype> mergedType(const TensorInfo& tensor) {
        if (tensor.dtype == Dtype::F32 || tensor.dtype == Dtype::F16 || tensor.dtype == Dtype::BF16) return tensor.dtype;
        if (info(tensor.dtype).kind == DtypeKind::Block || info(tensor.dtype).kind == DtypeKind::Float) return Dtype::F32;
        return fail(ErrorCode::Unsupported, Reason("merge.base_type"), About{tensor.name},
                    WB_TEXT("The base model tensor {} has the type {}, which cannot be merged into."), tensor.name,
                    name(tensor.dtype));
    }

    // The adapter's files stay open, as they are in another folder; its tensors are listed under their own names.
    Result<void> addFiles() {
        const Model& adapter = *m_adapter->model;
        WB_TRY_ASSIGN(const std::uint32_t shift, joinFiles(*m_merged, adapter));
        m_stored.clear();
        for (const TensorInfo& tensor : adapter.tensors) {
            if (tensor.logical) continue;
            TensorInfo input = tensor;
            input.name = m_prefix + tensor.name;
            input.logical = true;
            input.source.shiftFiles(shift);
            m_stored.emplace(tensor.name, tensor.shape);
            m_inputs.push_back(std::move(input));
        }
        return {};
    }

    Result<void> noteNotFinite(const std::stop_token& stop) {
        const Model& adapter = *m_adapter->model;
        for (const TensorInfo& tensor : adapter.tensors) {
            if (tensor.logical) continue;
            WB_TRY_ASSIGN(const std::uint64_t count, countNotFinite(adapter, tensor, stop));
            if (count == 0) continue;
            m_merged->problems.push_back(makeProblem(
                Severity::Warning, notFinite, io::baseName(adapter.path), std::nullopt,
                WB_TEXT("{} values of {} in the adapter {} are NaN or infinite, and so will be the tensors they are added to."),
                count, tensor.name, io::baseName(adapter.path)));
        }
        return {};
    }

    Result<std::size_t> find(const std::string& name) const {
        if (const auto exact = m_byName.find(name); exact != m_byName.end()) return exact->second;
        if (const auto plain = m_byPlainName.find(plainName(name)); plain != m_byPlainName.end()) return plain->second;
        return fail(ErrorCode::NotFound, Reason("merge.no_such_tensor"), About{name},
                    WB_TEXT("The adapter {} modifies {}, which {} does not have; it was made for another model."),
                    io::baseName(m_adapter->model->path), name, io::baseName(m_base.path));
    }

    std::unexpected<Error> shapesDiffer(const std::string& name, const Shape& one, const Shape& other) const {
        return fail(
            ErrorCode::Malformed, Reason("merge.shape"), About{name},
            WB_TEXT("The adapter {} modifies {} with shape {}, but {} has it with shape {}; it was made for another model."),
            io::baseName(m_adapter->model->path), name, one.toString(), io::baseName(m_base.path), other.toString());
    }

    Result<void> replace(const std::string& name, const std::string& tensor) {
        WB_TRY_ASSIGN(const std::size_t index, find(name));
        const Shape& own = m_merged->tensors[index].shape;
        if (m_stored.at(tensor) != own) return shapesDiffer(name, m_stored.at(tensor), own);
        m_changes[index].replacedBy = m_prefix + tensor;
        m_changes[index].tunedAs.clear();
        return {};
    }

    Result<void> addMatrix(const LowRank& matrix, const AdapterParts& parts) {
        const std::string name = matrix.module + ".weight";
        WB_TRY_ASSIGN(const std::size_t index, find(name));
        const Shape& own = m_merged->tensors[index].shape;
        const bool isTransposed = matrix.isEmbedding || parts.isTransposed;
        const std::uint64_t in = m_stored.at(matrix.a)[1], out = m_stored.at(matrix.b)[0];
        const Shape wanted = *Shape::make({isTransposed ? in : out, isTransposed ? out : in});
        if (own != wanted) return shapesDiffer(name, wanted, own);
        Change& change = m_changes[index];
        const double scale = matrix.scale * m_adapter->scale;
        change.inputs.push_back(m_prefix + matrix.a);
        change.inputs.push_back(m_prefix + matrix.b);
        change.terms.push_back({scale, matrix.rank, isTransposed, m_prefix + matrix.module});
        change.scheme += fmt::format("{}lora r{} scale {:g}", change.scheme.empty() ? "" : " + ", matrix.rank, scale);
        return {};
    }

    // The tensors of the base that a change may mean.
    Result<std::size_t> findTarget(ModuleChange& change, bool isKohya) {
        std::vector<Shape> shapes;
        for (const std::string& tensor : change.tensors) shapes.push_back(m_stored.at(tensor));
        if (isKohya) {
            if (m_byKohyaKey.empty())
                for (std::size_t i = 0; i < m_merged->tensors.size(); ++i)
                    if (const TensorInfo& tensor = m_merged->tensors[i]; !tensor.logical && tensor.name.ends_with(".weight"))
                        for (const std::string& name : {tensor.name, plainName(tensor.name)})
                            m_byKohyaKey[kohyaKey(name)].insert(i);
            const auto found = m_byKohyaKey.find(change.target);
            if (found == m_byKohyaKey.end()) return find(change.target);
            if (found->second.size() > 1)
                return fail(ErrorCode::Malformed, Reason("merge.ambiguous"), About{change.target},
                            WB_TEXT("Several tensors of {} may be the {} that the adapter {} modifies."), io::baseName(m_base.path),
                            change.target, io::baseName(m_adapter->model->path));
            change.target = m_merged->tensors[*found->second.begin()].name;
        }
        std::optional<std::size_t> first;
        for (std::string_view rest = change.target; !rest.empty();) {
            const std::string_view name = rest.substr(0, rest.find('|'));
            rest.remove_prefix(std::min(name.size() + 1, rest.size()));
            WB_TRY_ASSIGN(const std::size_t index, find(std::string(name)));
            if (fitsChange(change, shapes, m_merged->tensors[index].shape)) return index;
            if (!first) first = index;
        }
        const TensorInfo& tensor = m_merged->tensors[first.value_or(0)];
        return shapesDiffer(tensor.name, shapes.front(), tensor.shape);
    }

    // What was added before is added first, as its sum is what this changes.
    Result<void> addChange(ModuleChange change, bool isKohya) {
        WB_TRY_ASSIGN(const std::size_t index, findTarget(change, isKohya));
        WB_TRY(tune(index, change));
        if (change.kind != ChangeKind::Ia3 || change.ofInputs) return {};
        std::string bias = m_merged->tensors[index].name;
        if (!bias.ends_with(".weight")) return {};
        bias.replace(bias.size() - 6, 6, "bias");
        const auto found = m_byName.find(bias);
        change.isTransposed = false;
        return found == m_byName.end() ? Result<void>() : tune(found->second, change);
    }

    Result<void> tune(std::size_t index, const ModuleChange& change) {
        const TensorInfo& target = m_merged->tensors[index];
        WB_TRY(mergedType(target));
        Change& all = m_changes[index];
        std::string current = !all.tunedAs.empty() ? all.tunedAs : all.replacedBy;
        if (current.empty()) current = std::string(beforePrefix) + target.name;
        if (!all.terms.empty()) {
            std::vector<std::string> inputs = std::exchange(all.inputs, {});
            all.tunedParts.insert(all.tunedParts.end(), inputs.begin(), inputs.end());
            inputs.insert(inputs.begin(), current);
            const auto recipe =
                std::make_shared<MergedRecipe>(std::move(inputs), std::exchange(all.terms, {}), Dtype::F32, m_store);
            current = addStep(target, recipe);
        }
        std::vector<std::string> inputs = {current};
        for (const std::string& tensor : change.tensors) inputs.push_back(m_prefix + tensor);
        all.tunedParts.insert(all.tunedParts.end(), inputs.begin() + 1, inputs.end());
        const std::string key = fmt::format("{}{}#{}", m_prefix, target.name, m_steps);
        all.tunedAs = addStep(target, std::make_shared<TunedRecipe>(std::move(inputs), change, m_adapter->scale, key, m_store));
        all.scheme += fmt::format("{}{} scale {:g}", all.scheme.empty() ? "" : " + ", changeName(change.kind),
                                  change.scale * m_adapter->scale);
        return {};
    }

    // A logical tensor of the same shape, as F32.
    std::string addStep(const TensorInfo& target, std::shared_ptr<const Recipe> recipe) {
        TensorInfo step = target;
        step.name = fmt::format("step {}: {}", ++m_steps, target.name);
        step.dtype = Dtype::F32;
        step.logical = true;
        step.source = TensorSource::recipe(std::move(recipe), target.bytes());
        m_inputs.push_back(step);
        return step.name;
    }

    Result<void> addBias(const std::string& name, const std::string& tensor, const AdapterParts& parts) {
        WB_TRY_ASSIGN(const std::size_t index, find(name));
        const Shape& own = m_merged->tensors[index].shape;
        if (m_stored.at(tensor) != own) return shapesDiffer(name, m_stored.at(tensor), own);
        const std::string module = name.substr(0, name.size() - std::string_view(".bias").size());
        const auto matrix = std::ranges::find(parts.matrices, module, &LowRank::module);
        const double scale = matrix->scale * m_adapter->scale;
        Change& change = m_changes[index];
        change.inputs.push_back(m_prefix + tensor);
        change.terms.push_back({scale, 0, false, {}});
        change.scheme += fmt::format("{}lora bias scale {:g}", change.scheme.empty() ? "" : " + ", scale);
        return {};
    }

    const Model& m_base;
    std::shared_ptr<Model> m_merged;
    std::unordered_map<std::string, std::size_t> m_byName, m_byPlainName; // into the tensors of m_merged
    std::unordered_map<std::string, std::set<std::size_t>> m_byKohyaKey;
    std::shared_ptr<FactorStore> m_store = std::make_shared<FactorStore>();
    std::size_t m_steps = 0;
    std::map<std::size_t, Change> m_changes;
    std::vector<TensorInfo> m_inputs;
    const Adapter* m_adapter = nullptr;
    std::string m_prefix;
    std::unordered_map<std::string, Shape> m_stored; // of the adapter at hand
};

} // namespace

Result<ModelPtr> mergeAdapters(const ModelPtr& base, std::span<const Adapter> adapters, const std::stop_token& stop) {
    Merger merger(base);
    for (std::size_t i = 0; i < adapters.size(); ++i) WB_TRY(merger.add(adapters[i], i + 1, stop));
    return merger.finish();
}

std::vector<Problem> mergeRemarks(const Model& merged) {
    std::vector<Problem> remarks;
    std::ranges::copy_if(merged.problems, std::back_inserter(remarks), [](const Problem& problem) {
        const std::string_view code = problem.code.id();
        return code.starts_with("merge.") || code.starts_with("convert.");
    });
    return remarks;
}

} // namespace wb::merge
