// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// One encoder a type in scalar form, each for one block (docs/reference/gguf.md, "Direct types" to "iq1_s, iq1_m").
namespace wb::quant::scalar {

// One block: its values, its column weights (empty in the plain form), and Σx²/n over the whole row, which only the weighted
// forms of Q4_0 … Q5_1 use.
struct Block {
    std::span<const float> x;
    std::span<const float> weights;
    float rowMeanSquare;
    std::byte* out; // DtypeInfo::blockBytes bytes
};

void encodeF32(const Block&);
void encodeF16(const Block&);
void encodeBf16(const Block&);
void encodeQ1_0(const Block&);
void encodeQ2_0(const Block&);
void encodeQ4_0(const Block&);
void encodeQ4_1(const Block&);
void encodeQ5_0(const Block&);
void encodeQ5_1(const Block&);
void encodeQ8_0(const Block&);
void encodeTq1_0(const Block&);
void encodeTq2_0(const Block&);
void encodeMxfp4(const Block&);
void encodeNvfp4(const Block&);
void encodeQ2K(const Block&);
void encodeQ3K(const Block&);
void encodeQ4K(const Block&);
void encodeQ5K(const Block&);
void encodeQ6K(const Block&);
void encodeIq4Nl(const Block&);
void encodeIq4Xs(const Block&);
void encodeIq2Xxs(const Block&);
void encodeIq2Xs(const Block&);
void encodeIq2S(const Block&);
void encodeIq3Xxs(const Block&);
void encodeIq3S(const Block&);
void encodeIq1S(const Block&);
void encodeIq1M(const Block&);

// The E8M0 byte of an MXFP4 block whose largest magnitude is given.
std::uint8_t mxfp4Exponent(float largest);

} // namespace wb::quant::scalar
