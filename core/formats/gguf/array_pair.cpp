// SPDX-License-Identifier: MIT
#include "core/formats/gguf/array_pair.h"

#include "core/formats/gguf/pair_bytes.h"

namespace wb::gguf {
namespace {

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

StoredPair makeArrayPair(std::string_view key, std::span<const std::uint64_t> numbers) {
    StoredPair pair = arrayPair(key, u64Id, numbers.size());
    for (const std::uint64_t number : numbers) append(pair.bytes, number);
    return pair;
}

StoredPair makeArrayPair(std::string_view key, const std::vector<bool>& truths) {
    StoredPair pair = arrayPair(key, boolId, truths.size());
    for (const bool truth : truths) append(pair.bytes, static_cast<std::uint8_t>(truth));
    return pair;
}

} // namespace wb::gguf
