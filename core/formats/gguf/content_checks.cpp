// SPDX-License-Identifier: MIT
#include "core/formats/gguf/content_checks.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::gguf {
namespace {

std::optional<std::uint64_t> numberOf(const Model& model, const std::string& key) {
    const Value* value = model.metadata.find(key);
    return value ? value->unsignedNumber() : std::nullopt;
}

std::optional<std::uint64_t> countOf(const Model& model, const char* key) {
    const Value* value = model.metadata.find(key);
    if (!value || !value->array()) return std::nullopt;
    return value->array()->count;
}

void checkVocabulary(const Model& model, Findings& findings) {
    const auto tokens = countOf(model, "tokenizer.ggml.tokens");
    for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"})
        if (const auto count = countOf(model, key); count && count != tokens)
            findings.add(Severity::Warning, "gguf.vocabulary", std::nullopt,
                         WB_TEXT("{} has {} values in {} for {} tokens; its tokenizer cannot be trusted."), *count, key,
                         tokens.value_or(0));
}

// N of "blk.N.…".
std::optional<std::uint64_t> blockOf(std::string_view name) {
    if (!name.starts_with("blk.")) return std::nullopt;
    std::uint64_t block = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + 4, end, block);
    if (error != std::errc{} || rest == end || *rest != '.') return std::nullopt;
    return block;
}

void checkBlocks(const Model& model, Findings& findings) {
    const auto promised = numberOf(model, *model.architecture + ".block_count");
    std::optional<std::uint64_t> last;
    for (const TensorInfo& tensor : model.tensors) last = std::max(last, blockOf(tensor.name));
    if (!promised || !last) return;
    // Blocks that predict further tokens are counted, but often left out.
    const std::uint64_t spare = numberOf(model, *model.architecture + ".nextn_predict_layers").value_or(0);
    if (*last < *promised && *promised - *last - 1 <= spare) return;
    findings.add(Severity::Warning, "gguf.blocks", std::nullopt,
                 WB_TEXT("{} says it has {} blocks, but its tensors are numbered up to block {}."), *promised, *last);
}

