// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_plan.h"

#include "core/convert/weights/shared_storage.h"
#include "core/convert/source/folder_text.h"
#include "core/convert/source/source_folder.h"
#include "core/merge/adapters.h"
#include "core/model/checkpoint.h"
#include "core/model/parameters.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace wb::convert {
namespace {

constexpr std::uint64_t maxCompanion = 512ull << 20;

// Empty where the format has no type for it.
std::optional<Dtype> targetType(Dtype from, std::optional<Dtype> wanted) {
    if (canCast(from) && wanted) return wanted;
    if (info(from).kind == DtypeKind::Block) return Dtype::F32;
    return safetensors::canHold(from) ? std::optional(from) : std::nullopt;
}

// The scales of codes are no weights: a cast of either without the other is nonsense.
Result<void> refuseQuantized(const Model& model, bool casts) {
    const Value* const config = casts ? model.metadata.find("config.json") : nullptr;
    if (!config || !config->object() || !findSet(*config->object(), "quantization_config")) return {};
    return fail(ErrorCode::Unsupported, Reason("convert.quantized_cast"), About{"config.json"},
                WB_TEXT("The weights of this folder are quantized in a way that cannot be decoded; they can be copied and sharded, "
                        "but not cast."));
}

// Parts of tensors, as PyTorch's distributed checkpoints write them: each under the name of the whole.
Result<void> refuseParts(const Model& model) {
    const Value* const metadata = model.metadata.find("__metadata__");
    if (!metadata || !metadata->object() || !metadata->object()->find("DCP_SHARDING_INFO")) return {};
    return fail(ErrorCode::Unsupported, Reason("convert.distributed"), About{io::baseName(model.path)},
                WB_TEXT("{} is a distributed checkpoint, whose tensors are split into pieces; merging them is not supported yet."),
                io::baseName(model.path));
}

bool isJoined(const Model& model) { return model.checkpoint && model.checkpoint->isJoined; }

// Of a checkpoint with a missing or damaged rank only whole tensors can be written, and only where they were asked for by name.
Result<void> refuseIncomplete(const Model& model, const WeightsRequest& request) {
    if (!isJoined(model)) return {};
    for (const TensorInfo& tensor : model.tensors)
        if (isWritten(model, tensor, request) && !tensor.isReadable())
            return fail(ErrorCode::Malformed, Reason("convert.incomplete"), About{tensor.name},
                        WB_TEXT("The tensor {} of {} cannot be written: {}. Copy the missing file, or select whole tensors."),
                        tensor.name, io::baseName(model.path), tensor.source.unavailableWhy());
    return {};
}

std::string requestStem(const WeightsRequest& request, const std::filesystem::path& target) {
    return request.isFolder ? "model" : io::pathText(target.stem());
}

// The text of a member of config.json that names the type of the weights gets another one.
void setType(std::string& config, Dtype type) {
    const std::string_view word = type == Dtype::F16 ? "float16" : type == Dtype::BF16 ? "bfloat16" : "float32";
    for (const std::string_view key : {"\"torch_dtype\"", "\"dtype\""}) {
        const std::size_t at = config.find(key);
        const std::size_t colon = at == std::string::npos ? at : config.find_first_not_of(" \t\r\n", at + key.size());
        if (colon == std::string::npos || config[colon] != ':') continue;
        const std::size_t begin = config.find_first_not_of(" \t\r\n", colon + 1);
        const std::size_t end = begin == std::string::npos || config[begin] != '"' ? begin : config.find('"', begin + 1);
        if (begin == std::string::npos || end == std::string::npos || end == begin) continue;
        config.replace(begin + 1, end - begin - 1, word);
    }
}

class Planner {
public:
    Planner(WeightsPlan& plan, const WeightsRequest& request, const std::filesystem::path& target)
        : m_plan(plan), m_model(*plan.model), m_request(request), m_stem(requestStem(request, target)) {}

