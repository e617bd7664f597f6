// SPDX-License-Identifier: MIT
#include "core/merge/adapters.h"

#include "core/base/progress.h"
#include "core/formats/peft/delta_recipe.h"
#include "core/merge/file_order.h"
#include "core/merge/joined_files.h"
#include "core/merge/merged_recipe.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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

std::string_view textAt(const ValueObject& config, std::string_view key) {
    const Value* const value = config.find(key);
    return value && value->string() ? std::string_view(*value->string()) : std::string_view();
}

std::unexpected<Error> refuseKind(const Model& adapter, std::string_view kind) {
    return fail(ErrorCode::Unsupported, Reason("merge.adapter_kind"), About{io::baseName(adapter.path)},
                WB_TEXT("The adapter {} uses {}, which cannot be merged yet; only LoRA and rsLoRA can."),
                io::baseName(adapter.path), kind);
}

// Facts that the parts do not contain.
Result<void> checkConfig(const Model& adapter, const ValueObject& config) {
    const std::string_view kind = textAt(config, "peft_type");
    if (!kind.empty() && kind != "LORA") return refuseKind(adapter, kind);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> features = {
        {{"use_dora", "DoRA"},
         {"use_qalora", "QALoRA"},
         {"use_bdlora", "BD-LoRA"},
         {"alora_invocation_tokens", "activated LoRA"},
         {"target_parameters", "LoRA of expert parameters"},
         {"layer_replication", "copied layers"},
         {"trainable_token_indices", "trained tokens"},
         {"arrow_config", "Arrow routing"}}};
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
                WB_TEXT("The tensor {} of the adapter {} is not a LoRA tensor, so it cannot be merged."), name,
                io::baseName(adapter.path));
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
    if (adapter.format != FormatId::Peft)
        return fail(
            ErrorCode::Unsupported, Reason("merge.no_adapter"), About{io::baseName(adapter.path)},
            WB_TEXT(
                "{} is not a PEFT adapter (a folder with adapter_config.json and adapter_model.safetensors or adapter_model.bin)."),
            io::baseName(adapter.path));
    AdapterParts parts;
    if (config) {
        WB_TRY(checkConfig(adapter, *config));
        parts.isTransposed = isSet(*config, "fan_in_fan_out");
        const Value* const alpha = config->find("lora_alpha");
        parts.alpha = alpha ? alpha->number() : std::nullopt;
        if (!parts.alpha)
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
        matrix.rank = delta->rank();
        matrix.scale = delta->scale();
        scales[matrix.module] = matrix.scale;
        parts.matrices.push_back(std::move(matrix));
    }
    for (const LowRank& matrix : parts.matrices) factors[matrix.a] = factors[matrix.b] = &matrix;
    constexpr std::string_view biasEnding = ".lora_B.bias";
    for (const TensorInfo& tensor : adapter.tensors) {
        if (tensor.logical || factors.contains(tensor.name)) continue;
        if (tensor.name.ends_with(biasEnding)) {
            const std::string module = baseNameFromName(tensor.name.substr(0, tensor.name.size() - biasEnding.size()));
            if (!scales.contains(module)) return refuseTensor(adapter, tensor.name);
            parts.biases.emplace_back(module + ".bias", tensor.name);
        } else if (tensor.name.find(".lora_") != std::string::npos || !tensor.name.starts_with(peftPrefix)) {
            return refuseTensor(adapter, tensor.name);
        } else {
            parts.replaced.emplace_back(baseNameFromName(tensor.name), tensor.name);
        }
    }
    if (parts.matrices.empty() && parts.replaced.empty())
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
        return noteNotFinite(stop);
    }

    Result<ModelPtr> finish() {
        auto store = std::make_shared<FactorStore>();
        std::vector<TensorInfo> inputs;
        for (auto& [index, change] : m_changes) {
            TensorInfo& tensor = m_merged->tensors[index];
            TensorInfo before = tensor;
            before.name = std::string(beforePrefix) + tensor.name;
            before.logical = true;
            inputs.push_back(before);
            change.inputs.insert(change.inputs.begin(), change.replacedBy.empty() ? before.name : change.replacedBy);
            WB_TRY_ASSIGN(tensor.dtype, mergedType(tensor));
            auto details = std::make_shared<TensorDetails>();
            details->parts = {tensor.name};
            for (std::size_t i = change.replacedBy.empty() ? 1 : 0; i < change.inputs.size(); ++i)
                details->parts.push_back(change.inputs[i]);
            details->scheme = change.scheme.empty() ? "replace" : change.scheme;
            tensor.details = std::move(details);
            tensor.source = TensorSource::recipe(
                std::make_shared<MergedRecipe>(std::move(change.inputs), std::move(change.terms), tensor.dtype, store),
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
