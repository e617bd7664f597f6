// SPDX-License-Identifier: MIT
#include "core/model/model_json.h"

#include "core/io/byte_source.h"
#include "core/model/checkpoint.h"
#include "core/model/danger.h"
#include "core/model/parameters.h"
#include "core/model/stored_files.h"

namespace wb {
namespace {

void writeArray(JsonWriter& out, const ValueArray& array) {
    out.beginArray();
    for (const Value& element : array.first) writeJson(out, element);
    out.endArray();
}

void writeLongArray(JsonWriter& out, const ValueArray& array) {
    out.beginObject();
    out.key("type");
    out.string(valueTypeName(array.elementType));
    out.key("count");
    out.integer(array.count);
    out.key("first");
    writeArray(out, array);
    out.endObject();
}

void writeMembers(JsonWriter& out, const ValueObject& object) {
    out.beginObject();
    for (const Member& member : object.members) {
        out.newline();
        out.key(member.key);
        writeJson(out, member.value);
    }
    out.endObject();
}

void writeLongObject(JsonWriter& out, const ValueObject& object) {
    out.beginObject();
    out.key("type");
    out.string("object");
    out.key("count");
    out.integer(object.count);
    out.key("first");
    writeMembers(out, object);
    out.endObject();
}

void writeOptional(JsonWriter& out, const std::optional<std::string>& text) {
    if (text) out.string(*text);
    else out.null();
}

// A version that is a whole number is printed as one ("3"), anything else as text.
void writeVersion(JsonWriter& out, const std::optional<std::string>& version) {
    const bool digits =
        version && !version->empty() && version->size() < 10 && version->find_first_not_of("0123456789") == std::string::npos;
    if (digits) out.raw(*version);
    else writeOptional(out, version);
}

void writeFiles(JsonWriter& out, const Model& model) {
    out.beginArray();
    for (const StoredFile& file : storedFiles(model)) {
        out.newline();
        out.beginObject();
        out.key("path");
        out.string(file.name);
        out.key("bytes");
        out.integer(file.bytes);
        out.endObject();
    }
    out.endArray();
}

void writeText(JsonWriter& out, const char* key, const std::string& text) {
    if (text.empty()) return;
    out.key(key);
    out.string(text);
}

void writeTexts(JsonWriter& out, const char* key, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    out.key(key);
    out.beginArray();
    for (const std::string& text : texts) out.string(text);
    out.endArray();
}

void writeDetails(JsonWriter& out, const TensorDetails& details) {
    writeText(out, "group", details.group);
    writeText(out, "member", details.member);
    if (details.storageOffset) {
        out.key("storage_offset");
        out.integer(*details.storageOffset);
    }
    writeTexts(out, "aliases", details.aliases);
    writeTexts(out, "notes", details.notes);
    writeText(out, "scheme", details.scheme);
    writeTexts(out, "parts", details.parts);
    if (!details.bitsPerWeight) return;
    out.key("bits_per_weight");
    out.number(*details.bitsPerWeight);
}

void writeStrides(JsonWriter& out, const std::vector<std::uint64_t>& strides) {
    if (strides.empty()) return;
    out.key("strides");
    out.beginArray();
    for (const std::uint64_t stride : strides) out.integer(stride);
    out.endArray();
}

} // namespace

void writeJson(JsonWriter& out, const Value& value) {
    switch (value.type) {
    case ValueType::Null: return out.null();
    case ValueType::Bool: return out.boolean(std::get<bool>(value.data));
    case ValueType::F32: return out.number(static_cast<float>(std::get<double>(value.data)));
    case ValueType::F64: return out.number(std::get<double>(value.data));
    case ValueType::String: return out.string(std::get<std::string>(value.data));
    case ValueType::Array: {
        const auto& array = std::get<ValueArray>(value.data);
        return array.complete() ? writeArray(out, array) : writeLongArray(out, array);
    }
    case ValueType::Object: {
        const auto& object = std::get<ValueObject>(value.data);
        return object.complete() ? writeMembers(out, object) : writeLongObject(out, object);
    }
    default: break;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) return out.integer(*number);
    out.integer(std::get<std::uint64_t>(value.data));
}

std::string problemPlace(const Problem& problem) {
    if (!problem.offset) return problem.file;
    return fmt::format("{}{}byte {}", problem.file, problem.file.empty() ? "" : " ", *problem.offset);
}

void writeJson(JsonWriter& out, const Problem& problem) {
    out.beginObject();
    out.key("severity");
    out.string(severityName(problem.severity));
    out.key("where");
    out.string(problemPlace(problem));
    out.key("message");
    out.string(problem.message());
    out.key("code");
    out.string(problem.code.id());
    out.endObject();
}

namespace {

// Where the first element is on the disk. Elements that are scattered over a file have no one place in it.
void writePlace(JsonWriter& out, const Model& model, const TensorInfo& tensor) {
    const bool isOneRun =
        tensor.source.form() == TensorSource::Form::Stored || tensor.source.form() == TensorSource::Form::Unavailable;
    const bool isInFile = tensor.file() < model.files.size();
    const StoredPlace place = isInFile ? storedPlace(model, tensor.file()) : StoredPlace{};
    out.key("file");
    if (isInFile) out.string(place.file);
    else out.null();
    out.key("offset");
    if (tensor.offset() && isOneRun && place.shift) out.integer(*place.shift + *tensor.offset());
    else out.null();
    const bool hasMember = tensor.details && !tensor.details->member.empty();
    if (!hasMember) writeText(out, "member", place.member);
}

} // namespace

void writeTensorMembers(JsonWriter& out, const Model& model, const TensorInfo& tensor) {
    out.key("name");
    out.string(tensor.name);
    out.key("dtype");
    out.string(tensor.dtypeName());
    out.key("shape");
    out.beginArray();
    for (const std::uint64_t dimension : tensor.shape.dimensions()) out.integer(dimension);
    out.endArray();
    out.key("elements");
    out.integer(tensor.shape.elements());
    out.key("bytes");
    out.integer(tensor.bytes());
    writePlace(out, model, tensor);
    out.key("logical");
    out.boolean(tensor.logical);
    writeStrides(out, tensor.source.strides());
    if (tensor.details) writeDetails(out, *tensor.details);
    if (tensor.source.unavailableWhy().empty()) return;
    out.key("unavailable");
    out.string(tensor.source.unavailableWhy());
}

void writeModelMembers(JsonWriter& out, const Model& model, std::string_view path) {
    out.key("path");
    out.string(path);
    out.key("format");
    out.string(formatName(model.format));
    out.key("version");
    writeVersion(out, model.version);
    out.key("files");
    writeFiles(out, model);
    out.newline();
    out.key("metadata");
    writeJson(out, Value::of(model.metadata));
    out.newline();
    out.key("parameters");
    out.integer(model.parameters());
    out.key("stored_parameters");
    out.integer(storedParameters(model));
    out.key("bytes");
    out.integer(model.tensorBytes());
    out.key("architecture");
    writeOptional(out, model.architecture);
    out.key("verdict");
    if (model.danger) out.string(verdictName(model.danger->verdict()));
    else out.null();
    out.key("kind");
    if (model.danger) out.string(kindName(*model.danger));
    else out.null();
    out.newline();
    out.key("checkpoint");
    if (model.checkpoint) writeJson(out, *model.checkpoint);
    else out.null();
    out.key("series");
    if (model.series) writeJson(out, *model.series);
    else out.null();
}

} // namespace wb