    Result<void> run() {
        WB_TRY(refuseParts(m_model));
        WB_TRY(refuseQuantized(m_model, m_request.type.has_value() || !m_request.types.empty()));
        WB_TRY(refuseIncomplete(m_model, m_request));
        for (const ModelFile& file : m_model.files) m_plan.sources.push_back({file.name, file.identity});
        addTensors();
        if (m_plan.tensors.empty()) return refuseEmpty();
        WB_TRY(layOut());
        if (m_request.isFolder) return addCompanions();
        return {};
    }

private:
    std::unexpected<Error> refuseEmpty() const {
        const std::string file = io::baseName(m_model.path);
        WeightsRequest all = m_request;
        all.withTrainingState = true;
        if (std::ranges::any_of(m_model.tensors, [&](const TensorInfo& tensor) { return isWritten(m_model, tensor, all); }))
            return fail(ErrorCode::Unsupported, Reason("convert.optimizer_only"), About{file},
                        WB_TEXT("{} contains the state of an optimizer and no weights; to write it, add --with-optimizer."), file);
        return fail(ErrorCode::Unsupported, Reason("convert.no_tensors"), About{file},
                    WB_TEXT("{} contains no tensor that safetensors can store, or none was selected."), file);
    }

    void addTensors() {
        const auto shared = sharedTensors(m_model);
        findGroups();
        for (std::size_t i = 0; i < m_model.tensors.size(); ++i) {
            const TensorInfo& tensor = m_model.tensors[i];
            if (!isWritten(m_model, tensor, m_request)) continue;
            if (m_hasVariables && !isGrouped(tensor)) {
                ++m_constants;
                continue;
            }
            const auto kept = shared.find(i);
            if (kept == shared.end() || !isWritten(m_model, m_model.tensors[kept->second], m_request)) addTensor(i);
            else m_dropped[kept->second].push_back(i);
        }
        for (PlannedWeight& weight : m_plan.tensors)
            for (const std::size_t other : m_dropped[weight.source]) weight.dropped.push_back(nameFromIndex(other));
        std::ranges::move(merge::mergeRemarks(*m_plan.model), std::back_inserter(m_plan.problems));
        noteLeftOut();
        noteDecoded();
        noteShared();
    }

    static bool isGrouped(const TensorInfo& tensor) { return tensor.details && !tensor.details->group.empty(); }

    // Steps and items of one checkpoint may have the same names, so that the group is part of the name then. Of a SavedModel the
    // variables are its weights; what its functions hold besides are shapes, axes and other constants of the graph.
    void findGroups() {
        std::set<std::string_view> names;
        bool hasGroups = false;
        for (const TensorInfo& tensor : m_model.tensors) {
            hasGroups = hasGroups || isGrouped(tensor);
            m_namesRepeat = !names.insert(tensor.name).second || m_namesRepeat;
        }
        m_hasVariables = hasGroups && m_model.format == FormatId::SavedModel;
    }

    std::string nameFromIndex(std::size_t index) const {
        const TensorInfo& tensor = m_model.tensors[index];
        const std::string own = m_request.renamed ? m_request.renamed(tensor.name) : tensor.name;
        return isGrouped(tensor) && m_namesRepeat ? tensor.details->group + "." + own : own;
    }

    void addTensor(std::size_t index) {
        const TensorInfo& tensor = m_model.tensors[index];
        const auto own = m_request.types.find(tensor.name);
        const auto wanted = own == m_request.types.end() ? m_request.type : std::optional(own->second);
        const auto to = tensor.isReadable() ? targetType(tensor.dtype, wanted) : std::nullopt;
        const auto bytes = to ? rowBytes(*to, tensor.shape.elements()) : std::nullopt;
        if (!bytes || (*to != tensor.dtype && !canDecode(tensor.dtype))) {
            if (m_leftOut++ == 0) m_firstLeftOut = tensor.name;
            return;
        }
        PlannedWeight weight;
        weight.name = nameFromIndex(index);
        weight.source = index;
        weight.from = tensor.dtype;
        weight.to = *to;
        weight.shape = tensor.shape;
        weight.bytes = *bytes;
        const bool isMade = tensor.details && !tensor.details->parts.empty();
        weight.sources = isMade ? tensor.details->parts : std::vector<std::string>{tensor.name};
        if (isMade && !tensor.details->scheme.empty()) weight.transforms.push_back(tensor.details->scheme);
        if (weight.name != weight.sources.front()) weight.transforms.emplace_back("rename");
        if (weight.from != weight.to) weight.transforms.emplace_back(isBlock(weight) ? "decode" : "cast");
        m_decoded += isBlock(weight) && weight.from != weight.to;
        m_plan.tensors.push_back(std::move(weight));
    }

    static bool isBlock(const PlannedWeight& weight) { return info(weight.from).kind == DtypeKind::Block; }

