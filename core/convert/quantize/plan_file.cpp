// SPDX-License-Identifier: MIT
#include "core/convert/quantize/plan_file.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/io/digests/sha256.h"
#include "core/io/target.h"
#include "core/quant/quantize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace wb::quantize {
namespace {

constexpr std::uint64_t firstVersion = 1;
constexpr std::uint64_t planVersion = 2;
constexpr std::uint64_t folderVersion = 3; // of a folder with a template, adapters or a base
constexpr std::uint64_t mergeVersion = 4;  // of a folder that is merged with other models
constexpr std::uint64_t splitVersion = 5;  // of a model that is divided into files or copied
constexpr std::uint64_t longestPlan = 64ull << 20;

void writeSource(JsonWriter& out, const Model& model) {
    out.key("source"), out.beginObject();
    out.key("name"), out.string(model.files[0].name);
    out.key("parameters"), out.integer(model.parameters());
    out.key("signature"), out.string(modelSignature(model));
    out.endObject();
}

void writeTexts(JsonWriter& out, const char* key, const std::vector<std::string>& texts) {
    out.key(key), out.beginArray();
    for (const std::string& text : texts) out.string(text);
    out.endArray();
}

// So that the plan can be done from another folder. As the system has it, which may not be UTF-8.
std::string matrixPlace(const MatrixFile& matrix) {
    if (!matrix.place.empty()) return matrix.place;
    std::error_code error;
    const auto place = std::filesystem::absolute(std::filesystem::path(matrix.path), error).generic_u8string();
    return error ? matrix.path : std::string(place.begin(), place.end());
}

void writeMatrix(JsonWriter& out, const MatrixFile& matrix) {
    out.key("imatrix");
    if (matrix.isNone()) return out.null();
    out.beginObject();
    out.key("file"), out.string(matrix.path);
    out.key("place"), out.string(matrixPlace(matrix));
    writeTexts(out, "include", matrix.include);
    writeTexts(out, "exclude", matrix.exclude);
    out.endObject();
}

void writeOverrides(JsonWriter& out, std::span<const KeyOverride> overrides) {
    std::vector<std::string> texts;
    for (const KeyOverride& override : overrides) texts.push_back(overrideText(override));
    writeTexts(out, "overrides", texts);
}

void writePruned(JsonWriter& out, const std::set<std::uint32_t>& layers) {
    out.key("prune_layers"), out.beginArray();
    for (const std::uint32_t layer : layers) out.integer(layer);
    out.endArray();
}

bool usesSplit(const QuantizeRequest& request) { return !request.split.isNone() || request.copies != CopyMode::None; }

std::uint64_t folderPlanVersion(const FolderChoices& folder) {
    if (!folder.merge.isNone()) return mergeVersion;
    return folder.chatTemplate.empty() && folder.adapters.empty() && folder.base.empty() ? planVersion : folderVersion;
}

void writeMore(JsonWriter& out, const FolderChoices& folder) {
    out.key("template"), out.string(folder.chatTemplate);
    out.key("adapters"), out.beginArray();
    for (const convert::AdapterFile& adapter : folder.adapters) {
        out.beginObject();
        out.key("path"), out.string(adapter.path);
        out.key("scale"), out.number(adapter.scale);
        out.endObject();
    }
    out.endArray();
    if (!folder.merge.isNone()) {
        out.key("merge");
        writeMerge(out, folder.merge);
    }
    if (folder.base.empty()) return;
    out.key("base"), out.string(folder.base);
}

void writeFolder(JsonWriter& out, const FolderChoices& folder) {
    if (folder == FolderChoices()) return;
    out.key("folder"), out.beginObject();
    out.key("model_name"), out.string(folder.modelName);
    out.key("pre"), out.string(folder.preTokenizer);
    if (folderPlanVersion(folder) >= folderVersion) writeMore(out, folder);
    out.endObject();
}

void writeFlag(JsonWriter& out, const char* key, bool value) { out.key(key), out.boolean(value); }

constexpr std::array<std::pair<CopyMode, const char*>, 3> copyModes = {
    {{CopyMode::None, "no"}, {CopyMode::Keep, "keep"}, {CopyMode::Join, "join"}}};

void writeSplit(JsonWriter& out, const QuantizeRequest& request) {
    if (!usesSplit(request)) return;
    out.key("split"), out.beginObject();
    out.key("bytes"), out.integer(request.split.bytes);
    out.key("tensors"), out.integer(request.split.tensors);
    writeFlag(out, "first_empty", request.split.isFirstEmpty);
    const auto mode = std::ranges::find(copyModes, request.copies, &std::pair<CopyMode, const char*>::first);
    out.key("copies"), out.string(mode->second);
    out.endObject();
}

// JSON holds UTF-8, and readers of it keep so many values and no more.
Result<void> checkCanBeKept(const PlanContents& contents, const QuantizeRequest& request, const MatrixFile& matrix) {
    constexpr std::size_t fewOthers = 64;
    const std::string& file = contents.source->files[0].name;
    const std::size_t values = contents.tensors.size() + request.overrides.size() + request.prune.size() + matrix.include.size() +
                               matrix.exclude.size() + fewOthers;
    if (values > json::keptValues)
        return fail(ErrorCode::Unsupported, Reason("plan.tensor_count"), About{file},
                    WB_TEXT("Cannot save a plan for {}: {} tensors exceed the limit; quantize without saving a plan."), file,
                    contents.tensors.size());
    std::set<std::string_view> names;
    for (const auto& [name, type] : contents.tensors) {
        if (!names.insert(name).second)
            return fail(ErrorCode::Unsupported, Reason("plan.same_names"), About{file},
                        WB_TEXT("Cannot save a plan for {}: several tensors are named {}; quantize without saving a plan."), file,
                        name);
    }
    if (matrix.isNone() || isUtf8(matrixPlace(matrix))) return {};
    return fail(
        ErrorCode::Unsupported, Reason("plan.matrix_path"), About{toUtf8(matrix.path)},
        WB_TEXT("Cannot save the plan: the path of the importance matrix {} is not valid UTF-8; rename its file or folder."),
        toUtf8(matrix.path));
}

// Whether a place is that of this file still.
bool endsIn(const std::filesystem::path& place, const std::filesystem::path& file) {
    const std::vector<std::filesystem::path> whole(place.begin(), place.end());
    const std::vector<std::filesystem::path> end(file.begin(), file.end());
    return end.size() <= whole.size() && std::equal(end.rbegin(), end.rend(), whole.rbegin());
}

// Where the matrix lies now.
Result<std::filesystem::path> found(const MatrixFile& matrix) {
    if (matrix.place.empty() || matrix.place == matrix.path) return matrix.path;
    for (const std::string& path : {matrix.place, matrix.path})
        if (io::isTaken(path)) return path;
    return fail(ErrorCode::NotFound, Reason("plan.no_matrix"), About{matrix.path},
                WB_TEXT("The importance matrix of the plan was not found at {} or {}; put it there, or save the plan again."),
                matrix.place, matrix.path);
}

std::unexpected<Error> noPlan(const std::string& name) {
    return fail(ErrorCode::Unknown, Reason("plan.unknown"), About{name},
                WB_TEXT("{} is not a plan saved by Weighbridge; choose another file."), name);
}

// The sentences about one plan file.
class PlanReader {
public:
    PlanReader(const ValueObject& root, std::string name) : m_root(root), m_name(std::move(name)) {}

