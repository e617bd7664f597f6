// SPDX-License-Identifier: MIT
#include "core/quant/mix/mix.h"

#include "core/quant/mix/mix_rules.h"
#include "core/quant/mix/tensor_category.h"
#include "core/quant/mix/unmatched_rules.h"
#include "core/quant/quantize.h"
#include "core/base/ascii.h"
#include "core/regex/regex.h"

#include <algorithm>

namespace wb::quant {
namespace {

// Dimensions as the format counts them: trailing ones (our leading ones) do not count.
std::size_t realRank(const Shape& shape) {
    std::size_t leadingOnes = 0;
    while (leadingOnes + 1 < shape.rank() && shape[leadingOnes] == 1) ++leadingOnes;
    return shape.rank() - leadingOnes;
}

struct CompiledRule {
    std::string written; // as the user wrote it
    regex::Regex pattern;
    Dtype type;
};

// Names are matched byte by byte, as the reference's std::regex does. A search that backtracks further than this is refused; it
// takes some tens of milliseconds.
constexpr regex::Options ruleOptions{.caseless = false, .utf = false, .maxSteps = 1'000'000};

Result<std::vector<CompiledRule>> compile(const std::vector<TensorTypeRule>& rules) {
    std::vector<CompiledRule> compiled;
    for (const TensorTypeRule& rule : rules) {
        auto pattern = regex::Regex::compile(ascii::lowered(rule.pattern), ruleOptions);
        if (!pattern)
            return fail(ErrorCode::Invalid, Reason("quant.not_a_pattern"),
                        WB_TEXT("\"{}\" is not a valid regular expression ({})."), rule.pattern, pattern.error());
        compiled.push_back({rule.pattern, std::move(*pattern), rule.type});
    }
    return compiled;
}

Result<std::optional<Dtype>> ruleFor(const std::vector<CompiledRule>& rules, const std::string& name) {
    for (const CompiledRule& rule : rules) {
        const regex::Found found = rule.pattern.search(name);
        if (found == regex::Found::Yes) return rule.type;
        if (found == regex::Found::GaveUp)
            return fail(ErrorCode::Invalid, Reason("quant.endless_pattern"),
                        WB_TEXT("Matching \"{}\" against the name {} takes too many steps; use a simpler pattern."), rule.written,
                        name);
    }
    return std::nullopt;
}

// An override of the embeddings or the output, which takes no shape fallback.
std::optional<Dtype> overrideFor(const TensorInfo& tensor, const MixOptions& options, const std::optional<Dtype>& rule) {
    const Category category = tensorCategory(tensor.storedName());
    if (category == Category::TokenEmbedding && options.tokenEmbeddingType &&
        !(tensor.storedName() == "per_layer_token_embd.weight" && rule))
        return options.tokenEmbeddingType;
    if (category == Category::Output) return options.outputType;
    return std::nullopt;
}

bool demandsMatrix(Dtype type, const std::string& name, FileType fileType) {
    const Category category = tensorCategory(name);
    if (category == Category::TokenEmbedding || category == Category::Output) return false;
    switch (type) {
    case Dtype::IQ3_XXS:
    case Dtype::IQ2_XXS:
    case Dtype::IQ2_XS:
    case Dtype::IQ2_S:
    case Dtype::IQ1_M:
    case Dtype::IQ1_S: return true;
    case Dtype::Q2_K: return fileType == FileType::Q2_K_S;
    default: return false;
    }
}

Result<void> applyFallback(const TensorInfo& tensor, TypeChoice& choice) {
    const std::uint64_t row = tensor.shape.rowLength();
    if (row % wb::info(choice.type).blockElements == 0) return {};
    const auto fallback = fallbackFor(choice.type, row);
    if (!fallback)
        return fail(ErrorCode::Unsupported, Reason("mix.no_fallback"), About{tensor.name},
                    WB_TEXT("The rows of {} have {} elements, which {} cannot store and has no fallback for; choose another type "
                            "for this tensor."),
                    tensor.name, row, name(choice.type));
    choice.insteadOf = choice.type;
    choice.type = *fallback;
    return {};
}

} // namespace

Result<std::vector<std::string>> unmatchedPatterns(const Model& model, const std::vector<TensorTypeRule>& rules) {
    WB_TRY_ASSIGN(const auto compiled, compile(rules));
    std::vector<std::string> unmatched;
    for (const CompiledRule& rule : compiled) {
        const auto isFound = [&rule](const TensorInfo& tensor) {
            return rule.pattern.search(tensor.storedName()) != regex::Found::No;
        };
        if (std::ranges::none_of(model.tensors, isFound)) unmatched.push_back(rule.written);
    }
    return unmatched;
}

Result<void> checkPatterns(const std::vector<TensorTypeRule>& rules) {
    WB_TRY_ASSIGN(const auto unused, compile(rules));
    return {};
}

std::vector<std::size_t> quantizationOrder(const Model& model) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (!model.tensors[i].logical) order.push_back(i);
    const auto tensorLayer = [&](std::size_t i) { return blockNumber(model.tensors[i].storedName()); };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const auto layerA = tensorLayer(a);
        const auto layerB = tensorLayer(b);
        return layerA != layerB ? layerA < layerB : model.tensors[a].storedName() < model.tensors[b].storedName();
    });
    return order;
}