    void noteLeftOut() {
        if (m_constants > 0)
            m_plan.problems.push_back(makeProblem(
                Severity::Note, "convert.graph_constants", "", std::nullopt,
                WB_TEXT("{} constants of the graph are omitted; the variables are the weights of a SavedModel."), m_constants));
        if (m_leftOut == 0) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Warning, "convert.not_written", "", std::nullopt,
            WB_TEXT(
                "{} tensors are omitted, for example {}: their values cannot be read, or safetensors does not support their type."),
            m_leftOut, m_firstLeftOut));
    }

    void noteDecoded() {
        if (m_decoded == 0) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Note, "convert.values_of_quantized", "", std::nullopt,
            WB_TEXT("{} tensors are dequantized: their values are those of the quantized file, not of the original model."),
            m_decoded));
    }

    void noteShared() {
        std::size_t count = 0;
        for (const PlannedWeight& weight : m_plan.tensors) count += weight.dropped.size();
        if (count == 0) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Note, "convert.shared", "", std::nullopt,
            WB_TEXT("{} tensors are duplicates of others and are written once; the metadata of the file lists their names."),
            count));
    }

    Result<void> layOut() {
        std::vector<std::uint64_t> sizes;
        for (const PlannedWeight& weight : m_plan.tensors) sizes.push_back(weight.bytes);
        const auto files = safetensors::divide(sizes, m_request.shardBytes, m_request.shardTensors);
        const std::size_t count = files.empty() ? 0 : *std::ranges::max_element(files) + 1;
        WB_TRY(checkNames());
        for (std::size_t file = 0; file < count; ++file) WB_TRY(layOutFile(file, count, files));
        if (count > 1) addIndex();
        return {};
    }

    // Also across files: an index can name each only once.
    Result<void> checkNames() const {
        std::set<std::string_view> names;
        for (const PlannedWeight& weight : m_plan.tensors)
            if (!names.insert(weight.name).second)
                return fail(ErrorCode::Invalid, Reason("safetensors.name_twice"), About{weight.name},
                            WB_TEXT("Two tensors of the new file would be named {}."), weight.name);
        return {};
    }

    static safetensors::WrittenTensor written(const PlannedWeight& weight) { return {weight.name, weight.to, weight.shape}; }

    Result<void> layOutFile(std::size_t file, std::size_t count, std::span<const std::size_t> files) {
        std::vector<safetensors::WrittenTensor> tensors;
        std::vector<std::size_t> indices;
        safetensors::Metadata metadata = {{"format", "pt"}};
        for (const auto& entry : m_request.metadata) metadata.push_back(entry);
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (files[i] != file) continue;
            indices.push_back(i);
            tensors.push_back(written(m_plan.tensors[i]));
            for (const std::string& dropped : m_plan.tensors[i].dropped) metadata.emplace_back(dropped, m_plan.tensors[i].name);
        }
        WB_TRY_ASSIGN(safetensors::Layout layout, safetensors::layOut(tensors, metadata));
        for (std::size_t i = 0; i < indices.size(); ++i) {
            m_plan.tensors[indices[i]].file = file;
            m_plan.tensors[indices[i]].offset = layout.offsets[i];
        }
        m_plan.weights.push_back({safetensors::shardName(m_stem, file, count), std::move(layout.header), layout.fileBytes});
        return {};
    }

    void addIndex() {
        std::vector<safetensors::WrittenTensor> tensors;
        std::vector<std::string> files;
        for (const PlannedWeight& weight : m_plan.tensors) {
            tensors.push_back(written(weight));
            files.push_back(m_plan.weights[weight.file].name);
        }
        m_plan.texts.push_back({m_stem + ".safetensors.index.json", safetensors::indexText(tensors, files)});
    }

    Result<void> addCompanions() {
        std::vector<TextFile> texts;
        if (m_request.texts) texts = *m_request.texts;
        else WB_TRY(readCompanions(texts));
        const auto config = std::ranges::find(texts, std::string_view("config.json"), &TextFile::name);
        if (config != texts.end()) {
            if (m_request.type) setType(config->text, *m_request.type);
            m_plan.texts.insert(m_plan.texts.begin(), std::move(*config));
            texts.erase(config);
        }
        std::ranges::move(texts, std::back_inserter(m_plan.texts));
        return {};
    }

    // What is in the folder next to the weights: those of other formats and indices of shards do not belong to the new ones.
    Result<void> readCompanions(std::vector<TextFile>& texts) const {
        if (m_model.format != FormatId::HuggingFace) return {};
        std::set<std::uint32_t> weights;
        for (const TensorInfo& tensor : m_model.tensors) {
            weights.insert(tensor.file());
            for (const TensorPiece& piece : tensor.source.pieces()) weights.insert(piece.file);
        }
        WB_TRY_ASSIGN(const auto directory, io::BeneathDirectory::open(m_model.folder));
        for (std::uint32_t i = 0; i < m_model.files.size(); ++i) {
            const ModelFile& file = m_model.files[i];
            const bool isChanged = changedText(m_model, file.name) != nullptr;
            const bool isWeights = weights.contains(i) || (file.source && !isChanged) || file.name.ends_with(".index.json") ||
                                   file.name.ends_with(".safetensors") || file.name.ends_with(".bin");
            if (isWeights || file.name.find('/') != std::string::npos || file.bytes > maxCompanion) continue;
            if (isChanged) {
                WB_TRY_ASSIGN(auto changed, readText(m_model, file.name, maxCompanion));
                if (changed) texts.push_back({file.name, std::move(*changed)});
                continue;
            }
            WB_TRY_ASSIGN(const auto source, directory.openFile(file.name));
            std::string text(source->size(), '\0');
            WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(text))));
            texts.push_back({file.name, std::move(text)});
        }
        return {};
    }

    WeightsPlan& m_plan;
    const Model& m_model;
    const WeightsRequest& m_request;
    std::string m_stem;
    bool m_namesRepeat = false;
    bool m_hasVariables = false;                                         // of a SavedModel
    std::size_t m_constants = 0;                                         // of its graph
    std::unordered_map<std::size_t, std::vector<std::size_t>> m_dropped; // by the tensor that is kept
    std::size_t m_leftOut = 0;
    std::string m_firstLeftOut;
    std::size_t m_decoded = 0;
};

} // namespace

