// SPDX-License-Identifier: MIT
#include "core/quant/mix/mix.h"

#include "core/quant/mix/mix_rules.h"
#include "core/quant/quantize.h"
#include "core/quant/mix/tensor_category.h"

#include <algorithm>
#include <regex>

namespace wb::quant {
namespace {

// Dimensions as the format counts them: trailing ones (our leading ones) do not count.
std::size_t realRank(const Shape& shape) {
    std::size_t leadingOnes = 0;
    while (leadingOnes + 1 < shape.rank() && shape[leadingOnes] == 1) ++leadingOnes;
    return shape.rank() - leadingOnes;
}

struct CompiledRule {
    std::regex pattern;
    Dtype type;
};

constexpr std::size_t longestPattern = 4096; // the compiler of patterns recurses into them

// Backtracking takes a pattern like (a*)*b exponential time, in which nothing can stop it; where the library has a matcher without,
// that one decides. It knows no back references.
std::regex compilePattern(const std::string& pattern) {
#ifdef __GLIBCXX__
    try {
        return std::regex(pattern, std::regex_constants::ECMAScript | std::regex_constants::__polynomial);
    } catch (const std::regex_error& error) {
        if (error.code() != std::regex_constants::error_complexity) throw;
    }
#endif
    return std::regex(pattern);
}

Result<std::vector<CompiledRule>> compile(const std::vector<TensorTypeRule>& rules) {
    std::vector<CompiledRule> compiled;
    for (const TensorTypeRule& rule : rules) {
        std::string lowered = rule.pattern;
        std::ranges::transform(lowered, lowered.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        try {
            if (lowered.size() > longestPattern) throw std::regex_error(std::regex_constants::error_space);
            compiled.push_back({compilePattern(lowered), rule.type});
        } catch (const std::regex_error& error) {
            return fail(ErrorCode::Invalid, WB_TEXT("\"{}\" is not a regular expression ({})."), rule.pattern, error.what());
        }
    }
    return compiled;
}

std::optional<Dtype> ruleFor(const std::vector<CompiledRule>& rules, const std::string& name) {
    for (const CompiledRule& rule : rules)
        if (std::regex_search(name, rule.pattern)) return rule.type;
    return std::nullopt;
}

// An override of the embeddings or the output, which takes no shape fallback.
std::optional<Dtype> overrideFor(const TensorInfo& tensor, const MixOptions& options, const std::optional<Dtype>& rule) {
    const Category category = categoryOf(tensor.storedName());
    if (category == Category::TokenEmbedding && options.tokenEmbeddingType &&
        !(tensor.storedName() == "per_layer_token_embd.weight" && rule))
        return options.tokenEmbeddingType;
    if (category == Category::Output) return options.outputType;
    return std::nullopt;
}

bool demandsMatrix(Dtype type, const std::string& name, FileType fileType) {
    const Category category = categoryOf(name);
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
        return fail(ErrorCode::Unsupported, WB_TEXT("The rows of {} have {} elements, which {} cannot hold and for which it has no "
                                                    "substitute; choose another type for this tensor."),
                    tensor.name, row, name(choice.type));
    choice.insteadOf = choice.type;
    choice.type = *fallback;
    return {};
}

} // namespace

Result<void> checkPatterns(const std::vector<TensorTypeRule>& rules) {
    WB_TRY_ASSIGN(const auto unused, compile(rules));
    return {};
}

std::vector<std::size_t> quantizationOrder(const Model& model) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (!model.tensors[i].logical) order.push_back(i);
    const auto layerOf = [&](std::size_t i) { return blockNumber(model.tensors[i].storedName()); };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const auto layerA = layerOf(a);
        const auto layerB = layerOf(b);
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
    const std::string architecture = model.architecture.value_or("");
    WB_TRY_ASSIGN(MixFacts facts, factsOf(model, options));
    Mix mix(std::move(facts));
    std::vector<TypeChoice> choices;
    for (const std::size_t index : order) {
        const TensorInfo& tensor = model.tensors[index];
        TypeChoice choice{tensor.dtype, true, {}, false};
        const bool left = options.copy || (options.leaveOutput && tensor.storedName() == "output.weight");
        if (!left && realRank(tensor.shape) >= 2 && !isNeverQuantized(tensor.storedName(), architecture)) {
            const auto rule = ruleFor(rules, tensor.storedName());
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
