// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/random_reader.h"

// FlatBuffers without a schema compiler (google/flatbuffers: docs, "Internals"; docs/reference/formats.md,
// "FlatBuffers"). A table starts with an i32 distance back to its vtable, which has a u16 offset for each field, 0 where the field
// has its default. Everything is read from a source where it is, so that a model of gigabytes costs no more than its structure,
// and every position is checked when it is used: a buffer that is gives defaults and a reader that is not good(), never a read
// outside.
namespace wb::flat {

using File = io::RandomReader;

// Whether the four bytes at 4 are these, which name the schema.
bool hasIdentifier(File& file, std::string_view identifier);

// A vector: its elements are inside the buffer, `count` of them from `start` on.
struct Vector {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
};

class Table {
public:
    Table() = default; // an absent one: all of its fields have their defaults

    // The table that the first four bytes of the buffer lead to.
    static Table root(File& file);

    bool isThere() const { return m_file != nullptr; }
    std::uint64_t position() const { return m_position; }

    template <class T>
    T number(unsigned slot, T fallback = {}) const {
        const std::uint64_t at = field(slot);
        return at == 0 ? fallback : m_file->read<T>(at);
    }
    Table table(unsigned slot) const;
    Vector vector(unsigned slot, std::uint64_t elementBytes) const;
    Table tableAt(const Vector& tables, std::uint64_t index) const; // of a vector of tables (elements of 4 bytes)
    std::string text(unsigned slot, std::uint64_t maximum = 64 << 10) const;
    std::string textAt(const Vector& texts, std::uint64_t index, std::uint64_t maximum = 64 << 10) const;

    // The elements of a vector of numbers, at most `maximum` of them.
    template <class T>
    std::vector<T> numbers(unsigned slot, std::uint64_t maximum) const {
        const Vector list = vector(slot, sizeof(T));
        if (list.count > maximum) {
            m_file->reject();
            return {};
        }
        std::vector<T> out(list.count);
        for (std::uint64_t i = 0; i < list.count; ++i) out[i] = m_file->read<T>(list.begin + i * sizeof(T));
        return out;
    }

private:
    Table(File& file, std::uint64_t position);

    std::uint64_t field(unsigned slot) const; // its position; 0 where it is absent
    std::uint64_t follow(std::uint64_t at) const;
    std::string textFrom(std::uint64_t at, std::uint64_t maximum) const;

    File* m_file = nullptr;
    std::uint64_t m_position = 0;
    std::uint64_t m_vtable = 0;
    std::uint16_t m_vtableBytes = 0;
};

} // namespace wb::flat
