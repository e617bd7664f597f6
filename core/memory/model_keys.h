// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace wb::memory {

inline constexpr std::uint64_t mostLayers = 4096; // what says it has more is nobody's model

// The metadata of a GGUF model under its architecture's name: "llama.block_count" is asked for as "block_count".
class Keys {
public:
    explicit Keys(const Model& model) : m_model(model), m_prefix(model.architecture.value_or("") + ".") {}

    std::optional<std::uint64_t> number(const char* key, std::size_t layer = 0) const {
        const Value* value = m_model.metadata.find(m_prefix + key);
        if (!value) return std::nullopt;
        const ValueArray* array = value->array();
        if (!array) return value->unsignedNumber();
        // Arrays that are kept in part end as they began.
        if (array->first.empty()) return std::nullopt;
        return array->first[std::min(layer, array->first.size() - 1)].unsignedNumber();
    }

    bool isPerLayer(const char* key) const {
        const Value* value = m_model.metadata.find(m_prefix + key);
        return value && value->array();
    }

    std::optional<bool> flag(const char* key, std::size_t layer) const {
        const Value* value = m_model.metadata.find(m_prefix + key);
        const ValueArray* array = value ? value->array() : nullptr;
        if (!array || layer >= array->first.size()) return std::nullopt;
        const bool* set = std::get_if<bool>(&array->first[layer].data);
        return set ? std::optional(*set) : std::nullopt;
    }

private:
    const Model& m_model;
    std::string m_prefix;
};

} // namespace wb::memory
