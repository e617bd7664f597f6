// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/writer.h"

#include <span>

namespace wb::convert {

// Where a pair of the new file comes from, as the plan shows it.
enum class Origin : std::uint8_t { Config, Tokenizer, Computed, Option };
const char* originName(Origin origin);

struct PlannedPair {
    gguf::StoredPair stored;
    const char* type = ""; // "u32", "arr[str]" …
    Origin origin = Origin::Computed;
};

// The pairs of a file in order. An existing key keeps its position and gets the new value, as in the reference's writer.
class PairList {
public:
    void text(std::string_view key, std::string_view value, Origin origin);
    void u32(std::string_view key, std::uint32_t value, Origin origin);
    void i32(std::string_view key, std::int32_t value, Origin origin);
    void f32(std::string_view key, float value, Origin origin);
    void truth(std::string_view key, bool value, Origin origin);
    void texts(std::string_view key, std::span<const std::string> values, Origin origin);
    void truths(std::string_view key, const std::vector<bool>& values, Origin origin);
    void numbers(std::string_view key, std::span<const float> values, Origin origin);
    void numbers(std::string_view key, std::span<const std::int32_t> values, Origin origin);
    void numbers(std::string_view key, std::span<const std::uint64_t> values, Origin origin);

    const std::vector<PlannedPair>& pairs() const { return m_pairs; }
    std::vector<gguf::StoredPair> stored() const;

private:
    void add(gguf::StoredPair pair, const char* type, Origin origin);

    std::vector<PlannedPair> m_pairs;
};

} // namespace wb::convert
