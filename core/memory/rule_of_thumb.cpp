// SPDX-License-Identifier: MIT
#include "core/memory/rule_of_thumb.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/textbook.h"

#include <cmath>
#include <map>

namespace wb::memory {
namespace {

// The type that most weights have.
Dtype mostFrequentType(const Model& model) {
    std::map<Dtype, std::uint64_t> elements;
    for (const TensorInfo& tensor : model.tensors) elements[tensor.dtype] = sum(elements[tensor.dtype], tensor.shape.elements());
    Dtype most = Dtype::F16;
    std::uint64_t highest = 0;
    for (const auto& [type, count] : elements)
        if (count > highest) most = type, highest = count;
    return most;
}

std::string gigabytes(double bytes) {
    return bytes < 1e9 ? fmt::format("{:.2f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

std::uint64_t kindBytes(const Plan& plan, PartKind kind) { return sum(plan.processor[kind], plan.gpu[kind]); }

} // namespace

RuleOfThumb ruleOfThumb(const Subject& subject, const Weights& weights, const WeightType* type, const Estimate& estimate) {
    const double each =
        type ? type->textbookBytes : textbookBytes(subject.trust == Trust::Header ? mostFrequentType(*subject.model) : Dtype::F16);
    const double plain = static_cast<double>(subject.parameters) * each;
    const double factor = textbookRule("running").factor;
    const double all = std::min(plain * factor, 1e19);
    RuleOfThumb rule;
    rule.bytes = static_cast<std::uint64_t>(all);
    rule.text = phrase(WB_TEXT("{} parameters × {} byte(s) = {} of weights; × {} at run time = {}"), humanCount(subject.parameters),
                       plainNumber(each), gigabytes(plain), plainNumber(factor), gigabytes(all));
    const double bits = weights.bitsPerWeight();
    if (bits > each * 8 * 1.005 || bits < each * 8 * 0.995)
        rule.why.push_back(
            phrase(WB_TEXT("A weight takes {} bits instead of {}: blocks include scales, and some tensors use larger types."),
                   plainNumber(std::round(bits * 100) / 100), plainNumber(each * 8)));
    const std::uint64_t caches = sum(kindBytes(estimate.plan, PartKind::Keys), kindBytes(estimate.plan, PartKind::Values));
    rule.why.push_back(phrase(
        WB_TEXT(
            "The rule of thumb ignores the context: the KV cache of {} token(s) takes {}, plus {} byte(s) per additional token."),
        estimate.contextUsed, humanBytes(caches), estimate.bytesPerToken));
    if (const std::uint64_t state = kindBytes(estimate.plan, PartKind::State); state > 0)
        rule.why.push_back(phrase(WB_TEXT("Recurrent layers use {} regardless of the context length."), humanBytes(state)));
    rule.why.push_back(
        phrase(WB_TEXT("Compute buffers and logits take {}, depending on the micro-batch size, not on the weights."),
               humanBytes(sum(kindBytes(estimate.plan, PartKind::Compute), kindBytes(estimate.plan, PartKind::Output)))));
    if (weights.tiedHead > 0 && estimate.settings.usesGpu())
        rule.why.push_back(
            phrase(WB_TEXT("The tied embeddings are stored in both RAM and VRAM: {} more."), humanBytes(weights.tiedHead)));
    return rule;
}

} // namespace wb::memory