std::optional<Dtype> fallbackFor(Dtype type, std::uint64_t rowLength) {
    Dtype fallback = Dtype::F16;
    switch (type) {
    case Dtype::NVFP4:
    case Dtype::Q1_0: return std::nullopt;
    case Dtype::Q4_K: fallback = Dtype::Q5_0; break;
    case Dtype::Q5_K: fallback = Dtype::Q5_1; break;
    case Dtype::Q6_K: fallback = Dtype::Q8_0; break;
    case Dtype::Q2_K:
    case Dtype::Q3_K:
    case Dtype::TQ1_0:
    case Dtype::TQ2_0:
    case Dtype::Q2_0: fallback = Dtype::Q4_0; break;
    default:
        if (wb::info(type).blockElements == 256) fallback = Dtype::IQ4_NL;
    }
    return rowLength % wb::info(fallback).blockElements == 0 ? fallback : Dtype::F16;
}

Result<std::vector<TypeChoice>> chooseTypes(const Model& model, std::span<const std::size_t> order, const MixOptions& options) {
    WB_TRY_ASSIGN(const auto rules, compile(options.rules));
    const FileTypeInfo& file = info(options.fileType);
    const bool quantized = wb::info(file.base).kind == DtypeKind::Block;
    WB_TRY_ASSIGN(MixFacts facts, mixFacts(model, options));
    const arch::MixRules familyRules = facts.rules;
    Mix mix(std::move(facts));
    std::vector<TypeChoice> choices;
    for (const std::size_t index : order) {
        const TensorInfo& tensor = model.tensors[index];
        TypeChoice choice{tensor.dtype, true, {}, false};
        const bool left = options.copy || (options.leaveOutput && tensor.storedName() == "output.weight");
        if (!left && realRank(tensor.shape) >= 2 && !isNeverQuantized(tensor.storedName(), familyRules)) {
            WB_TRY_ASSIGN(const auto rule, ruleFor(rules, tensor.storedName()));
            choice = {file.base, false, {}, false};
            if (const auto fixed = overrideFor(tensor, options, rule)) {
                choice.type = *fixed;
            } else if (quantized) {
                if (rule) {
                    choice.type = *rule;
                } else if (!options.pure && file.isMix) {
                    WB_TRY_ASSIGN(choice.type, mix.choose(tensor, file.base));
                }
                WB_TRY(applyFallback(tensor, choice));
            }
            choice.needsMatrix = demandsMatrix(choice.type, tensor.name, options.fileType);
        }
        choices.push_back(choice);
    }
    return choices;
}

} // namespace wb::quant
