// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/companions.h"

#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/formats/lfs/pointer.h"
#include "core/jobs/thread_pool.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace wb::huggingface {
namespace {

bool isTemplate(std::string_view name) { return name.ends_with(".jinja"); }

// Parts of a tokenizer that are not JSON; named among the files, not read.
bool isTokenizerPart(std::string_view name) {
    return name.ends_with(".model") || name.ends_with(".tiktoken") || name == "merges.txt" || name == "vocab.txt";
}

struct Companion {
    ModelFile file;
    std::optional<Value> value;
    std::vector<Problem> problems;
};

Result<void> readContent(const io::FileSource& source, const formats::OpenOptions& options, Companion& companion) {
    const std::string& name = companion.file.name;
    if (isTokenizerPart(name)) return {};
    if (const auto pointer = lfs::readPointer(source)) return std::unexpected(lfs::pointerError(name, *pointer));
    if (isTemplate(name)) {
        WB_TRY_ASSIGN(const std::string text, json::readText(source, name, options.limits));
        companion.value = Value::of(toUtf8(text));
        return {};
    }
    WB_TRY_ASSIGN(companion.value, json::readFile(source, name, options.limits, companion.problems));
    return {};
}

Result<void> readCompanion(const io::BeneathDirectory& folder, const formats::OpenOptions& options, Companion& companion) {
    WB_TRY_ASSIGN(const auto source, folder.openFile(companion.file.name));
    companion.file.bytes = source->size();
    companion.file.identity = source->identity();
    return readContent(*source, options, companion);
}

std::vector<std::string> companionNames(const Model& model, const Listing& listing) {
    std::vector<std::string> names;
    for (const std::string& name : listing.files) {
        if (!name.ends_with(".json") && !isTemplate(name) && !isTokenizerPart(name)) continue;
        if (std::ranges::find(model.files, name, &ModelFile::name) == model.files.end()) names.push_back(name);
    }
    std::ranges::stable_partition(names,
                                  [](const std::string& name) { return name == "config.json" || name == "model_index.json"; });
    return names;
}

const ValueObject* objectAt(const Model& model, std::string_view file) {
    const Value* value = model.metadata.find(file);
    return value ? value->object() : nullptr;
}

std::optional<std::string> stringAt(const ValueObject* object, std::string_view key) {
    const Value* value = object ? object->find(key) : nullptr;
    if (!value || !value->string()) return std::nullopt;
    return *value->string();
}

} // namespace

Result<void> addCompanions(Model& model, const std::filesystem::path& folder, const Listing& listing,
                           const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto beneath, io::BeneathDirectory::open(folder));
    std::vector<Companion> companions;
    for (const std::string& name : companionNames(model, listing)) companions.emplace_back().file.name = name;
    WB_TRY(jobs::parallelFor(companions.size(), options.threads, options.progress.stop, [&](std::uint64_t i) -> Result<void> {
        Companion& companion = companions[i];
        if (const auto read = readCompanion(beneath, options, companion); !read)
            companion.problems.push_back(asProblem(Severity::Error, "huggingface.companion", companion.file.name, read.error()));
        return {};
    }));
    ValueObject metadata;
    for (Companion& companion : companions) {
        if (companion.value) metadata.members.push_back({companion.file.name, std::move(*companion.value)});
        std::ranges::move(companion.problems, std::back_inserter(model.problems));
        model.files.push_back(std::move(companion.file));
    }
    std::ranges::move(model.metadata.members, std::back_inserter(metadata.members));
    metadata.count = metadata.members.size();
    model.metadata = std::move(metadata);
    return {};
}

void notePointers(Model& model, const std::filesystem::path& folder, const Listing& listing) {
    const auto beneath = io::BeneathDirectory::open(folder);
    if (!beneath) return;
    for (const std::string& name : listing.files) {
        if (std::ranges::find(model.files, name, &ModelFile::name) != model.files.end()) continue;
        const auto source = beneath->openFile(name);
        const auto pointer = source ? lfs::readPointer(**source) : std::nullopt;
        if (!pointer) continue;
        const Error error = lfs::pointerError(name, *pointer);
        model.problems.push_back(asProblem(Severity::Error, "lfs.pointer", name, error));
    }
}

void noteUnreadWeights(Model& model, const Listing& listing) {
    static constexpr std::array endings = {".bin",  ".pt",  ".pth",    ".ckpt",  ".msgpack", ".h5",
                                           ".onnx", ".npz", ".tflite", ".keras", ".ot"};
    std::vector<std::string> names;
    std::ranges::copy_if(listing.files, std::back_inserter(names), [](const std::string& name) {
        return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
    });
    if (names.empty()) return;
    model.problems.push_back(makeProblem(
        Severity::Warning, "huggingface.unread_weights", {}, std::nullopt,
        WB_TEXT(
            "The tensors in {} are not listed: in a folder, only safetensors files, GGUF files and pytorch_model.bin are read."),
        fmt::join(names, ", ")));
}

void noteCode(Model& model, const Listing& listing) {
    const auto hasAutoMap = [&](const char* file) {
        const ValueObject* object = objectAt(model, file);
        return object && object->find("auto_map");
    };
    const auto scripts = listing.filesEndingWith(".py");
    if (scripts.empty() && !hasAutoMap("config.json") && !hasAutoMap("tokenizer_config.json")) return;
    const std::string which = scripts.empty() ? std::string("auto_map") : fmt::format("{}", fmt::join(scripts, ", "));
    model.problems.push_back(makeProblem(
        Severity::Warning, "huggingface.code", {}, std::nullopt,
        WB_TEXT("With trust_remote_code, loading this model runs code from its repository ({}); Weighbridge never runs it."),
        which));
}

std::optional<std::string> modelArchitecture(const Model& model) {
    const ValueObject* config = objectAt(model, "config.json");
    const Value* classes = config ? config->find("architectures") : nullptr;
    if (classes && classes->array() && !classes->array()->first.empty())
        if (const std::string* first = classes->array()->first.front().string()) return *first;
    if (auto type = stringAt(config, "model_type")) return type;
    if (auto pipeline = stringAt(objectAt(model, "model_index.json"), "_class_name")) return pipeline;
    return stringAt(config, "_class_name");
}

} // namespace wb::huggingface