    Result<PlanFile> read() {
        PlanFile plan;
        WB_TRY(readVersion());
        WB_TRY(readSource(plan));
        WB_TRY(readType(plan.request.mix));
        WB_TRY_ASSIGN(plan.request.mix.pure, flag("pure"));
        WB_TRY_ASSIGN(plan.request.allowRequantize, flag("allow_requantize"));
        WB_TRY_ASSIGN(plan.request.keepSplit, flag("keep_split"));
        if (m_version >= splitVersion) WB_TRY(readSplit(plan.request));
        WB_TRY(readFolder(plan.folder));
        WB_TRY(readMatrixFile(plan.matrix));
        if (m_version > firstVersion) {
            WB_TRY(readOverrides(plan.request.overrides));
            WB_TRY(readPruned(plan.request.prune));
        }
        WB_TRY(readTypes(plan.request.types));
        return plan;
    }

private:
    std::unexpected<Error> unusable(const char* member) const {
        return fail(ErrorCode::Malformed, Reason("plan.member"), About{m_name},
                    WB_TEXT("{} is not a valid plan file: its field \"{}\" is missing or invalid; save the plan again."), m_name,
                    member);
    }

    Result<void> readVersion() {
        const Value* version = m_root.find("weighbridge_plan");
        const auto number = version ? version->unsignedNumber() : std::nullopt;
        if (!number) return noPlan(m_name);
        m_version = *number;
        if (m_version < firstVersion || m_version > splitVersion)
            return fail(
                ErrorCode::Unsupported, Reason("plan.version"), About{m_name},
                WB_TEXT("{} is a plan of version {}, which this version of Weighbridge does not support; update Weighbridge."),
                m_name, m_version);
        return {};
    }

