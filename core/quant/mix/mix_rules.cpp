// SPDX-License-Identifier: MIT
#include "core/quant/mix/mix_rules.h"

#include "core/quant/mix/mix.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace wb::quant {
namespace {

using enum FileType;

// The first and last eighth of the layers and every third between get more bits.
bool getsMoreBits(std::uint64_t i, std::uint64_t n) { return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2; }

bool isTinyFile(FileType type) {
    return type == IQ2_XXS || type == IQ2_XS || type == IQ1_S || type == IQ1_M || type == IQ2_S || type == IQ2_M;
}

bool isLargerTiny(FileType type) { return type == IQ2_S || type == IQ2_M; }

} // namespace

std::int64_t blockNumber(std::string_view name) {
    if (!name.starts_with("blk.")) return -1;
    name.remove_prefix(4);
    name.remove_prefix(std::min(name.find_first_not_of(" \t\n\v\f\r"), name.size()));
    const bool isSigned = name.starts_with('+') || name.starts_with('-');
    const bool isNegative = name.starts_with('-');
    if (isSigned) name.remove_prefix(1);
    std::uint64_t number = 0;
    const auto [next, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc::invalid_argument) return -1;
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    if (error != std::errc{} || number > largest) number = isNegative ? largest + 1 : largest;
    return static_cast<std::int32_t>(isNegative ? 0 - number : number);
}

bool Mix::isLarge() const {
    const arch::MixRules& rules = m_facts.rules;
    if (rules.largeLayers == 0 || m_facts.trunkLayers != rules.largeLayers) return false;
    return !rules.largeSharesKeys || m_facts.heads != m_facts.kvHeads;
}

std::optional<Dtype> Mix::forOutput(const TensorInfo& tensor, Category category, Dtype base) const {
    if (category != Category::Output && !(category == Category::TokenEmbedding && m_facts.tied)) return std::nullopt;
    if (m_facts.outputType) return m_facts.outputType;
    if (is(MXFP4_MOE) || isFrugal() || tensor.shape.rowLength() % wb::info(base).blockElements != 0) return Dtype::Q8_0;
    if (isTinyFile(m_facts.fileType) || is(IQ3_XXS)) return Dtype::Q5_K;
    return base == Dtype::Q8_0 ? base : Dtype::Q6_K;
}

Dtype Mix::forTinyFile(Category category, Dtype base) {
    const Dtype middle = isLargerTiny(m_facts.fileType) ? Dtype::IQ3_S : Dtype::Q2_K;
    switch (category) {
    case Category::V:
    case Category::Qkv:
    case Category::KvB: ++m_values; return groupSize() >= 4 || m_facts.experts >= 4 ? Dtype::Q4_K : middle;
    case Category::K: return m_facts.experts == 8 ? Dtype::Q4_K : base;
    case Category::Down: return m_down++ < m_facts.layers / 8 ? middle : base;
    case Category::O:
        if (m_facts.experts == 8) return Dtype::Q5_K;
        if (is(IQ1_S) || is(IQ1_M)) return Dtype::IQ2_XXS;
        return isLargerTiny(m_facts.fileType) ? Dtype::IQ3_S : base;
    default: return base;
    }
}

Dtype Mix::valuesByFile(std::uint64_t index, Dtype base) const {
    const bool grouped = groupSize() >= 4;
    switch (m_facts.fileType) {
    case Q2_K: return grouped ? Dtype::Q4_K : Dtype::Q3_K;
    case IQ3_XXS: return grouped ? Dtype::Q4_K : m_facts.hasMatrix ? Dtype::IQ3_XXS : Dtype::IQ3_S;
    case Q2_K_S:
    case IQ3_XS:
    case IQ3_S: return grouped ? Dtype::Q4_K : base;
    case IQ3_M: return Dtype::Q4_K;
    case Q3_K_M: return index < 2 ? Dtype::Q5_K : Dtype::Q4_K;
    case Q3_K_L: return Dtype::Q5_K;
    case IQ4_NL:
    case IQ4_XS: return grouped ? Dtype::Q5_K : base;
    case Q4_K_M:
    case Q5_K_M: return getsMoreBits(index, m_facts.valueTensors) ? Dtype::Q6_K : base;
    case Q4_K_S: return index < 4 ? Dtype::Q5_K : base;
    default: return base;
    }
}

Dtype Mix::forValues(Dtype base) {
    Dtype type = valuesByFile(m_values++, base);
    if (isLarge() && (type == Dtype::Q3_K || type == Dtype::Q4_K)) type = Dtype::Q5_K;
    return m_facts.experts == 8 ? Dtype::Q8_0 : type;
}

