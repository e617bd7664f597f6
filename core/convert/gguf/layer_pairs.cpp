// SPDX-License-Identifier: MIT
#include "core/convert/gguf/layer_pairs.h"

#include "core/convert/gguf/config_value.h"
#include "core/convert/gguf/tensor_names.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <functional>

namespace wb::convert {
namespace {

using arch::LayerSpec;

std::unexpected<Error> notList(std::string_view member) {
    return fail(ErrorCode::Malformed, Reason("convert.config_list"), About{"config.json"},
                WB_TEXT("{} in config.json is not a list that GGUF can store."), member);
}

// A list that is needed only where the layers differ, unless the rule requires it.
Result<void> addNumbers(const PairContext& context, const KeyRule& rule,
                        const std::function<std::uint64_t(const LayerSpec&)>& number) {
    std::vector<std::int32_t> numbers;
    for (const LayerSpec& layer : context.spec.layers) numbers.push_back(static_cast<std::int32_t>(number(layer)));
    const bool isAlike = std::ranges::adjacent_find(numbers, std::ranges::not_equal_to()) == numbers.end();
    if (!isAlike || rule.required)
        context.pairs.numbers(context.key(rule.key), std::span<const std::int32_t>(numbers), Origin::Config);
    return {};
}

Result<void> addRecurrent(const PairContext& context, const KeyRule& rule) {
    std::vector<bool> recurrent;
    for (const LayerSpec& layer : context.spec.layers) recurrent.push_back(layer.recurrence != arch::Recurrence::None);
    context.pairs.truths(context.key(rule.key), recurrent, Origin::Config);
    return {};
}

// "full" and "shared".
Result<void> addIndexers(const PairContext& context, const KeyRule& rule) {
    const Value* const listed = findSet(context.config, rule.members[0]);
    if (!listed) return {};
    if (!listed->array() || !listed->array()->complete()) return notList(rule.members[0]);
    std::vector<bool> full;
    for (const Value& type : listed->array()->first) full.push_back(type.string() && *type.string() == "full");
    context.pairs.truths(context.key(rule.key), full, Origin::Config);
    return {};
}

Result<void> addRatios(const PairContext& context, const KeyRule& rule) {
    WB_TRY_ASSIGN(const auto ratio, memberNumber(context.config, rule.members[0]));
    if (!ratio) return {};
    KeyRule always = rule;
    always.required = true;
    return addNumbers(context, always, [&ratio](const LayerSpec& layer) {
        return layer.recurrence == arch::Recurrence::None ? std::uint64_t{*ratio} : std::uint64_t{0};
    });
}

Result<void> addLayerNumbers(const PairContext& context, const KeyRule& rule) {
    const Value* const listed = findSet(context.config, rule.members[0]);
    if (!listed) return {};
    if (!listed->array() || !listed->array()->complete()) return notList(rule.members[0]);
    std::vector<std::int32_t> numbers;
    for (const Value& layer : listed->array()->first) {
        const auto counted = layer.unsignedNumber();
        if (!counted || *counted == 0 || *counted > context.spec.layers.size()) return notList(rule.members[0]);
        numbers.push_back(static_cast<std::int32_t>(*counted - 1));
    }
    context.pairs.numbers(context.key(rule.key), std::span<const std::int32_t>(numbers), Origin::Config);
    return {};
}

// Of the embedding of all heads of n-grams, which have 2 to `ngram_size` tokens.
Result<void> addNgramWidth(const PairContext& context, const KeyRule& rule) {
    WB_TRY_ASSIGN(const auto all, memberNumber(context.config, rule.members[0]));
    WB_TRY_ASSIGN(const auto heads, memberNumber(context.config, rule.members[1]));
    WB_TRY_ASSIGN(const auto size, memberNumber(context.config, rule.members[2]));
    const std::uint64_t parts = heads && size && *size > 1 ? std::uint64_t{*heads} * (*size - 1) : 0;
    if (parts == 0) return {};
    const std::uint64_t width = all ? *all : context.spec.width;
    context.pairs.u32(context.key(rule.key), static_cast<std::uint32_t>(width / parts), Origin::Config);
    return {};
}

Result<void> addStoredNumbers(const PairContext& context, const KeyRule& rule) {
    if (!context.model) return {};
    const auto tensor = std::ranges::find_if(context.model->tensors, [&rule](const TensorInfo& each) {
        return !each.logical && plainName(each.name).ends_with(rule.text);
    });
    if (tensor == context.model->tensors.end()) return {};
    const auto unfit = [&tensor] {
        return fail(ErrorCode::Malformed, Reason("convert.stored_numbers"), About{tensor->name},
                    WB_TEXT("The tensor {} of type {} and shape {} is not a list of at most {} whole numbers."), tensor->name,
                    name(tensor->dtype), tensor->shape.toString(), maxStoredNumbers);
    };
    if (tensor->dtype != Dtype::I64 || tensor->shape.rank() != 1 || tensor->shape[0] > maxStoredNumbers) return unfit();
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*context.model, *tensor));
    std::vector<std::uint64_t> numbers(tensor->shape[0]);
    WB_TRY(reader.readRaw(0, numbers.size(), std::as_writable_bytes(std::span(numbers))));
    if (std::ranges::any_of(numbers, [](std::uint64_t number) { return static_cast<std::int64_t>(number) < 0; })) return unfit();
    context.pairs.numbers(context.key(rule.key), std::span<const std::uint64_t>(numbers), Origin::Config);
    return {};
}

} // namespace

Result<void> addLayerPairs(const PairContext& context, const KeyRule& rule) {
    switch (rule.kind) {
    case KeyKind::FeedForwardByLayer: // also of experts
        return addNumbers(context, rule, [](const LayerSpec& l) { return l.feedForward > 0 ? l.feedForward : l.expertWidth; });
    case KeyKind::KeyHeadsByLayer: return addNumbers(context, rule, &LayerSpec::kvHeads);
    case KeyKind::RecurrentByLayer: return addRecurrent(context, rule);
    case KeyKind::IndexerByLayer: return addIndexers(context, rule);
    case KeyKind::RatioByLayer: return addRatios(context, rule);
    default: return addLayerNumbers(context, rule);
    }
}

Result<void> addNgramPairs(const PairContext& context, const KeyRule& rule) {
    return rule.kind == KeyKind::NgramWidth ? addNgramWidth(context, rule) : addStoredNumbers(context, rule);
}

} // namespace wb::convert