std::span<const Dtype> weightTypes() {
    static constexpr std::array types = {Dtype::F32, Dtype::F16, Dtype::BF16, Dtype::F8_E4M3};
    return types;
}

bool canCast(Dtype from) {
    switch (from) {
    case Dtype::F64:
    case Dtype::F32:
    case Dtype::F16:
    case Dtype::BF16:
    case Dtype::F8_E4M3:
    case Dtype::F8_E5M2:
    case Dtype::F8_E4M3FNUZ:
    case Dtype::F8_E5M2FNUZ: return true;
    default: return info(from).kind == DtypeKind::Block;
    }
}

std::uint64_t WeightsPlan::fileBytes() const {
    std::uint64_t bytes = 0;
    for (const WeightsFile& file : weights) bytes += file.bytes;
    for (const TextFile& file : texts) bytes += file.text.size();
    return bytes;
}

std::uint64_t WeightsPlan::sourceBytes() const {
    std::uint64_t bytes = 0;
    for (const PlannedWeight& weight : tensors) bytes += model->tensors[weight.source].bytes();
    return bytes;
}

std::vector<std::filesystem::path> WeightsPlan::paths(const std::filesystem::path& target) const {
    const std::filesystem::path folder = isFolder ? target : target.parent_path();
    std::vector<std::filesystem::path> paths;
    const auto add = [&](const std::string& name) {
        paths.push_back(folder / std::filesystem::path(std::u8string(name.begin(), name.end())));
    };
    for (const TextFile& file : texts) add(file.name);
    if (!isFolder && weights.size() == 1) paths.push_back(target);
    else
        for (const WeightsFile& file : weights) add(file.name);
    return paths;
}

bool isWritten(const Model& model, const TensorInfo& tensor, const WeightsRequest& request) {
    if (request.wants && !request.wants(tensor.name)) return false;
    return isWeight(model, tensor) || (request.withTrainingState && model.checkpoint && tensor.logical == isJoined(model));
}

Result<WeightsPlan> planWeights(ModelPtr model, const WeightsRequest& request, const std::filesystem::path& target) {
    const auto error = std::ranges::find(model->problems, Severity::Error, &Problem::severity);
    const bool mayBeIncomplete = isJoined(*model) && request.wants;
    if (error != model->problems.end() && !mayBeIncomplete) return std::unexpected(asError(ErrorCode::Malformed, *error));
    WeightsPlan plan;
    plan.model = std::move(model);
    plan.isFolder = request.isFolder;
    WB_TRY(Planner(plan, request, target).run());
    return plan;
}

} // namespace wb::convert
