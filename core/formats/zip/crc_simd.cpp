// SPDX-License-Identifier: MIT
#include "core/formats/zip/zip.h"

#include <zlib.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/formats/zip/crc_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// CRC-32 by products without carries: 64 bytes at a time are folded into 64, those into 16 (Gopal et al., Intel, "Fast CRC
// Computation for Generic Polynomials Using PCLMULQDQ Instruction"). zlib adds the rest; it is also the scalar form.
HWY_BEFORE_NAMESPACE();
namespace wb::zip::HWY_NAMESPACE {
namespace {

std::uint32_t ZlibCrc(std::uint32_t crc, const std::byte* bytes, std::size_t count) {
    return static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes), count));
}

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Block = hn::FixedTag<std::uint64_t, 2>;
using V = hn::Vec<Block>;

constexpr Block block;
constexpr std::size_t blockBytes = 16, strideBytes = 64;

V LoadBlock(const std::byte* from) {
    return hn::BitCast(block, hn::LoadU(hn::FixedTag<std::uint8_t, blockBytes>(), reinterpret_cast<const std::uint8_t*>(from)));
}

// `value` moved on by the distance that `factors` stand for, and joined with `there`.
V Fold(V value, V factors, V there) {
    return hn::Xor(hn::Xor(hn::CLMulLower(value, factors), hn::CLMulUpper(value, factors)), there);
}

std::uint32_t FoldedCrc(std::uint32_t crc, std::span<const std::byte> bytes) {
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    if (left < 2 * strideBytes) return ZlibCrc(crc, at, left);
    // x^(512 + 32), x^(512 - 32) and x^(128 + 32), x^(128 - 32) modulo the polynomial, bits reversed.
    alignas(16) constexpr std::uint64_t far[2] = {0x0154442bd4, 0x01c6e41596};
    alignas(16) constexpr std::uint64_t near[2] = {0x01751997d0, 0x00ccaa009e};
    const V farFactors = hn::Load(block, far), nearFactors = hn::Load(block, near);
    alignas(16) const std::uint64_t start[2] = {static_cast<std::uint32_t>(~crc), 0};
    V a = hn::Xor(LoadBlock(at), hn::Load(block, start));
    V b = LoadBlock(at + blockBytes), c = LoadBlock(at + 2 * blockBytes), d = LoadBlock(at + 3 * blockBytes);
    for (at += strideBytes, left -= strideBytes; left >= strideBytes; at += strideBytes, left -= strideBytes) {
        a = Fold(a, farFactors, LoadBlock(at));
        b = Fold(b, farFactors, LoadBlock(at + blockBytes));
        c = Fold(c, farFactors, LoadBlock(at + 2 * blockBytes));
        d = Fold(d, farFactors, LoadBlock(at + 3 * blockBytes));
    }
    const V rest = Fold(Fold(Fold(a, nearFactors, b), nearFactors, c), nearFactors, d);
    alignas(16) std::byte last[blockBytes];
    hn::Store(hn::BitCast(hn::FixedTag<std::uint8_t, blockBytes>(), rest), hn::FixedTag<std::uint8_t, blockBytes>(),
              reinterpret_cast<std::uint8_t*>(last));
    return ZlibCrc(ZlibCrc(~std::uint32_t{0}, last, blockBytes), at, left); // from a register of zeros
}

#else

std::uint32_t FoldedCrc(std::uint32_t crc, std::span<const std::byte> bytes) { return ZlibCrc(crc, bytes.data(), bytes.size()); }

#endif

} // namespace
} // namespace wb::zip::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::zip {

HWY_EXPORT(FoldedCrc);

std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) { return HWY_DYNAMIC_DISPATCH(FoldedCrc)(crc, bytes); }

namespace scalar {
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}
} // namespace scalar

} // namespace wb::zip
#endif
