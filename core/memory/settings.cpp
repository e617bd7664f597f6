// SPDX-License-Identifier: MIT
#include "core/memory/settings.h"

#include "core/base/ascii.h"
#include "core/memory/caches.h"

#include <algorithm>
#include <array>

namespace wb::memory {
namespace {

constexpr std::array types = {Dtype::F32,  Dtype::F16,  Dtype::BF16, Dtype::Q8_0,  Dtype::Q5_1,
                              Dtype::Q5_0, Dtype::Q4_1, Dtype::Q4_0, Dtype::IQ4_NL};

constexpr Reason outOfRange("memory.setting_out_of_range");

Result<void> checkNumber(const char* name, std::uint64_t value) {
    if (value > 0 && value <= arch::maxContext) return {};
    return fail(ErrorCode::Invalid, outOfRange, About{name}, WB_TEXT("The {} must be between 1 and {}, not {}."), name,
                arch::maxContext, value);
}

Result<void> checkRow(const char* name, Dtype type, std::uint64_t elements) {
    if (elements % info(type).blockElements == 0) return {};
    return fail(ErrorCode::Invalid, Reason("memory.cache_type_does_not_fit"), About{name},
                WB_TEXT("The {} of this model's cache have rows of {} elements, which {} cannot hold; choose f16."), name, elements,
                wb::name(type));
}

} // namespace

std::uint64_t Settings::tokensAtOnce() const { return std::min({microBatch, batch, cellsOf(context)}); }

std::span<const Dtype> cacheTypes() { return types; }

std::optional<Dtype> cacheTypeFromName(std::string_view name) {
    const auto* const found = std::ranges::find_if(types, [&](Dtype type) { return ascii::same(name, wb::name(type)); });
    return found == types.end() ? std::nullopt : std::optional(*found);
}

Result<void> check(const Settings& settings, const arch::ModelSpec& spec) {
    WB_TRY(checkNumber("context", settings.context));
    WB_TRY(checkNumber("batch", settings.batch));
    WB_TRY(checkNumber("micro-batch", settings.microBatch));
    WB_TRY(checkNumber("number of slots", settings.conversations));
    if (settings.conversations > cellsOf(settings.context))
        return fail(ErrorCode::Invalid, Reason("memory.more_slots_than_cells"), About{"parallel"},
                    WB_TEXT("{} slots cannot share {} tokens of context; choose fewer slots or a longer context."),
                    settings.conversations, settings.context);
    if (!settings.flash && info(settings.valueType).kind == DtypeKind::Block)
        return fail(ErrorCode::Invalid, Reason("memory.quantized_values"), About{"kv"},
                    WB_TEXT("Values of the cache can be stored as {} with flash attention only; choose f16 or turn it on."),
                    name(settings.valueType));
    for (const arch::LayerSpec& layer : spec.layers) {
        WB_TRY(checkRow("keys", settings.keyType, layer.kvHeads * layer.keyLength));
        WB_TRY(checkRow("values", settings.valueType, layer.kvHeads * layer.valueLength));
    }
    return {};
}

} // namespace wb::memory
