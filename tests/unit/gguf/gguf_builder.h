// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace wb::test {

// Writes GGUF files for tests, right ones and wrong ones: every field can be overridden, nothing is checked.
class GgufBuilder {
public:
    enum Type : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };

    explicit GgufBuilder(std::uint32_t version = 3, bool bigEndian = false) : m_version(version), m_bigEndian(bigEndian) {}

    // Bytes of one number, string, count or array head in the file's own form.
    template <typename T>
    std::string number(T value) const {
        auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if (m_bigEndian) std::ranges::reverse(bytes);
        return {bytes.data(), bytes.size()};
    }
    std::string length(std::uint64_t value) const {
        return m_version >= 2 ? number(value) : number(static_cast<std::uint32_t>(value));
    }
    std::string text(std::string_view value) const { return length(value.size()) + std::string(value); }
    std::string arrayHead(std::uint32_t type, std::uint64_t count) const { return number(type) + length(count); }

    // One pair with its value as bytes.
    GgufBuilder& pair(std::string_view key, std::uint32_t type, const std::string& value) {
        m_pairs += text(key) + number(type) + value;
        ++pairCount;
        return *this;
    }
    GgufBuilder& pair(std::string_view key, std::uint32_t value) { return pair(key, U32, number(value)); }
    GgufBuilder& pair(std::string_view key, std::string_view value) { return pair(key, String, text(value)); }
    GgufBuilder& texts(std::string_view key, const std::vector<std::string>& values) {
        std::string bytes = arrayHead(String, values.size());
        for (const std::string& value : values) bytes += text(value);
        return pair(key, Array, bytes);
    }

    // One tensor info; dimensions as stored, innermost first.
    GgufBuilder& info(std::string_view name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                      std::uint64_t offset) {
        m_infos += text(name) + number(static_cast<std::uint32_t>(dimensions.size()));
        for (const auto dimension : dimensions) m_infos += length(dimension);
        m_infos += number(type) + number(offset);
        ++tensorCount;
        return *this;
    }

    // An info whose data follow those of the tensor before, padded.
    GgufBuilder& tensor(std::string_view name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                        std::string_view content) {
        info(name, dimensions, type, data.size());
        data += content;
        data.resize(*checked::alignUp(data.size(), alignment));
        return *this;
    }

    std::string header() const { return "GGUF" + number(m_version) + length(tensorCount) + length(pairCount); }
    std::uint64_t infosAt() const { return header().size() + m_pairs.size(); }

    std::string build() const {
        std::string out = header() + m_pairs + m_infos;
        if (!m_infos.empty()) out.resize(*checked::alignUp(out.size(), alignment));
        return out + data;
    }

    std::uint64_t tensorCount = 0;
    std::uint64_t pairCount = 0;
    std::uint64_t alignment = 32;
    std::string data;

private:
    std::uint32_t m_version;
    bool m_bigEndian;
    std::string m_pairs;
    std::string m_infos;
};

} // namespace wb::test
