// SPDX-License-Identifier: MIT
#include "core/convert/source/source_folder.h"

#include "core/convert/source/class_defaults.h"
#include "core/convert/source/folder_text.h"
#include "core/formats/json/json.h"

#include <algorithm>

namespace wb::convert {
namespace {

constexpr std::uint64_t maxTokenizerModel = 64ull << 20;
constexpr std::uint64_t maxTemplate = 4ull << 20;

// Values of settings are kept whole: a cut list of tokens would change the file silently.
formats::Limits wholeLimits() {
    formats::Limits limits;
    limits.keptJsonMembers = 200'000;
    return limits;
}

class FolderReader {
public:
    FolderReader(SourceFolder& folder, io::BeneathDirectory directory) : m_folder(folder), m_directory(std::move(directory)) {}

    // Empty where there is not such a file.
    Result<std::optional<std::string>> text(const std::string& name, std::uint64_t maximum) {
        if (changedText(*m_folder.model, name)) return readText(*m_folder.model, name, maximum);
        const auto source = m_directory.openFile(name);
        if (!source && source.error().code == ErrorCode::NotFound) return std::nullopt;
        if (!source) return std::unexpected(source.error());
        if ((*source)->size() > maximum)
            return fail(ErrorCode::TooLarge, Reason("convert.companion_size"), About{name},
                        WB_TEXT("{} has {} bytes, which exceeds the limit for such files."), name, (*source)->size());
        std::string bytes((*source)->size(), '\0');
        WB_TRY((*source)->readAt(0, std::as_writable_bytes(std::span(bytes))));
        m_folder.files.push_back({name, (*source)->identity()});
        return bytes;
    }

    Result<ValueObject> object(const std::string& name) {
        const formats::Limits limits = wholeLimits();
        WB_TRY_ASSIGN(const auto bytes, text(name, limits.jsonText));
        if (!bytes) return ValueObject();
        std::vector<Problem> problems;
        WB_TRY_ASSIGN(const Value value, json::parse(*bytes, name, limits, problems));
        if (const ValueObject* const object = value.object()) return *object;
        return fail(ErrorCode::Malformed, Reason("convert.not_object"), About{name}, WB_TEXT("{} is not a JSON object."), name);
    }

private:
    SourceFolder& m_folder;
    io::BeneathDirectory m_directory;
};

// Members of a nested configuration of the language model counts before the root's.
void overlay(ValueObject& config, std::string_view key) {
    const Value* const nested = config.find(key);
    if (!nested || !nested->object()) return;
    ValueObject text = *nested->object();
    for (const Member& member : config.members)
        if (!text.find(member.key)) text.members.push_back(member);
    text.count = text.members.size();
    config = std::move(text);
}

// By name, which the reference leaves to the order of the disk.
Result<void> readNamedTemplates(FolderReader& reader, SourceFolder& folder) {
    constexpr std::size_t most = 1000;
    const std::string place = "additional_chat_templates", ending = ".jinja";
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder.model->folder / place, error), end; !error && entry != end;
         entry.increment(error))
        if (const std::string name = io::baseName(entry->path()); name.ends_with(ending) && names.size() < most)
            names.push_back(name.substr(0, name.size() - ending.size()));
    std::ranges::sort(names);
    for (const std::string& name : names) {
        WB_TRY_ASSIGN(const auto text, reader.text(fmt::format("{}/{}{}", place, name, ending), maxTemplate));
        if (text) folder.namedTemplates.emplace_back(name, *text);
    }
    return {};
}

} // namespace

const Value* findSet(const ValueObject& object, std::string_view key) {
    const Value* const value = object.find(key);
    return value && value->type != ValueType::Null ? value : nullptr;
}

std::string_view memberText(const ValueObject& object, std::string_view key) {
    const Value* const value = object.find(key);
    return value && value->string() ? std::string_view(*value->string()) : std::string_view();
}

Result<SourceFolder> readSourceFolder(ModelPtr model, bool needsNoTensors) {
    const auto error = std::ranges::find(model->problems, Severity::Error, &Problem::severity);
    if (error != model->problems.end()) return std::unexpected(asError(ErrorCode::Malformed, *error));
    const std::string name = io::baseName(model->path);
    if (model->format != FormatId::HuggingFace || (model->tensors.empty() && !needsNoTensors))
        return fail(
            ErrorCode::Unsupported, Reason("convert.not_folder"), About{name},
            WB_TEXT("{} is not a Hugging Face folder with config.json and safetensors; only such folders can be converted."), name);
    SourceFolder folder;
    folder.model = model;
    for (const ModelFile& file : model->files) folder.files.push_back({file.name, file.identity});
    WB_TRY_ASSIGN(auto directory, io::BeneathDirectory::open(model->folder));
    FolderReader reader(folder, std::move(directory));
    WB_TRY_ASSIGN(folder.config, reader.object("config.json"));
    overlay(folder.config, "text_config");
    folder.completed = addClassDefaults(folder.config);
    WB_TRY_ASSIGN(folder.tokenizerConfig, reader.object("tokenizer_config.json"));
    WB_TRY_ASSIGN(folder.addedTokens, reader.object("added_tokens.json"));
    WB_TRY_ASSIGN(folder.tokenizerJson, reader.text("tokenizer.json", formats::Limits().jsonText));
    WB_TRY_ASSIGN(folder.tokenizerModel, reader.text("tokenizer.model", maxTokenizerModel));
    WB_TRY_ASSIGN(folder.generation, reader.object("generation_config.json"));
    WB_TRY_ASSIGN(folder.chatTemplate, reader.text("chat_template.jinja", maxTemplate));
    if (folder.chatTemplate) {
        WB_TRY(readNamedTemplates(reader, folder));
        return folder;
    }
    WB_TRY_ASSIGN(const ValueObject older, reader.object("chat_template.json"));
    if (const std::string_view text = memberText(older, "chat_template"); !text.empty()) folder.chatTemplate = std::string(text);
    return folder;
}

} // namespace wb::convert
