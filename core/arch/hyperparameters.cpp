// SPDX-License-Identifier: MIT
#include "core/arch/hyperparameters.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace wb::arch {
namespace {

constexpr Reason wrongType("arch.wrong_type");
constexpr Reason outOfRange("arch.out_of_range");
constexpr Reason listLength("arch.list_length");

} // namespace

const Hyperparameter* Hyperparameters::find(std::string_view key) const {
    const auto found = std::ranges::find(m_entries, key, &Hyperparameter::key);
    return found == m_entries.end() ? nullptr : &*found;
}

bool Hyperparameters::isPerLayer(std::string_view key) const {
    const Hyperparameter* const entry = find(key);
    return entry && entry->value.array();
}

void Hyperparameters::fail(Error error) {
    if (!m_error) m_error = std::move(error);
}

void Hyperparameters::failType(const Hyperparameter& entry, const char* found) {
    fail(about(entry.source, makeError(ErrorCode::Malformed, wrongType,
                                       WB_TEXT("{} stores {} as {}, but loaders expect a u32; convert the model again."), m_file,
                                       entry.source, found)));
}

void Hyperparameters::failRange(std::string_view key, std::uint64_t value, std::uint64_t min, std::uint64_t max) {
    const Hyperparameter* const entry = find(key);
    const std::string name = entry ? entry->source : std::string(key);
    fail(about(name, makeError(ErrorCode::Malformed, outOfRange,
                               WB_TEXT("{}: {} is {}, but loaders accept only {} to {}; convert the model again."), m_file, name,
                               value, min, max)));
}

std::uint64_t Hyperparameters::checked(const Hyperparameter& entry, const Value& value, std::uint64_t max) {
    const auto number = value.unsignedNumber();
    if (!number) {
        failType(entry, valueTypeName(value.type));
        return 0;
    }
    if (*number <= max) return *number;
    failRange(entry.key, *number, 0, max);
    return 0;
}

std::uint64_t Hyperparameters::number(std::string_view key, std::uint64_t max, std::uint64_t otherwise) {
    const Hyperparameter* const entry = find(key);
    if (!entry) return otherwise;
    const ValueArray* const list = entry->value.array();
    if (!list) return checked(*entry, entry->value, max);
    std::uint64_t largest = 0;
    for (const Value& value : list->first) largest = std::max(largest, checked(*entry, value, max));
    return largest;
}

std::uint64_t Hyperparameters::exactNumber(std::string_view key, std::uint64_t min, std::uint64_t max) {
    const Hyperparameter* const entry = find(key);
    if (!entry) return 0;
    if (entry->value.type != ValueType::U32) {
        failType(*entry, valueTypeName(entry->value.type));
        return 0;
    }
    const std::uint64_t value = *entry->value.unsignedNumber();
    if (value >= min && value <= max) return value;
    failRange(key, value, min, max);
    return 0;
}

bool Hyperparameters::hasOneForEach(const Hyperparameter& entry, const ValueArray& list, std::size_t layers) {
    if (list.count == layers && list.complete()) return true;
    fail(about(entry.source, makeError(ErrorCode::Malformed, listLength,
                                       WB_TEXT("{} has {} values for {} but {} layers; convert the model again."), m_file,
                                       list.count, entry.source, layers)));
    return false;
}

std::vector<std::uint64_t> Hyperparameters::perLayer(std::string_view key, std::size_t layers, std::uint64_t max,
                                                     std::uint64_t otherwise, bool exact) {
    std::vector<std::uint64_t> values(layers, otherwise);
    const Hyperparameter* const entry = find(key);
    if (!entry) return values;
    const ValueArray* const list = entry->value.array();
    if (!list) {
        std::ranges::fill(values, exact ? exactNumber(key, 0, max) : number(key, max));
        return values;
    }
    const ValueType type = list->elementType;
    if (exact && type != ValueType::U32 && type != ValueType::I32 && type != ValueType::Bool) failType(*entry, "array");
    if (!hasOneForEach(*entry, *list, layers)) return values;
    for (std::size_t i = 0; i < layers; ++i) {
        const bool* const set = std::get_if<bool>(&list->first[i].data);
        values[i] = set ? *set : checked(*entry, list->first[i], max);
    }
    return values;
}

std::optional<std::vector<bool>> Hyperparameters::flags(std::string_view key, std::size_t layers) {
    const Hyperparameter* const entry = find(key);
    const ValueArray* const list = entry ? entry->value.array() : nullptr;
    if (!list || !hasOneForEach(*entry, *list, layers)) return std::nullopt;
    std::vector<bool> values;
    for (const Value& value : list->first) {
        const bool* const set = std::get_if<bool>(&value.data);
        values.push_back(set ? *set : checked(*entry, value, 1) != 0);
    }
    return values;
}

std::vector<std::uint64_t> Hyperparameters::list(std::string_view key, std::size_t maxCount, std::uint64_t max) {
    std::vector<std::uint64_t> values;
    const Hyperparameter* const entry = find(key);
    const ValueArray* const list = entry ? entry->value.array() : nullptr;
    if (!list) return values;
    for (std::size_t i = 0; i < std::min(maxCount, list->first.size()); ++i) values.push_back(checked(*entry, list->first[i], max));
    return values;
}

float Hyperparameters::real(std::string_view key, float otherwise) {
    const Hyperparameter* const entry = find(key);
    if (!entry) return otherwise;
    const auto value = entry->value.number();
    if (!value || !std::isfinite(*value)) {
        fail(about(entry->source,
                   makeError(ErrorCode::Malformed, wrongType,
                             WB_TEXT("{} stores {} as {}, but loaders expect a finite number; convert the model again."), m_file,
                             entry->source, value ? shortest(*value) : valueTypeName(entry->value.type))));
        return otherwise;
    }
    return static_cast<float>(*value);
}

bool Hyperparameters::flag(std::string_view key, bool otherwise) {
    const Hyperparameter* const entry = find(key);
    const bool* const set = entry ? std::get_if<bool>(&entry->value.data) : nullptr;
    return set ? *set : otherwise;
}

std::string Hyperparameters::text(std::string_view key) const {
    const Hyperparameter* const entry = find(key);
    const std::string* const text = entry ? entry->value.string() : nullptr;
    return text ? *text : std::string{};
}

} // namespace wb::arch
