// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "core/base/ascii.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"

#include <array>

namespace wb::cli {

namespace fs = std::filesystem;

std::string absolutePath(const std::string& path) {
    std::error_code error;
    const fs::path given(path), whole = fs::absolute(given, error);
    const auto place = (error ? given : whole).generic_u8string();
    return {place.begin(), place.end()};
}

std::vector<convert::AdapterFile> adapterFiles(const ConvertOptions& options) {
    std::vector<convert::AdapterFile> adapters;
    for (const std::string& text : options.adapters) {
        const std::size_t equals = text.rfind('=');
        const auto scale = equals == std::string::npos ? std::nullopt : parseDouble(std::string_view(text).substr(equals + 1));
        adapters.push_back({absolutePath(scale ? text.substr(0, equals) : text), scale.value_or(1)});
    }
    return adapters;
}

Result<ConvertTarget> convertTarget(const ConvertOptions& options) {
    constexpr std::array<std::pair<std::string_view, ConvertTarget>, 4> names = {{{"gguf", ConvertTarget::Gguf},
                                                                                  {"safetensors", ConvertTarget::Safetensors},
                                                                                  {"huggingface", ConvertTarget::HuggingFace},
                                                                                  {"onnx", ConvertTarget::Onnx}}};
    const auto refuse = [](const std::string& subject, const char* sentence) {
        return fail(ErrorCode::Invalid, Reason("cli.target"), About{baseName(subject)}, sentence, subject);
    };
    const std::string ending = io::pathText(fs::path(options.out).extension());
    for (const auto& [name, target] : names)
        if (ascii::same(options.to, name)) {
            if (target == ConvertTarget::Gguf && !ascii::same(ending, ".gguf"))
                return refuse(options.out, WB_TEXT("{} does not end with .gguf; rename it."));
            return target;
        }
    if (!options.to.empty())
        return refuse(options.to, WB_TEXT("{} cannot be written yet; --to supports gguf, safetensors, huggingface and onnx."));
    if (ascii::same(ending, ".gguf")) return ConvertTarget::Gguf;
    if (ascii::same(ending, ".safetensors")) return ConvertTarget::Safetensors;
    if (ascii::same(ending, ".onnx")) return ConvertTarget::Onnx;
    std::error_code ignored;
    if (ascii::same(ending, ".npz") || fs::is_regular_file(options.out, ignored))
        return refuse(options.out,
                      WB_TEXT("{} is not a .gguf, .safetensors or .onnx file or a folder; only these can be written."));
    return ConvertTarget::HuggingFace;
}

Result<std::vector<std::pair<std::string, std::string>>> metadataFromFile(const std::string& path) {
    std::vector<std::pair<std::string, std::string>> metadata;
    if (path.empty()) return metadata;
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    formats::Limits limits;
    limits.jsonText = 1 << 20;
    WB_TRY_ASSIGN(const std::string text, json::readText(*source, source->name(), limits));
    std::vector<Problem> problems;
    WB_TRY_ASSIGN(const Value value, json::parse(text, source->name(), limits, problems));
    const auto malformed = [&source] {
        return fail(ErrorCode::Malformed, Reason("cli.metadata"), About{source->name()},
                    WB_TEXT("{} is not a JSON object with string values, as --metadata requires."), source->name());
    };
    if (!value.object()) return malformed();
    for (const Member& member : value.object()->members) {
        if (!member.value.string()) return malformed();
        metadata.emplace_back(member.key, *member.value.string());
    }
    return metadata;
}

Result<std::map<std::string, merge::TensorChange>> tensorChanges(const Context& context, const Model& merged) {
    return merge::mergeChanges(merged, context.threads, Progress{context.stop, {}});
}

// Tensors that no adapter names are as they were.
void writeChange(JsonWriter& out, const std::map<std::string, merge::TensorChange>& changes, std::span<const std::string> names) {
    if (changes.empty()) return;
    merge::TensorChange change;
    bool isNamed = false;
    for (const std::string& name : names)
        if (const auto own = changes.find(name); own != changes.end()) {
            change += own->second;
            isNamed = true;
        }
    const auto relative = isNamed ? change.relativeChange() : std::optional(0.0);
    out.key("changed_ratio"), out.number(change.changedRatio());
    out.key("rel_change");
    if (relative) out.number(*relative);
    else out.null();
    if (!change.parents.empty()) writeParents(out, change);
}

void writeParents(JsonWriter& out, const merge::TensorChange& change) {
    out.key("parents"), out.beginArray();
    for (const merge::ParentChange& parent : change.parents) {
        out.beginObject();
        out.key("model"), out.string(toUtf8(parent.model));
        out.key("changed_ratio"), out.number(parent.change.changedRatio());
        numberOrNull(out, "rel_change", parent.change.relativeChange());
        numberOrNull(out, "cosine", parent.change.cosine());
        out.endObject();
    }
    out.endArray();
}

void printParents(const std::map<std::string, merge::TensorChange>& changes, bool isQuiet) {
    const merge::TensorChange total = merge::totalChange(changes);
    if (total.parents.empty()) return;
    const auto cells = [](std::string tensor, const merge::ParentChange& parent) {
        const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "–"; };
        return std::vector<std::string>{escapeControls(toUtf8(tensor)), escapeControls(toUtf8(parent.model)),
                                        number(parent.change.relativeChange()), number(parent.change.cosine())};
    };
    Table table({{"Tensor"}, {"Compared with"}, {"Relative change", true}, {"Cosine similarity", true}});
    if (!isQuiet)
        for (const auto& [tensor, change] : changes)
            for (const merge::ParentChange& parent : change.parents) table.add(cells(tensor, parent));
    for (const merge::ParentChange& parent : total.parents) table.add(cells("(all)", parent));
    fmt::print("\n");
    table.print();
}

} // namespace wb::cli