    Result<std::string> text(const ValueObject& object, const char* key) const {
        const Value* value = object.find(key);
        if (!value || !value->string()) return unusable(key);
        return *value->string();
    }

    // Older plans have one text, empty for none.
    Result<std::vector<std::string>> texts(const ValueObject& object, const char* key) const {
        const Value* value = object.find(key);
        if (!value || (!value->string() && !value->array())) return unusable(key);
        std::vector<std::string> read;
        if (value->string() && !value->string()->empty()) read.push_back(*value->string());
        if (value->array() && !value->array()->complete()) return unusable(key);
        for (const Value& element : value->array() ? value->array()->first : std::vector<Value>()) {
            if (!element.string()) return unusable(key);
            read.push_back(*element.string());
        }
        return read;
    }

    Result<bool> flag(const char* key) const {
        const Value* value = m_root.find(key);
        const bool* set = value ? std::get_if<bool>(&value->data) : nullptr;
        if (!set) return unusable(key);
        return *set;
    }

    Result<void> readSplit(QuantizeRequest& request) const {
        const Value* const value = m_root.find("split");
        if (!value || !value->object()) return unusable("split");
        const ValueObject& split = *value->object();
        const Value *const bytes = split.find("bytes"), *const tensors = split.find("tensors");
        const Value* const first = split.find("first_empty");
        const bool* const isFirstEmpty = first ? std::get_if<bool>(&first->data) : nullptr;
        if (!bytes || !bytes->unsignedNumber() || !tensors || !tensors->unsignedNumber() || !isFirstEmpty) return unusable("split");
        request.split = {*bytes->unsignedNumber(), *tensors->unsignedNumber(), *isFirstEmpty};
        WB_TRY_ASSIGN(const std::string word, text(split, "copies"));
        const auto mode = std::ranges::find(copyModes, word, &std::pair<CopyMode, const char*>::second);
        if (mode == copyModes.end()) return unusable("split");
        request.copies = mode->first;
        return {};
    }

    Result<void> readSource(PlanFile& plan) const {
        const Value* source = m_root.find("source");
        if (!source || !source->object()) return unusable("source");
        WB_TRY_ASSIGN(plan.sourceName, text(*source->object(), "name"));
        WB_TRY_ASSIGN(plan.signature, text(*source->object(), "signature"));
        return {};
    }

    Result<void> readType(quant::MixOptions& mix) const {
        const Value* value = m_root.find("type");
        if (!value || !value->string()) return unusable("type");
        mix.copy = *value->string() == quant::copyTarget;
        const auto fileType = quant::fileTypeFromName(*value->string());
        if (!mix.copy && !fileType) return unusable("type");
        mix.fileType = fileType.value_or(quant::FileType::F32);
        return {};
    }

