// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/panels.h"
#include "core/tensor/bytes.h"

#include <array>
#include <cstring>

// Helpers of the functions that pack panels (panels.h). They return where the next field of the panel starts.
namespace wb::infer::cpu {

using StoredRows = std::array<const std::byte*, panelRows>; // the stored block of each row

// Copies `size` bytes from `offset` of each row, row after row.
template <std::size_t size>
std::byte* gather(const StoredRows& rows, std::size_t offset, std::byte* out) {
    for (const std::byte* row : rows) {
        std::memcpy(out, row + offset, size);
        out += size;
    }
    return out;
}

// The same for `count` fields of `size` bytes, which follow each other in a row, one field of all rows after the other.
template <std::size_t size>
std::byte* gatherFields(const StoredRows& rows, std::size_t offset, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i) out = gather<size>(rows, offset + i * size, out);
    return out;
}

// `bytes` bytes of each row in vectors of four bytes of each row, with the bits of `flip` inverted.
template <std::uint32_t flip = 0>
std::byte* interleave(const StoredRows& rows, std::size_t offset, std::size_t bytes, std::byte* out) {
    for (std::size_t i = 0; i < bytes; i += 4)
        for (const std::byte* row : rows) {
            store(out, load<std::uint32_t>(row + offset + i) ^ flip);
            out += 4;
        }
    return out;
}

// Those of the lattice types (lattice.h).
void packIQ1_S(const StoredRows& rows, std::byte* out);
void packIQ1_M(const StoredRows& rows, std::byte* out);
void packIQ2_XXS(const StoredRows& rows, std::byte* out);
void packIQ2_XS(const StoredRows& rows, std::byte* out);
void packIQ2_S(const StoredRows& rows, std::byte* out);
void packIQ3_XXS(const StoredRows& rows, std::byte* out);
void packIQ3_S(const StoredRows& rows, std::byte* out);

} // namespace wb::infer::cpu
