// SPDX-License-Identifier: MIT
#include "core/formats/gguf/array_pair.h"

#include <cstring>

namespace wb::gguf {
namespace {

constexpr std::uint32_t i32Id = 5;
constexpr std::uint32_t f32Id = 6;
constexpr std::uint32_t stringId = 8;
constexpr std::uint32_t arrayId = 9;

template <typename T>
void append(std::string& out, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

void appendText(std::string& out, std::string_view text) {
    append(out, static_cast<std::uint64_t>(text.size()));
    out += text;
}

StoredPair arrayPair(std::string_view key, std::uint32_t elementId, std::size_t count) {
    StoredPair pair{std::string(key), {}};
    appendText(pair.bytes, key);
    append(pair.bytes, arrayId);
    append(pair.bytes, elementId);
    append(pair.bytes, static_cast<std::uint64_t>(count));
    return pair;
}

} // namespace

StoredPair makeArrayPair(std::string_view key, std::span<const std::string> texts) {
    StoredPair pair = arrayPair(key, stringId, texts.size());
    for (const std::string& text : texts) appendText(pair.bytes, text);
    return pair;
}

StoredPair makeArrayPair(std::string_view key, std::span<const float> numbers) {
    StoredPair pair = arrayPair(key, f32Id, numbers.size());
    for (const float number : numbers) append(pair.bytes, number);
    return pair;
}

StoredPair makeArrayPair(std::string_view key, std::span<const std::int32_t> numbers) {
    StoredPair pair = arrayPair(key, i32Id, numbers.size());
    for (const std::int32_t number : numbers) append(pair.bytes, number);
    return pair;
}

} // namespace wb::gguf
