// SPDX-License-Identifier: MIT
#include "core/quant/kernels/pack_codes.h"

#include "core/tensor/bytes.h"

namespace wb::quant {
namespace {

// Eight codes at a time in one word; what is shifted out of a byte is masked away.
std::uint64_t eight(const Codes256& codes, std::size_t first) {
    return load<std::uint64_t>(reinterpret_cast<const std::byte*>(&codes[first]));
}

constexpr std::uint64_t bytes(std::uint64_t pattern) { return pattern * 0x0101010101010101u; }

} // namespace

void packTwoBits(std::byte* out, const Codes256& codes) {
    for (std::size_t byte = 0; byte < 64; byte += 8) {
        const std::size_t first = 128 * (byte / 32) + byte % 32;
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 4; ++k) word |= (eight(codes, first + 32 * k) & bytes(3)) << (2 * k);
        store(out + byte, word);
    }
}

void packNibbles(std::byte* out, const Codes256& codes, std::size_t run) {
    for (std::size_t first = 0; first < 256; first += 2 * run)
        for (std::size_t l = first; l < first + run; l += 8, out += 8)
            store(out, (eight(codes, l) & bytes(15)) | (eight(codes, l + run) & bytes(15)) << 4);
}

void packBitPlane(std::byte* out, const Codes256& codes, unsigned bit) {
    for (std::size_t m = 0; m < 32; m += 8) {
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 8; ++k) word |= (eight(codes, 32 * k + m) >> bit & bytes(1)) << k;
        store(out + m, word);
    }
}

} // namespace wb::quant
