// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wb {

// The stored type of a metadata value; JSON values use Null, Bool, I64, U64, F64, String, Array and Object.
enum class ValueType : std::uint8_t { Null, Bool, U8, I8, U16, I16, U32, I32, U64, I64, F32, F64, String, Array, Object };

// "null", "bool", "u8" … "f64", "string", "array", "object".
const char* valueTypeName(ValueType type);

struct Value;
struct Member;

// An array of metadata. Long ones (a vocabulary of 250,000 tokens) are not kept: `first` then holds the leading elements only,
// and `position` says where the elements start in the model's first file, so that the rest can be read on request.
struct ValueArray {
    ValueType elementType = ValueType::Null; // Null where the elements differ in type, as JSON allows
    std::uint64_t count = 0;
    std::vector<Value> first;
    std::optional<std::uint64_t> position;

    bool complete() const;
};

// Members in stored order. JSON objects with very many members (a tokenizer's vocabulary) are cut like arrays.
struct ValueObject {
    std::uint64_t count = 0;
    std::vector<Member> members;

    bool complete() const;
    const Value* find(std::string_view key) const; // null if absent; linear
};

// One typed value of a model's metadata tree. Signed types sit in int64, unsigned in uint64, floats in double (an f32 exactly).
// Text is always valid UTF-8: readers replace invalid bytes and note it.
struct Value {
    ValueType type = ValueType::Null;
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, ValueArray, ValueObject> data;

    static Value null();
    static Value of(bool v);
    static Value ofSigned(ValueType type, std::int64_t v);
    static Value ofUnsigned(ValueType type, std::uint64_t v);
    static Value ofFloat(ValueType type, double v);
    static Value of(std::string v);
    static Value of(ValueArray v);
    static Value of(ValueObject v);

    const ValueObject* object() const { return std::get_if<ValueObject>(&data); }
    const ValueArray* array() const { return std::get_if<ValueArray>(&data); }
    const std::string* string() const { return std::get_if<std::string>(&data); }
    std::optional<std::uint64_t> unsignedNumber() const; // any integer type holding a value >= 0
    std::optional<double> number() const;                // any number
};

struct Member {
    std::string key;
    Value value;
};

// Here and not inside their classes because they need the whole of Value and Member.
inline Value Value::null() { return {}; }
inline Value Value::of(bool v) { return {ValueType::Bool, v}; }
inline Value Value::ofSigned(ValueType type, std::int64_t v) { return {type, v}; }
inline Value Value::ofUnsigned(ValueType type, std::uint64_t v) { return {type, v}; }
inline Value Value::ofFloat(ValueType type, double v) { return {type, v}; }
inline Value Value::of(std::string v) { return {ValueType::String, std::move(v)}; }
inline bool ValueArray::complete() const { return first.size() == count; }

// One line for a table: strings as they are, arrays as "[1, 2, 3, … 32000 values]", objects as "{12 members}". What is longer than
// about `maximumBytes` is cut between two characters and ends in "…".
std::string summary(const Value& value, std::size_t maximumBytes = 200);

} // namespace wb
