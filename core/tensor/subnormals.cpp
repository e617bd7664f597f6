// SPDX-License-Identifier: MIT
#include "core/tensor/subnormals.h"

#include "core/tensor/bytes.h"

#include <limits>

namespace wb::scalar {
namespace {

// Of a code without its sign.
template <class Code>
bool isSubnormal(Code magnitude, int mantissaBits) {
    return magnitude != 0 && magnitude >> mantissaBits == 0;
}

template <class Code>
std::uint64_t count(std::span<const std::byte> bytes, int mantissaBits) {
    constexpr auto magnitudeMask = static_cast<Code>(std::numeric_limits<Code>::max() >> 1);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(Code))
        sum += isSubnormal<Code>(load<Code>(&bytes[i]) & magnitudeMask, mantissaBits);
    return sum;
}

std::uint64_t countSixBits(std::span<const std::byte> bytes, int mantissaBits) {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < bytes.size(); g += 3) {
        const unsigned bits = loadU8(&bytes[g]) | loadU8(&bytes[g + 1]) << 8 | loadU8(&bytes[g + 2]) << 16;
        for (unsigned i = 0; i < 4; ++i) sum += isSubnormal(bits >> (6 * i) & 31, mantissaBits);
    }
    return sum;
}

std::uint64_t countFourBits(std::span<const std::byte> bytes) {
    std::uint64_t sum = 0;
    for (const std::byte byte : bytes) {
        const auto pair = std::to_integer<unsigned>(byte);
        sum += isSubnormal(pair & 7, 1) + isSubnormal(pair >> 4 & 7, 1);
    }
    return sum;
}

} // namespace

std::uint64_t countStoredSubnormals(Dtype dtype, std::span<const std::byte> bytes) {
    switch (dtype) {
    case Dtype::F64: return count<std::uint64_t>(bytes, 52);
    case Dtype::F32: return count<std::uint32_t>(bytes, 23);
    case Dtype::F16: return count<std::uint16_t>(bytes, 10);
    case Dtype::BF16: return count<std::uint16_t>(bytes, 7);
    case Dtype::F8_E4M3:
    case Dtype::F8_E4M3FNUZ: return count<std::uint8_t>(bytes, 3);
    case Dtype::F8_E5M2:
    case Dtype::F8_E5M2FNUZ: return count<std::uint8_t>(bytes, 2);
    case Dtype::F6_E2M3: return countSixBits(bytes, 3);
    case Dtype::F6_E3M2: return countSixBits(bytes, 2);
    case Dtype::F4: return countFourBits(bytes);
    default: return 0;
    }
}

} // namespace wb::scalar
