// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/open_model.h"
#include "core/base/ascii.h"
#include "core/base/json_writer.h"
#include "core/base/size.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/merge/adapters.h"
#include "core/model/danger.h"
#include "core/scan/scan.h"

#include <algorithm>
#include <array>
#include <cstdio>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

bool canAsk(const Context& context) {
#ifdef _WIN32
    return !context.json && _isatty(_fileno(stdin)) != 0;
#else
    return !context.json && isatty(STDIN_FILENO) != 0;
#endif
}

// The first few calls that are not known to be harmless.
std::string callsOf(const Danger& danger) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> names;
    for (const DangerousCall& call : danger.calls) {
        const std::string name = call.module + "." + call.name;
        if (call.level >= DangerLevel::C && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    const auto has = [&](Reason rule) {
        return std::ranges::any_of(danger.findings, [&](const DangerFinding& one) { return one.problem.code == rule; });
    };
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) (text += i == 0 ? "" : ", ") += names[i];
    if (names.empty() && has("template.escape")) return "what its chat template reaches for inside Python";
    if (names.empty() && has("folder.remote_code")) return "the Python code that its auto_map names";
    if (names.empty() && has("keras.lambda")) return "the code of its Lambda layer";
    return names.empty() ? "something that could not be followed" : names.size() > shown ? text + " …" : text;
}

bool isYes(int letter) { return letter == 'y' || letter == 'Y'; }

} // namespace

std::vector<convert::AdapterFile> adaptersOf(const ConvertOptions& options) {
    std::vector<convert::AdapterFile> adapters;
    for (const std::string& text : options.adapters) {
        const std::size_t equals = text.rfind('=');
        const auto scale = equals == std::string::npos ? std::nullopt : parseDouble(std::string_view(text).substr(equals + 1));
        std::error_code error;
        const fs::path given(scale ? text.substr(0, equals) : text), whole = fs::absolute(given, error);
        const auto place = (error ? given : whole).generic_u8string();
        adapters.push_back({{place.begin(), place.end()}, scale.value_or(1)});
    }
    return adapters;
}

Result<ConvertTarget> targetOf(const ConvertOptions& options) {
    constexpr std::array<std::pair<std::string_view, ConvertTarget>, 3> names = {
        {{"gguf", ConvertTarget::Gguf}, {"safetensors", ConvertTarget::Safetensors}, {"huggingface", ConvertTarget::HuggingFace}}};
    const auto refuse = [](const std::string& subject, const char* sentence) {
        return fail(ErrorCode::Invalid, Reason("cli.target"), About{baseName(subject)}, sentence, subject);
    };
    const std::string ending = io::pathText(fs::path(options.out).extension());
    for (const auto& [name, target] : names)
        if (ascii::same(options.to, name)) {
            if (target == ConvertTarget::Gguf && !ascii::same(ending, ".gguf"))
                return refuse(options.out, WB_TEXT("{} does not end in .gguf, as the name of such a file does."));
            return target;
        }
    if (!options.to.empty())
        return refuse(options.to, WB_TEXT("{} cannot be written yet; --to takes gguf, safetensors and huggingface."));
    if (ascii::same(ending, ".gguf")) return ConvertTarget::Gguf;
    if (ascii::same(ending, ".safetensors")) return ConvertTarget::Safetensors;
    std::error_code ignored;
    if (ascii::same(ending, ".onnx") || ascii::same(ending, ".npz") || fs::is_regular_file(options.out, ignored))
        return refuse(options.out,
                      WB_TEXT("{} is neither a .gguf nor a .safetensors file nor a folder, which is what can be written so far."));
    return ConvertTarget::HuggingFace;
}

Result<std::uint64_t> shardBytesOf(const std::string& text) {
    if (ascii::same(text, "none")) return 0;
    if (const auto bytes = parseSize(text)) return *bytes;
    return fail(ErrorCode::Invalid, Reason("cli.size"), About{text}, WB_TEXT("{} is not a size like 5GB or 300M, nor none."), text);
}

namespace {

// What the texts of a model would do beside its pickles: the template of a GGUF file, the configuration of a folder.
Danger dangerOfTexts(const fs::path& model) {
    Danger all;
    for (const fs::path& file : scan::filesWithCode(model)) {
        auto danger = scan::scanText(file);
        if (!danger || danger->level() < DangerLevel::C) continue;
        std::ranges::move(danger->files, std::back_inserter(all.files));
        std::ranges::move(danger->calls, std::back_inserter(all.calls));
        std::ranges::move(danger->findings, std::back_inserter(all.findings));
    }
    return all;
}

} // namespace

Result<void> checkDanger(const Context& context, const ConvertOptions& options, const Model& model) {
    if (options.yes) return {};
    const bool isPickled = model.danger && model.danger->level() >= DangerLevel::C;
    const Danger danger = isPickled ? *model.danger : dangerOfTexts(model.path);
    if (danger.level() < DangerLevel::C) return {};
    const std::string calls = callsOf(danger), name = io::baseName(model.path);
    if (canAsk(context)) {
        std::fprintf(stderr,
                     "Loading %s with the program it was made for would call %s. Only its tensors are read here. Go on? [y/N] ",
                     name.c_str(), calls.c_str());
        if (isYes(std::getchar())) return {};
    }
    return fail(
        ErrorCode::Unsupported, Reason("cli.dangerous_source"), About{name},
        WB_TEXT("Loading {} with the program it was made for would call {}; only its tensors are read here, so allow it with "
                "--yes if you trust what they say."),
        name, calls);
}

Result<std::vector<std::pair<std::string, std::string>>> metadataOf(const std::string& path) {
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
                    WB_TEXT("{} is not a JSON object of texts, which is what --metadata takes."), source->name());
    };
    if (!value.object()) return malformed();
    for (const Member& member : value.object()->members) {
        if (!member.value.string()) return malformed();
        metadata.emplace_back(member.key, *member.value.string());
    }
    return metadata;
}

Result<ModelPtr> openSource(const Context& context, const ConvertOptions& options) {
    WB_TRY_ASSIGN(ModelPtr model, openModel(context, options.in, formats::Strictness::Strict));
    WB_TRY(checkDanger(context, options, *model));
    return model;
}

Result<std::map<std::string, merge::Change>> changesOf(const Context& context, const Model& merged) {
    return merge::changesOf(merged, context.threads, Progress{context.stop, {}});
}

// Tensors that no adapter names are as they were.
void writeChange(JsonWriter& out, const std::map<std::string, merge::Change>& changes, std::span<const std::string> names) {
    if (changes.empty()) return;
    merge::Change change;
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
}

Result<ModelPtr> mergeInto(const Context& context, const ConvertOptions& options, std::span<const convert::AdapterFile> files,
                           const ModelPtr& model) {
    std::vector<merge::Adapter> adapters;
    for (const convert::AdapterFile& file : files) {
        const fs::path path(std::u8string(file.path.begin(), file.path.end()));
        WB_TRY(context.files->alsoRead(path)); // a plan's
        WB_TRY_ASSIGN(ModelPtr opened, openModel(context, path.string(), formats::Strictness::Strict));
        WB_TRY(checkDanger(context, options, *opened));
        adapters.push_back({std::move(opened), file.scale});
    }
    return adapters.empty() ? model : merge::mergeAdapters(model, adapters, context.stop);
}

} // namespace wb::cli
