// SPDX-License-Identifier: MIT
#include "core/hub/capability.h"

#include "core/arch/model_name.h"
#include "core/base/ascii.h"
#include "core/hub/variants.h"

#include <algorithm>
#include <array>
#include <span>

namespace wb::hub {
namespace {

// In small letters. A tag is one whole tag, a word one part of a name between signs.
struct Claim {
    Capability capability;
    const char* name;
    const char* tag; // of Hugging Face
    std::span<const std::string_view> tags;
    std::span<const std::string_view> words;
};

constexpr std::array<std::string_view, 9> visionTags = {"image-text-to-text",   "visual-question-answering",
                                                        "image-to-text",        "video-text-to-text",
                                                        "any-to-any",           "vision",
                                                        "multimodal",           "vlm",
                                                        "vision-language-model"};
constexpr std::array<std::string_view, 3> visionWords = {"vl", "vision", "llava"};
constexpr std::array<std::string_view, 8> toolTags = {"tools",        "tool-use",         "tool-calling",     "tool use",
                                                      "tool calling", "function-calling", "function calling", "agent"};
constexpr std::array<std::string_view, 2> toolWords = {"tool", "tools"};
constexpr std::array<std::string_view, 4> reasoningTags = {"reasoning", "thinking", "chain-of-thought", "cot"};
constexpr std::array<std::string_view, 4> reasoningWords = {"reasoning", "thinking", "r1", "qwq"};
constexpr std::array<std::string_view, 4> codeTags = {"code", "coder", "code-generation", "codegen"};
constexpr std::array<std::string_view, 4> codeWords = {"code", "coder", "codestral", "starcoder"};
constexpr std::array<std::string_view, 7> embeddingTags = {"feature-extraction",       "sentence-similarity", "sentence-embedding",
                                                           "text-embedding",           "embedding",           "embeddings",
                                                           "text-embeddings-inference"};
constexpr std::array<std::string_view, 3> embeddingWords = {"embed", "embedding", "embeddings"};

constexpr std::array claimTable = {Claim{Capability::Vision, "vision", "image-text-to-text", visionTags, visionWords},
                                   Claim{Capability::Tools, "tools", nullptr, toolTags, toolWords},
                                   Claim{Capability::Reasoning, "reasoning", nullptr, reasoningTags, reasoningWords},
                                   Claim{Capability::Code, "code", "code", codeTags, codeWords},
                                   Claim{Capability::Embedding, "embedding", "feature-extraction", embeddingTags, embeddingWords}};

const Claim* capabilityClaim(Capability capability) {
    const auto* found = std::ranges::find(claimTable, capability, &Claim::capability);
    return found == claimTable.end() ? nullptr : found;
}

// The parts of a name between its signs: "acme/Tiny-Coder-7B" has the words acme, tiny, coder and 7b.
bool hasWord(std::string_view name, std::span<const std::string_view> words) {
    const std::string small = ascii::lowered(name);
    const auto isSign = [](char letter) { return std::string_view("/-_. ").find(letter) != std::string_view::npos; };
    for (std::size_t begin = 0; begin < small.size();) {
        const std::size_t end = static_cast<std::size_t>(
            std::find_if(small.begin() + static_cast<std::ptrdiff_t>(begin), small.end(), isSign) - small.begin());
        if (std::ranges::find(words, std::string_view(small).substr(begin, end - begin)) != words.end()) return true;
        begin = end + 1;
    }
    return false;
}

bool isQuant(std::string_view said, std::string_view wanted) {
    if (ascii::same(said.substr(0, 3), "UD-") && !ascii::same(wanted.substr(0, 3), "UD-")) said.remove_prefix(3);
    return !said.empty() && ascii::same(said, wanted);
}

} // namespace

const char* capabilityName(Capability capability) {
    const Claim* claim = capabilityClaim(capability);
    return claim ? claim->name : "";
}

std::optional<Capability> capabilityFromName(std::string_view name) {
    const auto* found = std::ranges::find(claimTable, name, [](const Claim& claim) { return std::string_view(claim.name); });
    if (found == claimTable.end()) return std::nullopt;
    return found->capability;
}

const char* capabilityTag(Capability capability) {
    const Claim* claim = capabilityClaim(capability);
    return claim ? claim->tag : nullptr;
}

bool claims(const ModelRow& row, Capability capability) {
    const Claim* claim = capabilityClaim(capability);
    if (!claim) return true;
    const auto isTag = [claim](const std::string& tag) {
        std::string small = ascii::lowered(tag);
        for (const std::string_view prefix : {"task:", "custom_tag:"}) // as ModelScope writes them
            if (small.starts_with(prefix)) small.erase(0, prefix.size());
        return std::ranges::find(claim->tags, std::string_view(small)) != claim->tags.end();
    };
    return isTag(row.task) || std::ranges::any_of(row.tags, isTag) || hasWord(row.id, claim->words);
}

const char* quantTag(std::string_view quant) {
    for (const char* method : {"awq", "gptq", "fp8", "exl2", "mlx"})
        if (ascii::same(quant, method)) return method;
    std::string label(quant);
    std::ranges::transform(label, label.begin(), ascii::upper);
    const auto type = fileTypeOfLabel(label);
    const bool isOfAllFormats = type == quant::FileType::BF16 || type == quant::FileType::F32;
    return type && !isOfAllFormats ? "gguf" : nullptr;
}

bool hasQuant(const ModelRow& row, std::string_view quant) {
    const auto isTag = [quant](const std::string& tag) { return isQuant(tag, quant); };
    const auto isFile = [quant](const std::string& path) { return isQuant(quantLabel(path), quant); };
    return quant.empty() || std::ranges::any_of(row.tags, isTag) || std::ranges::any_of(row.files, isFile) ||
           isQuant(arch::parseModelName(row.id).quantization, quant);
}

} // namespace wb::hub
