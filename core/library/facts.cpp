// SPDX-License-Identifier: MIT
#include "core/library/facts.h"

#include "core/arch/model_spec.h"
#include "core/base/ascii.h"
#include "core/formats/gguf/file_type.h"
#include "core/formats/gguf/gguf.h"
#include "core/formats/json/json.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/model/parameters.h"
#include "core/verify/damage.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace wb::library {
namespace {

std::string textAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value && value->string() ? *value->string() : std::string();
}

std::uint64_t numberAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->unsignedNumber().value_or(0) : 0;
}

// The type that contains most of the bytes, as people name a file by.
std::string mainType(const Model& model) {
    std::map<std::string, std::uint64_t> bytes;
    for (const TensorInfo& tensor : model.tensors)
        if (isWeight(model, tensor)) bytes[tensor.dtypeName()] += tensor.bytes();
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& type) { return type.second; });
    return most == bytes.end() ? std::string() : most->first;
}

std::string modelQuant(const Model& model) {
    if (const Value* type = model.metadata.find("general.file_type"))
        if (const auto value = type->unsignedNumber())
            if (const auto* known = gguf::fileTypeOfValue(*value)) return known->name;
    return mainType(model);
}

FileFacts modelFacts(const Model& model) {
    FileFacts facts;
    facts.format = model.format;
    facts.architecture = model.architecture.value_or("");
    facts.quant = modelQuant(model);
    facts.licence = textAt(model.metadata, "general.license");
    facts.parameters = model.parameters();
    facts.tensorBytes = model.tensorBytes();
    facts.context = numberAt(model.metadata, facts.architecture + ".context_length");
    return facts;
}

// "awq 4 bit" of quantization_config; empty where the weights are plain.
std::string quantOfConfig(const ValueObject& config) {
    const Value* quantization = config.find("quantization_config");
    if (!quantization || !quantization->object()) return {};
    const std::string method = textAt(*quantization->object(), "quant_method");
    const std::uint64_t bits = numberAt(*quantization->object(), "bits");
    return method.empty() || bits == 0 || bits > 64 ? method : fmt::format("{} {} bit", method, bits);
}

std::string configArchitecture(const ValueObject& config) {
    const Value* list = config.find("architectures");
    if (list && list->array() && !list->array()->first.empty())
        if (const std::string* name = list->array()->first.front().string()) return *name;
    for (const char* key : {"model_type", "_class_name"})
        if (std::string name = textAt(config, key); !name.empty()) return name;
    return {};
}

std::uint64_t configContext(const ValueObject& config) {
    for (const char* key : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"})
        if (const std::uint64_t context = numberAt(config, key); context > 0) return std::min(context, arch::maxContext);
    const Value* text = config.find("text_config"); // of a model that sees
    return text && text->object() ? numberAt(*text->object(), "max_position_embeddings") : 0;
}

Result<FileFacts> factsOfConfig(const io::ByteSource& file) {
    formats::Limits limits;
    limits.jsonText = 4u << 20;
    std::vector<Problem> problems;
    WB_TRY_ASSIGN(const Value value, json::readFile(file, file.name(), limits, problems));
    if (!value.object())
        return fail(ErrorCode::Malformed, Reason("library.config"), About{file.name()},
                    WB_TEXT("{} is not a JSON object; download it again."), file.name());
    FileFacts facts;
    facts.architecture = configArchitecture(*value.object());
    facts.quant = quantOfConfig(*value.object());
    facts.context = configContext(*value.object());
    return facts;
}

// A file that strict opening refuses is damaged; its header may still be readable.
Result<FileFacts> factsOfModel(const std::function<Result<ModelPtr>(const formats::OpenOptions&)>& open,
                               formats::OpenOptions options) {
    options.strictness = formats::Strictness::Strict;
    auto model = open(options);
    const bool isDamaged = !model && verify::isDamage(model.error());
    options.strictness = formats::Strictness::Lenient;
    if (!model && model.error().code != ErrorCode::Canceled) model = open(options);
    if (!model) return std::unexpected(std::move(model).error());
    FileFacts facts = modelFacts(**model);
    facts.isDamaged = isDamaged;
    return facts;
}

Result<FileFacts> factsOfSource(const std::shared_ptr<io::FileSource>& file, const Progress& progress) {
    if (file->name() == "config.json" || file->name() == "model_index.json") return factsOfConfig(*file);
    std::array<std::byte, 64> bytes{};
    const auto head = std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), file->size())));
    WB_TRY(file->readAt(0, head));
    formats::OpenOptions options;
    options.progress = progress;
    options.threads = 1; // the caller reads many files at once
    if (gguf::sniff(head)) return factsOfModel([&](const formats::OpenOptions& how) { return gguf::open(file, how); }, options);
    if (safetensors::sniff(head, file->size()))
        return factsOfModel([&](const formats::OpenOptions& how) { return safetensors::open(file, how); }, options);
    return FileFacts{};
}

// By the suffix, for files whose content is ignored.
FormatId formatByName(const std::string& name) {
    struct Ending {
        std::string_view text;
        FormatId format;
    };
    static constexpr std::array endings = {Ending{".gguf", FormatId::Gguf},     Ending{".safetensors", FormatId::Safetensors},
                                           Ending{".bin", FormatId::PyTorch},   Ending{".pt", FormatId::PyTorch},
                                           Ending{".pth", FormatId::PyTorch},   Ending{".ckpt", FormatId::PyTorch},
                                           Ending{".onnx", FormatId::Onnx},     Ending{".tflite", FormatId::TfLite},
                                           Ending{".h5", FormatId::KerasH5},    Ending{".keras", FormatId::Keras},
                                           Ending{".npz", FormatId::Npz},       Ending{".msgpack", FormatId::Flax},
                                           Ending{".mlmodel", FormatId::CoreMl}};
    const std::string lower = ascii::lowered(name);
    const auto* found = std::ranges::find_if(endings, [&](const Ending& ending) { return lower.ends_with(ending.text); });
    return found == endings.end() ? FormatId::Unknown : found->format;
}

} // namespace

// Inodes differ where files do; their low bits are what a table needs.
std::size_t MemoryIndex::Hash::operator()(const io::Identity& file) const {
    return std::hash<std::uint64_t>()(file.inode ^ (file.bytes << 32) ^ static_cast<std::uint64_t>(file.modifiedNs));
}

std::optional<FileFacts> MemoryIndex::find(const io::Identity& file) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_facts.find(file);
    if (found == m_facts.end()) return std::nullopt;
    return found->second;
}

bool MemoryIndex::knows(const io::Identity& file) {
    const std::lock_guard lock(m_mutex);
    return m_facts.contains(file);
}

void MemoryIndex::keep(const io::Identity& file, const FileFacts& facts) {
    const std::lock_guard lock(m_mutex);
    m_facts[file] = facts;
}

Result<FileFacts> readFacts(const std::filesystem::path& path, const Progress& progress) {
    WB_TRY(progress.at(0, 1));
    const auto file = io::FileSource::open(path);
    auto facts = file ? factsOfSource(*file, progress) : Result<FileFacts>(std::unexpected(file.error()));
    if (!facts && facts.error().code == ErrorCode::Canceled) return facts;
    FileFacts known;
    if (facts) known = std::move(*facts);
    else known.isDamaged = true;
    if (known.format == FormatId::Unknown) known.format = formatByName(io::baseName(path));
    return known;
}

} // namespace wb::library