    Result<void> readFolder(FolderChoices& folder) const {
        const Value* value = m_root.find("folder");
        if (!value) return {};
        if (!value->object()) return unusable("folder");
        WB_TRY_ASSIGN(folder.modelName, text(*value->object(), "model_name"));
        WB_TRY_ASSIGN(folder.preTokenizer, text(*value->object(), "pre"));
        if (m_version < folderVersion) return {};
        WB_TRY_ASSIGN(folder.chatTemplate, text(*value->object(), "template"));
        if (value->object()->find("base") != nullptr) {
            WB_TRY_ASSIGN(folder.base, text(*value->object(), "base"));
        }
        WB_TRY(readAdapters(*value->object(), folder.adapters));
        if (m_version < mergeVersion) return {};
        const Value* const merged = value->object()->find("merge");
        auto choices = merged ? convert::readMerge(*merged) : std::nullopt;
        if (!choices) return unusable("merge");
        folder.merge = std::move(*choices);
        return {};
    }

    Result<void> readAdapters(const ValueObject& folder, std::vector<convert::AdapterFile>& adapters) const {
        const Value* value = folder.find("adapters");
        if (!value || !value->array() || !value->array()->complete()) return unusable("adapters");
        for (const Value& element : value->array()->first) {
            if (!element.object()) return unusable("adapters");
            convert::AdapterFile adapter;
            WB_TRY_ASSIGN(adapter.path, text(*element.object(), "path"));
            const Value* scale = element.object()->find("scale");
            adapter.scale = scale ? scale->number().value_or(std::nan("")) : std::nan("");
            if (!std::isfinite(adapter.scale)) return unusable("adapters");
            adapters.push_back(std::move(adapter));
        }
        return {};
    }

    Result<void> readMatrixFile(MatrixFile& matrix) const {
        const Value* value = m_root.find("imatrix");
        if (!value) return unusable("imatrix");
        if (value->type == ValueType::Null) return {};
        if (!value->object()) return unusable("imatrix");
        WB_TRY_ASSIGN(matrix.path, text(*value->object(), "file"));
        if (value->object()->find("place") != nullptr) {
            WB_TRY_ASSIGN(matrix.place, text(*value->object(), "place"));
            if (!endsIn(matrix.place, matrix.path)) matrix.place.clear();
        }
        WB_TRY_ASSIGN(matrix.include, texts(*value->object(), "include"));
        WB_TRY_ASSIGN(matrix.exclude, texts(*value->object(), "exclude"));
        if (matrix.isNone() || (!matrix.include.empty() && !matrix.exclude.empty())) return unusable("imatrix");
        return {};
    }

    Result<void> readOverrides(std::vector<KeyOverride>& overrides) const {
        WB_TRY_ASSIGN(const auto written, texts(m_root, "overrides"));
        for (const std::string& text : written) {
            auto override = parseKeyOverride(text);
            if (!override) return unusable("overrides");
            overrides.push_back(std::move(*override));
        }
        return {};
    }

    Result<void> readPruned(std::set<std::uint32_t>& layers) const {
        const Value* value = m_root.find("prune_layers");
        if (!value || !value->array() || !value->array()->complete()) return unusable("prune_layers");
        for (const Value& element : value->array()->first) {
            const auto layer = element.unsignedNumber();
            if (!layer || *layer > std::numeric_limits<std::uint32_t>::max()) return unusable("prune_layers");
            layers.insert(static_cast<std::uint32_t>(*layer));
        }
        return {};
    }

    Result<void> readTypes(std::map<std::string, Dtype>& types) const {
        const Value* tensors = m_root.find("tensors");
        if (!tensors || !tensors->object() || !tensors->object()->complete()) return unusable("tensors");
        for (const Member& member : tensors->object()->members) {
            const std::string* name = member.value.string();
            const auto type = name ? dtypeFromName(*name) : std::nullopt;
            if (!type || !types.emplace(member.key, *type).second)
                return fail(ErrorCode::Malformed, Reason("plan.member"), About{m_name},
                            WB_TEXT("{} is not a valid plan file: its entry for {} is invalid; save the plan again."), m_name,
                            member.key);
        }
        return {};
    }

