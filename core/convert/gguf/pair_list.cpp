// SPDX-License-Identifier: MIT
#include "core/convert/gguf/pair_list.h"

#include "core/formats/gguf/array_pair.h"

#include <algorithm>

namespace wb::convert {

const char* originName(Origin origin) {
    switch (origin) {
    case Origin::Config: return "config";
    case Origin::Tokenizer: return "tokenizer";
    case Origin::Computed: return "computed";
    case Origin::Option: break;
    }
    return "option";
}

void PairList::text(std::string_view key, std::string_view value, Origin origin) { add(gguf::makePair(key, value), "str", origin); }
void PairList::u32(std::string_view key, std::uint32_t value, Origin origin) { add(gguf::makePair(key, value), "u32", origin); }
void PairList::i32(std::string_view key, std::int32_t value, Origin origin) { add(gguf::makePair(key, value), "i32", origin); }
void PairList::f32(std::string_view key, float value, Origin origin) { add(gguf::makePair(key, value), "f32", origin); }
void PairList::truth(std::string_view key, bool value, Origin origin) { add(gguf::makeTruthPair(key, value), "bool", origin); }

void PairList::texts(std::string_view key, std::span<const std::string> values, Origin origin) {
    add(gguf::makeArrayPair(key, values), "arr[str]", origin);
}

void PairList::truths(std::string_view key, const std::vector<bool>& values, Origin origin) {
    add(gguf::makeArrayPair(key, values), "arr[bool]", origin);
}

void PairList::numbers(std::string_view key, std::span<const float> values, Origin origin) {
    add(gguf::makeArrayPair(key, values), "arr[f32]", origin);
}

void PairList::numbers(std::string_view key, std::span<const std::int32_t> values, Origin origin) {
    add(gguf::makeArrayPair(key, values), "arr[i32]", origin);
}

void PairList::numbers(std::string_view key, std::span<const std::uint64_t> values, Origin origin) {
    add(gguf::makeArrayPair(key, values), "arr[u64]", origin);
}

std::vector<gguf::StoredPair> PairList::stored() const {
    std::vector<gguf::StoredPair> stored;
    for (const PlannedPair& pair : m_pairs) stored.push_back(pair.stored);
    return stored;
}

void PairList::add(gguf::StoredPair pair, const char* type, Origin origin) {
    const auto known = std::ranges::find(m_pairs, pair.key, [](const PlannedPair& other) { return other.stored.key; });
    if (known == m_pairs.end()) m_pairs.push_back({std::move(pair), type, origin});
    else *known = {std::move(pair), type, origin};
}

} // namespace wb::convert