void checkCounts(const Model& model, Findings& findings) {
    struct Range {
        const char* key;
        std::uint64_t most;
    };
    // Far above any model known, far below what could exhaust memory.
    static constexpr std::array ranges = {Range{"block_count", 10'000}, Range{"attention.head_count", 65'536},
                                          Range{"expert_count", 65'536}, Range{"embedding_length", 10'000'000},
                                          Range{"vocab_size", 100'000'000}};
    for (const Range& range : ranges) {
        const std::string key = *model.architecture + '.' + range.key;
        if (const auto value = numberOf(model, key); value && *value > range.most)
            findings.add(Severity::Warning, "gguf.implausible", std::nullopt, WB_TEXT("{} gives {} the implausible value {}."),
                         shown(key), *value);
    }
    const auto used = numberOf(model, *model.architecture + ".expert_used_count");
    const auto experts = numberOf(model, *model.architecture + ".expert_count");
    if (used && experts && *used > *experts)
        findings.add(Severity::Warning, "gguf.experts", std::nullopt, WB_TEXT("{} uses {} experts of only {}."), *used, *experts);
}

struct FileType {
    std::uint64_t id;
    const char* name;
    Dtype dtype;
};

// What most matrices have under each general.file_type (specs/gguf_and_quantization.md 8.1).
constexpr std::array fileTypes = {
    FileType{0, "F32", Dtype::F32},        FileType{1, "F16", Dtype::F16},          FileType{2, "Q4_0", Dtype::Q4_0},
    FileType{3, "Q4_1", Dtype::Q4_1},      FileType{7, "Q8_0", Dtype::Q8_0},        FileType{8, "Q5_0", Dtype::Q5_0},
    FileType{9, "Q5_1", Dtype::Q5_1},      FileType{10, "Q2_K", Dtype::Q2_K},       FileType{11, "Q3_K_S", Dtype::Q3_K},
    FileType{12, "Q3_K_M", Dtype::Q3_K},   FileType{13, "Q3_K_L", Dtype::Q3_K},     FileType{14, "Q4_K_S", Dtype::Q4_K},
    FileType{15, "Q4_K_M", Dtype::Q4_K},   FileType{16, "Q5_K_S", Dtype::Q5_K},     FileType{17, "Q5_K_M", Dtype::Q5_K},
    FileType{18, "Q6_K", Dtype::Q6_K},     FileType{19, "IQ2_XXS", Dtype::IQ2_XXS}, FileType{20, "IQ2_XS", Dtype::IQ2_XS},
    FileType{21, "Q2_K_S", Dtype::Q2_K},   FileType{22, "IQ3_XS", Dtype::IQ3_S},    FileType{23, "IQ3_XXS", Dtype::IQ3_XXS},
    FileType{24, "IQ1_S", Dtype::IQ1_S},   FileType{25, "IQ4_NL", Dtype::IQ4_NL},   FileType{26, "IQ3_S", Dtype::IQ3_S},
    FileType{27, "IQ3_M", Dtype::IQ3_S},   FileType{28, "IQ2_S", Dtype::IQ2_XS},    FileType{29, "IQ2_M", Dtype::IQ2_S},
    FileType{30, "IQ4_XS", Dtype::IQ4_XS}, FileType{31, "IQ1_M", Dtype::IQ1_M},     FileType{32, "BF16", Dtype::BF16},
    FileType{36, "TQ1_0", Dtype::TQ1_0},   FileType{37, "TQ2_0", Dtype::TQ2_0},     FileType{38, "MXFP4", Dtype::MXFP4},
    FileType{39, "NVFP4", Dtype::NVFP4},   FileType{40, "Q1_0", Dtype::Q1_0},       FileType{41, "Q2_0", Dtype::Q2_0}};

// The type that takes the most bytes.
std::string heaviestType(const Model& model) {
    std::map<std::string, std::uint64_t> bytes;
    for (const TensorInfo& tensor : model.tensors) bytes[tensor.dtypeName()] += tensor.bytes();
    return std::ranges::max_element(bytes, {}, [](const auto& row) { return row.second; })->first;
}

void checkFileType(const Model& model, Findings& findings) {
    constexpr std::uint64_t guessed = 1024; // added where the writer only guessed
    const auto stored = numberOf(model, "general.file_type");
    const auto* row = std::ranges::find(fileTypes, stored.value_or(~0ull) & ~guessed, &FileType::id);
    if (row == fileTypes.end() || model.tensors.empty()) return;
    if (std::ranges::find(model.tensors, row->dtype, &TensorInfo::dtype) != model.tensors.end()) return;
    findings.add(Severity::Note, "gguf.file_type", std::nullopt,
                 WB_TEXT("{} calls itself {}, but none of its tensors is {}; most of its bytes are {}."), row->name,
                 name(row->dtype), heaviestType(model));
}

void checkNeededKeys(const Model& model, Findings& findings) {
    if (!model.architecture)
        findings.add(Severity::Note, "gguf.architecture", std::nullopt,
                     WB_TEXT("{} does not say its architecture (general.architecture)."));
    const bool quantized =
        std::ranges::any_of(model.tensors, [](const TensorInfo& t) { return info(t.dtype).kind == DtypeKind::Block; });
    if (quantized && !model.metadata.find("general.quantization_version"))
        findings.add(Severity::Note, "gguf.quantization_version", std::nullopt,
                     WB_TEXT("{} holds quantized tensors but no general.quantization_version."));
}

} // namespace

void checkContent(const Model& model, Findings& findings) {
    if (numberOf(model, "split.no").value_or(0) != 0) return; // only the first part carries the metadata
    checkNeededKeys(model, findings);
    checkVocabulary(model, findings);
    if (model.architecture) checkCounts(model, findings);
    const bool whole = model.files.size() >= numberOf(model, "split.count").value_or(1);
    if (!whole) return;
    checkFileType(model, findings);
    if (model.architecture) checkBlocks(model, findings);
}

} // namespace wb::gguf
