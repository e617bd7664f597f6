// SPDX-License-Identifier: MIT
#include "core/formats/gguf/content_checks.h"

#include "core/arch/model_spec.h"
#include "core/formats/gguf/file_type.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::gguf {
namespace {

std::optional<std::uint64_t> modelNumber(const Model& model, const std::string& key) {
    const Value* value = model.metadata.find(key);
    return value ? value->unsignedNumber() : std::nullopt;
}

std::optional<std::uint64_t> modelCount(const Model& model, const char* key) {
    const Value* value = model.metadata.find(key);
    if (!value || !value->array()) return std::nullopt;
    return value->array()->count;
}

void checkVocabulary(const Model& model, Findings& findings) {
    const auto tokens = modelCount(model, "tokenizer.ggml.tokens");
    for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"})
        if (const auto count = modelCount(model, key); count && count != tokens)
            findings.add(Severity::Warning, "gguf.vocabulary", std::nullopt,
                         WB_TEXT("{} has {} values in {} for {} tokens; its tokenizer is unreliable."), *count, key,
                         tokens.value_or(0));
}

// N of "blk.N.…".
std::optional<std::uint64_t> blockFromName(std::string_view name) {
    if (!name.starts_with("blk.")) return std::nullopt;
    std::uint64_t block = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + 4, end, block);
    if (error != std::errc{} || rest == end || *rest != '.') return std::nullopt;
    return block;
}

void checkBlocks(const Model& model, const arch::ModelSpec& spec, Findings& findings) {
    std::optional<std::uint64_t> last;
    for (const TensorInfo& tensor : model.tensors) last = std::max(last, blockFromName(tensor.name));
    if (spec.blockCount == 0 || !last) return;
    // Blocks that predict additional tokens are counted, but often omitted.
    if (*last < spec.blockCount && spec.blockCount - *last - 1 <= spec.predictionLayers) return;
    findings.add(Severity::Warning, "gguf.blocks", std::nullopt,
                 WB_TEXT("{} declares {} blocks, but its tensors are numbered up to block {}."), spec.blockCount, *last);
}

// The type that takes the most bytes.
std::string heaviestType(const Model& model) {
    std::map<std::string, std::uint64_t> bytes;
    for (const TensorInfo& tensor : model.tensors) bytes[tensor.dtypeName()] += tensor.bytes();
    return std::ranges::max_element(bytes, {}, [](const auto& row) { return row.second; })->first;
}

void checkFileType(const Model& model, Findings& findings) {
    constexpr std::uint64_t guessed = 1024; // added where the writer only guessed
    const auto stored = modelNumber(model, "general.file_type");
    const FileTypeInfo* const row = stored ? fileTypeOfValue(*stored & ~guessed) : nullptr;
    if (!row || model.tensors.empty()) return;
    if (std::ranges::find(model.tensors, row->base, &TensorInfo::dtype) != model.tensors.end()) return;
    findings.add(Severity::Note, "gguf.file_type", std::nullopt,
                 WB_TEXT("{} is named {}, but none of its tensors is {}; most of its bytes are {}."), row->name, name(row->base),
                 heaviestType(model));
}

void checkNeededKeys(const Model& model, Findings& findings) {
    if (!model.architecture)
        findings.add(Severity::Note, "gguf.architecture", std::nullopt,
                     WB_TEXT("{} does not specify its architecture (general.architecture)."));
    const bool quantized =
        std::ranges::any_of(model.tensors, [](const TensorInfo& t) { return info(t.dtype).kind == DtypeKind::Block; });
    if (quantized && !model.metadata.find("general.quantization_version"))
        findings.add(Severity::Note, "gguf.quantization_version", std::nullopt,
                     WB_TEXT("{} contains quantized tensors but no general.quantization_version."));
}

} // namespace

void checkContent(const Model& model, Findings& findings) {
    if (modelNumber(model, "split.no").value_or(0) != 0) return; // only the first part carries the metadata
    checkNeededKeys(model, findings);
    checkVocabulary(model, findings);
    const bool whole = model.files.size() >= modelNumber(model, "split.count").value_or(1);
    if (whole) checkFileType(model, findings);
    if (!model.architecture) return;
    const auto spec = arch::readSpec(model);
    if (!spec) findings.add(Severity::Warning, "gguf.hyperparameters", spec.error());
    else if (whole) checkBlocks(model, *spec, findings);
}

} // namespace wb::gguf
