// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/memory.h"

#include <fmt/format.h>

#include <span>

namespace wb::infer::cpu {

// Rows of floats, one for each token of a batch: [count][stride].
struct Rows {
    Buffer buffer;
    std::size_t stride = 0;

    void plan(CpuMemory& memory, const char* name, std::size_t columns, std::size_t count) {
        stride = columns;
        memory.add(buffer, fmt::format("{} [{}][{}]", name, count, columns), MemoryUse::Compute, {count, columns, sizeof(float)});
    }

    float* operator[](std::size_t index) const { return buffer.as<float>() + index * stride; }
};

// So many numbers of one type.
template <class T>
struct Numbers {
    Buffer buffer;
    std::size_t count = 0;

    void plan(CpuMemory& memory, const char* name, std::size_t numbers) {
        count = numbers;
        memory.add(buffer, fmt::format("{} [{}]", name, numbers), MemoryUse::Compute, {numbers, sizeof(T)});
    }

    T* data() const { return buffer.as<T>(); }
    T& operator[](std::size_t index) const { return data()[index]; }
    std::span<T> all() const { return {data(), count}; }
};

} // namespace wb::infer::cpu
