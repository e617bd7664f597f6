// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/mix/mix_facts.h"
#include "core/quant/mix/tensor_category.h"

#include <cstdint>
#include <optional>

namespace wb::quant {

// The rules of 8.4. Tensors are requested in quantizationOrder; counters advance with every call, so each is requested once.
class Mix {
public:
    explicit Mix(MixFacts facts) : m_facts(std::move(facts)) {}

    Result<Dtype> choose(const TensorInfo& tensor, Dtype base);

private:
    // Each of the branches of 8.4 is empty where it does not apply.
    std::optional<Dtype> forOutput(const TensorInfo& tensor, Category category, Dtype base) const;
    Dtype forTinyFile(Category category, Dtype base);
    Dtype forValues(Dtype base);
    Dtype valuesByFile(std::uint64_t index, Dtype base) const;
    Dtype forDown(std::uint64_t index, Dtype base) const;
    Dtype forAttentionOutput(Dtype base) const;
    Result<std::uint64_t> layerIndex(const TensorInfo& tensor, std::uint64_t& counter) const;

    bool is(FileType type) const { return m_facts.fileType == type; }
    bool isFrugal() const { return m_facts.rules.variant == arch::MixVariant::Frugal; }
    std::uint64_t groupSize() const { return m_facts.kvHeads == 0 ? 0 : m_facts.heads / m_facts.kvHeads; }
    bool isLarge() const;

    MixFacts m_facts;
    std::uint64_t m_values = 0;
    std::uint64_t m_down = 0;
    std::uint64_t m_gate = 0;
    std::uint64_t m_up = 0;
};

// N of "blk.N", -1 for names outside layers. As sscanf("blk.%d") reads it, by which the reference sorts: white space and a sign may
// precede the digits, anything may follow them, and 32 bits are kept of a number that is too large.
std::int64_t blockNumber(std::string_view name);

} // namespace wb::quant
