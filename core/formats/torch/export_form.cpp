// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/formats/torch/lister.h"
#include "core/formats/torch/records.h"

#include <algorithm>
#include <array>

// Archives of torch.export (pytorch/pytorch: torch/csrc/export/pt2_archive_constants.h, torch/_export/serde/schema.py): the tensors
// are described by JSON and are in their own records.
namespace wb::torch {
namespace {

struct Code {
    std::uint64_t code;
    const char* constant;
};

// ScalarType of torch/_export/serde/schema.py.
constexpr std::array codes = {
    Code{1, "uint8"},
    Code{2, "int8"},
    Code{3, "int16"},
    Code{4, "int32"},
    Code{5, "int64"},
    Code{6, "float16"},
    Code{7, "float32"},
    Code{8, "float64"},
    Code{9, "complex32"},
    Code{10, "complex64"},
    Code{11, "complex128"},
    Code{12, "bool"},
    Code{13, "bfloat16"},
    Code{28, "uint16"},
    Code{29, "float8_e4m3fn"},
    Code{30, "float8_e5m2"},
    Code{31, "float8_e4m3fnuz"},
    Code{32, "float8_e5m2fnuz"},
};

const Value* member(const Value& value, std::string_view key) {
    const ValueObject* object = value.object();
    return object != nullptr ? object->find(key) : nullptr;
}

std::optional<std::uint64_t> number(const Value* value) {
    if (value == nullptr) return std::nullopt;
    const Value* inner = member(*value, "as_int"); // sizes are symbols that may be numbers
    return inner != nullptr ? inner->unsignedNumber() : value->unsignedNumber();
}

std::optional<std::vector<std::uint64_t>> numbers(const Value* value) {
    const ValueArray* array = value != nullptr ? value->array() : nullptr;
    if (array == nullptr || !array->complete()) return std::nullopt;
    std::vector<std::uint64_t> out;
    for (const Value& element : array->first) {
        const auto one = number(&element);
        if (!one) return std::nullopt;
        out.push_back(*one);
    }
    return out;
}

std::optional<TensorValue> entryTensor(const Value& entry, const std::string& folder) {
    const Value* meta = member(entry, "tensor_meta");
    const Value* path = member(entry, "path_name");
    if (meta == nullptr || path == nullptr || path->string() == nullptr) return std::nullopt;
    auto sizes = numbers(member(*meta, "sizes"));
    auto strides = numbers(member(*meta, "strides"));
    const auto offset = number(member(*meta, "storage_offset"));
    const auto code = number(member(*meta, "dtype"));
    if (!sizes || !strides || !offset || !code || sizes->size() != strides->size()) return std::nullopt;
    const auto* known = std::ranges::find(codes, *code, &Code::code);
    TensorValue value;
    value.kind = TensorKind::Dense;
    value.type = known != codes.end() ? typeOfConstant(known->constant)
                                      : ElementType{Dtype::Unknown, "type " + std::to_string(*code), 0, false};
    value.sizes = std::move(*sizes);
    value.strides = std::move(*strides);
    value.offset = *offset;
    value.storage.key = folder + *path->string();
    value.storage.type = value.type;
    return value;
}

class ExportReader {
public:
    ExportReader(Reading& reading, const Records& records)
        : m_reading(reading), m_records(records), m_lister(*reading.source, reading.model, reading.findings, reading.options.limits,
                                                           [this](const Storage& storage) { return place(storage); }) {}

    Result<void> read() {
        for (const char* config : {"data/weights/model_weights_config.json", "data/weights/model_model_param_config.json",
                                   "data/constants/model_constants_config.json"}) {
            const zip::Member* record = m_records.find(config);
            if (record != nullptr) WB_TRY(readConfig(*record, std::string(config).substr(0, std::string(config).rfind('/') + 1)));
        }
        m_lister.finish();
        return {};
    }

private:
    StoragePlace place(Storage storage) const {
        const zip::Member* record = m_records.find(storage.key);
        if (record == nullptr) return {std::nullopt, 0, "", WB_TEXT("its record is not in the archive")};
        const std::string name = toUtf8(record->name);
        if (!record->isStored()) return {std::nullopt, record->bytes, name, WB_TEXT("its record is compressed")};
        return {record->data->offset(), record->bytes, name, ""};
    }

    Result<void> readConfig(const zip::Member& record, const std::string& folder) {
        WB_TRY_ASSIGN(const auto source, m_records.open(record));
        formats::Limits limits = m_reading.options.limits;
        limits.keptJsonMembers = limits.tensorsPerFile;
        std::vector<Problem> problems;
        WB_TRY_ASSIGN(const Value config, json::readFile(*source, record.name, limits, problems));
        const Value* list = member(config, "config");
        const ValueObject* entries = list != nullptr ? list->object() : nullptr;
        if (entries == nullptr || !entries->complete() || !problems.empty())
            m_reading.findings.add(Severity::Error, "torch.export_config", record.header,
                                   WB_TEXT("{}: the tensor list in {} is corrupted or too long; some tensors are not listed."),
                                   formats::shown(record.name));
        if (entries == nullptr) return {};
        for (const Member& entry : entries->members) {
            auto tensor = entryTensor(entry.value, folder);
            if (!tensor) {
                tensor.emplace();
                tensor->why = WB_TEXT("its description is not supported");
            }
            // A record may contain anything; the bounds are those of the record.
            const zip::Member* stored = m_records.find(tensor->storage.key);
            if (stored != nullptr && tensor->type.bytes != 0) tensor->storage.count = stored->bytes / tensor->type.bytes;
            if (!m_lister.add(entry.key, *tensor)) break;
        }
        return {};
    }

    Reading& m_reading;
    const Records& m_records;
    Lister m_lister;
};

} // namespace

bool isExport(const Records& records) {
    return records.find("archive_format") != nullptr || records.find("serialized_exported_program.json") != nullptr;
}

Result<void> loadExport(Reading& reading, const Records& records) {
    reading.model.format = FormatId::TorchExport;
    reading.model.version = std::nullopt;
    for (const char* name : {"archive_version", "version"})
        if (const std::string version = records.text(name); !version.empty() && !reading.model.version)
            reading.model.version = version;
    reading.model.bigEndian = records.text("byteorder") == "big";
    if (records.find("serialized_exported_program.json") != nullptr)
        reading.findings.add(Severity::Warning, "torch.export_old", std::nullopt,
                             WB_TEXT("{} uses the first torch.export format, whose tensors are not listed."));
    for (const zip::Member& record : records.archive().members) {
        const bool isNative = record.name.ends_with(".so") || record.name.ends_with(".cubin") || record.name.ends_with(".cpp");
        if (isNative)
            reading.findings.add(Severity::Warning, "torch.native_code", record.header,
                                 WB_TEXT("{}: {} is native code, which runs when the model is loaded."),
                                 formats::shown(record.name));
    }
    return ExportReader(reading, records).read();
}

} // namespace wb::torch