Dtype Mix::forDown(std::uint64_t i, Dtype base) const {
    const std::uint64_t n = m_facts.layers;
    const bool early = i < n / 8;
    const bool more = getsMoreBits(i, n);
    switch (m_facts.fileType) {
    case Q2_K: return Dtype::Q3_K;
    case Q2_K_S: return early ? Dtype::Q4_K : base;
    case IQ3_XXS: return m_facts.hasMatrix ? base : early ? Dtype::Q4_K : Dtype::Q3_K;
    case Q3_K_M:
        if (i < n / 16) return Dtype::Q5_K;
        return !isFrugal() || more ? Dtype::Q4_K : Dtype::Q3_K;
    case IQ3_M: return early || (m_facts.experts == 8 && more) ? Dtype::Q4_K : base;
    case Q3_K_L: return isFrugal() ? Dtype::Q4_K : Dtype::Q5_K;
    case Q4_K_M:
        if (!isFrugal()) return more ? Dtype::Q6_K : base;
        return i < n / 16 ? Dtype::Q6_K : more ? Dtype::Q5_K : Dtype::Q4_K;
    case IQ4_NL:
    case IQ4_XS: return early && !m_facts.hasMatrix ? Dtype::Q5_K : base;
    case Q5_K_M: return more ? Dtype::Q6_K : base;
    case Q4_K_S: return early && !isFrugal() ? Dtype::Q5_K : base;
    case Q4_0: return early && m_facts.hasMatrix ? Dtype::Q4_1 : base;
    case Q5_0: return early && m_facts.hasMatrix ? Dtype::Q5_1 : base;
    default: return base;
    }
}

Dtype Mix::forAttentionOutput(Dtype base) const {
    if (isFrugal()) return is(Q3_K_L) ? Dtype::Q4_K : base;
    if (m_facts.experts == 8) {
        switch (m_facts.fileType) {
        case Q2_K:
        case IQ3_XS:
        case IQ3_XXS:
        case Q3_K_S:
        case Q3_K_M:
        case IQ4_NL:
        case Q4_K_S:
        case Q4_K_M:
        case IQ3_S:
        case IQ3_M:
        case IQ4_XS: return Dtype::Q5_K;
        default: return base;
        }
    }
    switch (m_facts.fileType) {
    case Q2_K: return Dtype::Q3_K;
    case IQ3_XXS: return Dtype::IQ3_S;
    case Q3_K_M:
    case IQ3_M: return Dtype::Q4_K;
    case Q3_K_L: return Dtype::Q5_K;
    default: return base;
    }
}

// Models with experts count by the layer in the name, because their tensors do not come in order; others by a running counter.
Result<std::uint64_t> Mix::layerIndex(const TensorInfo& tensor, std::uint64_t& counter) const {
    const std::uint64_t running = counter++;
    if (m_facts.experts <= 1) return running;
    const std::int64_t layer = blockNumber(tensor.storedName());
    if (layer < 0 || static_cast<std::uint64_t>(layer) >= m_facts.layers)
        return fail(ErrorCode::Malformed, needsOneType, About{tensor.name},
                    WB_TEXT("{} does not belong to any of the model's {} layers; such a model can be quantized only with a single "
                            "type (--pure)."),
                    tensor.name, m_facts.layers);
    return static_cast<std::uint64_t>(layer);
}

Result<Dtype> Mix::choose(const TensorInfo& tensor, Dtype base) {
    const Category category = tensorCategory(tensor.storedName());
    if (containsOneOf(tensor.storedName(), m_facts.rules.eightBits)) return Dtype::Q8_0;
    if (const auto type = forOutput(tensor, category, base)) return *type;
    if (is(MXFP4_MOE)) {
        const bool stacked = tensor.shape.rank() > 2 && tensor.shape[tensor.shape.rank() - 3] > 1;
        const bool expertPart = category == Category::Up || category == Category::Gate || category == Category::Down;
        return stacked && (!m_facts.rules.onlyExpertMatrices || expertPart) ? Dtype::MXFP4 : Dtype::Q8_0;
    }
    if (category == Category::TokenEmbedding) {
        if (isTinyFile(m_facts.fileType) && !isLargerTiny(m_facts.fileType)) return Dtype::Q2_K;
        if (isLargerTiny(m_facts.fileType) || is(IQ3_XXS)) return Dtype::IQ3_S;
        return is(TQ1_0) || is(TQ2_0) || is(Q2_0) ? Dtype::Q4_K : base;
    }
    if (isTinyFile(m_facts.fileType)) return forTinyFile(category, base);
    switch (category) {
    case Category::V:
    case Category::Qkv:
    case Category::KvB: return forValues(base);
    case Category::K:
        if (m_facts.experts == 8) return Dtype::Q8_0;
        [[fallthrough]];
    case Category::Q: return is(IQ3_XS) ? Dtype::IQ3_XXS : is(IQ3_XXS) ? Dtype::IQ2_S : base;
    case Category::Down: {
        WB_TRY_ASSIGN(const std::uint64_t i, layerIndex(tensor, m_down));
        return forDown(i, base);
    }
    case Category::O: return forAttentionOutput(base);
    case Category::Gate:
    case Category::Up: {
        WB_TRY_ASSIGN(const std::uint64_t i, layerIndex(tensor, category == Category::Gate ? m_gate : m_up));
        const bool middle = i >= m_facts.layers / 8 && i < 7 * m_facts.layers / 8;
        return is(IQ3_XS) && middle ? Dtype::IQ3_XXS : base;
    }
    default: return base;
    }
}

} // namespace wb::quant