    const ValueObject& m_root;
    std::string m_name;
    std::uint64_t m_version = 0;
};

} // namespace

std::string modelSignature(const Model& model) {
    io::Sha256 hash;
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.logical) continue;
        const std::string line = fmt::format("{}\n{} {}\n", tensor.name, tensor.dtypeName(), tensor.shape.toString());
        hash.update(std::as_bytes(std::span(line)));
    }
    const auto digest = hash.finish();
    return digest ? io::hexText(*digest) : std::string();
}

Result<std::string> planJson(const QuantizePlan& plan, const QuantizeRequest& request, const MatrixFile& matrix,
                             const FolderChoices& folder) {
    PlanContents contents{plan.whole.get(), quant::targetName(plan.fileType, plan.copy), {}};
    for (const PlannedTensor& tensor : plan.tensors)
        contents.tensors.emplace_back(plan.model->tensors[tensor.source].name, tensor.to);
    return planJson(contents, request, matrix, folder);
}

Result<std::string> planJson(const PlanContents& contents, const QuantizeRequest& request, const MatrixFile& matrix,
                             const FolderChoices& folder) {
    WB_TRY(checkCanBeKept(contents, request, matrix));
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("weighbridge_plan"), out.integer(usesSplit(request) ? splitVersion : folderPlanVersion(folder));
    writeSource(out, *contents.source);
    out.key("type"), out.string(contents.type);
    writeFlag(out, "pure", request.mix.pure);
    writeFlag(out, "allow_requantize", request.allowRequantize);
    writeFlag(out, "keep_split", request.keepSplit);
    writeSplit(out, request);
    writeFolder(out, folder);
    writeMatrix(out, matrix);
    writeOverrides(out, request.overrides);
    writePruned(out, request.prune);
    out.key("tensors"), out.beginObject();
    for (const auto& [tensor, type] : contents.tensors) {
        out.newline();
        out.key(tensor), out.string(name(type));
    }
    out.newline();
    out.endObject();
    out.endObject();
    out.finish();
    return json;
}

Result<PlanFile> parsePlan(std::string_view text, const std::string& name) {
    formats::Limits limits;
    limits.keptJsonMembers = json::keptValues;
    std::vector<Problem> ignored;
    const auto root = json::parse(withoutByteOrderMark(text), name, limits, ignored);
    if (!root && root.error().code != ErrorCode::Malformed) return std::unexpected(root.error());
    if (!root || !root->object()) return noPlan(name);
    return PlanReader(*root->object(), name).read();
}

Result<PlanFile> readPlan(const std::filesystem::path& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    formats::Limits limits;
    limits.jsonText = longestPlan;
    WB_TRY_ASSIGN(const std::string text, json::readText(*source, source->name(), limits));
    return parsePlan(text, source->name());
}

Result<void> checkPlanFits(const PlanFile& plan, const Model& model) {
    if (plan.signature == modelSignature(model)) return {};
    return fail(ErrorCode::Invalid, Reason("plan.other_model"),
                About{model.files.empty() ? io::baseName(model.path) : model.files[0].name},
                WB_TEXT("{} is not the model that this plan was made for ({}); create a new plan."),
                model.files.empty() ? io::baseName(model.path) : model.files[0].name, plan.sourceName);
}

Result<std::shared_ptr<const quant::Imatrix>> readMatrix(const MatrixFile& matrix, const Progress& progress) {
    if (matrix.isNone()) return nullptr;
    WB_TRY_ASSIGN(const std::filesystem::path path, found(matrix));
    WB_TRY_ASSIGN(quant::Imatrix read, quant::readImatrix(path, progress));
    read.file = matrix.path;
    quant::filterEntries(read, matrix.include, false);
    quant::filterEntries(read, matrix.exclude, true);
    return std::make_shared<const quant::Imatrix>(std::move(read));
}

} // namespace wb::quantize
