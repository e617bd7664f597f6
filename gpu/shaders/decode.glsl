// SPDX-License-Identifier: MIT
// Decodes single elements of every stored type but the complex ones to f32, with the bits that core/tensor's decode() gives.
//
// Before including this file, define
//   WB_WORD(i)   word i of the buffer with the stored bytes, e.g. #define WB_WORD(i) words[i]
//   WB_TABLE(i)  word i of the buffer that wb::gpu::decodeTables() fills (33 KiB, one for all types and shaders)
// and enable GL_GOOGLE_include_directive. The type is the specialization constant 0, a value of wb::Dtype, so that one SPIR-V
// module serves all types and the driver drops what a type does not need; define WB_DTYPE as one of dtypes.h to fix it instead.
//
//   uint blockElements(), blockBytes()          as wb::DtypeInfo has them
//   uint decodeBits(uint block, uint element)   f32 bits of an element of the block at a byte address of the buffer
//   uint decodeBitsAt(uint first, uint index)   f32 bits of element `index` of blocks that are one after another from byte `first`
//
// Byte addresses are even; there is not an other alignment. Nothing beyond the block is read but the rest of its last word. The result
// is bits, not a float, because a float with a subnormal or a NaN may not survive its way through a driver: compare, count and store
// bits, and take uintBitsToFloat() of normal numbers only, or where a flushed subnormal does no harm (colors).
#ifndef WB_DECODE_GLSL
#define WB_DECODE_GLSL

#include "dtypes.h"
#include "decode_tables.h"
#include "bytes.glsl"
#include "float_bits.glsl"
#include "decode_plain.glsl"
#include "decode_legacy.glsl"
#include "decode_super.glsl"
#include "decode_lattice.glsl"

#ifndef WB_DTYPE
layout(constant_id = 0) const uint WB_DTYPE = WB_F32;
#endif

uint blockElements() {
    switch (WB_DTYPE) {
    case WB_F6_E2M3:
    case WB_F6_E3M2: return 4;
    case WB_F4: return 2;
    case WB_Q4_0:
    case WB_Q4_1:
    case WB_Q5_0:
    case WB_Q5_1:
    case WB_Q8_0:
    case WB_Q8_1:
    case WB_IQ4_NL:
    case WB_MXFP4: return 32;
    case WB_Q2_0:
    case WB_NVFP4: return 64;
    case WB_Q1_0: return 128;
    }
    return WB_DTYPE < WB_Q4_0 || WB_DTYPE > WB_Q2_0 ? 1 : 256;
}

uint blockBytes() {
    switch (WB_DTYPE) {
    case WB_F64:
    case WB_I64:
    case WB_U64: return 8;
    case WB_F32:
    case WB_I32:
    case WB_U32: return 4;
    case WB_F16:
    case WB_BF16:
    case WB_I16:
    case WB_U16: return 2;
    case WB_F6_E2M3:
    case WB_F6_E3M2: return 3;
    case WB_Q4_0:
    case WB_Q1_0:
    case WB_Q2_0:
    case WB_IQ4_NL: return 18;
    case WB_Q4_1: return 20;
    case WB_Q5_0: return 22;
    case WB_Q5_1: return 24;
    case WB_Q8_0: return 34;
    case WB_Q8_1:
    case WB_NVFP4: return 36;
    case WB_Q2_K: return 84;
    case WB_Q3_K:
    case WB_IQ3_S: return 110;
    case WB_Q4_K: return 144;
    case WB_Q5_K: return 176;
    case WB_Q6_K: return 210;
    case WB_Q8_K: return 292;
    case WB_IQ1_S: return 50;
    case WB_IQ1_M: return 56;
    case WB_IQ2_XXS:
    case WB_TQ2_0: return 66;
    case WB_IQ2_XS: return 74;
    case WB_IQ2_S: return 82;
    case WB_IQ3_XXS: return 98;
    case WB_IQ4_XS: return 136;
    case WB_TQ1_0: return 54;
    case WB_MXFP4: return 17;
    }
    return 1;
}

uint decodePlain(uint block, uint element) {
    switch (WB_DTYPE) {
    case WB_F64: return decodeF64(block);
    case WB_F32: return loadU32(block);
    case WB_F16: return loadF16(block);
    case WB_BF16: return loadU16(block) << 16;
    case WB_F8_E4M3: return decodeF8E4m3(loadU8(block));
    case WB_F8_E5M2: return decodeF8E5m2(loadU8(block));
    case WB_F8_E4M3FNUZ: return decodeF8E4m3Fnuz(loadU8(block));
    case WB_F8_E5M2FNUZ: return decodeF8E5m2Fnuz(loadU8(block));
    case WB_F8_E8M0: return decodeF8E8m0(loadU8(block));
    case WB_F6_E2M3: return smallFloat(sixBits(block, element), 2, 3, 1);
    case WB_F6_E3M2: return smallFloat(sixBits(block, element), 3, 2, 3);
    case WB_F4: return decodeF4(block, element);
    case WB_I64: return decodeI64(block);
    case WB_I32: return signedToF32(int(loadU32(block)));
    case WB_I16: return decodeI16(block);
    case WB_I8: return signedToF32(loadI8(block));
    case WB_I4: return signedToF32(int(loadU8(block) << 28) >> 28);
    case WB_U4: return unsignedToF32(loadU8(block) & 15u);
    case WB_I2: return signedToF32(int(loadU8(block) << 30) >> 30);
    case WB_U2: return unsignedToF32(loadU8(block) & 3u);
    case WB_U64: return decodeU64(block);
    case WB_U32: return unsignedToF32(loadU32(block));
    case WB_U16: return unsignedToF32(loadU16(block));
    }
    return unsignedToF32(loadU8(block)); // U8, Bool
}

uint decodeBits(uint block, uint element) {
    switch (WB_DTYPE) {
    case WB_Q4_0: return decodeQ4_0(block, element);
    case WB_Q4_1: return decodeQ4_1(block, element);
    case WB_Q5_0: return decodeQ5_0(block, element);
    case WB_Q5_1: return decodeQ5_1(block, element);
    case WB_Q8_0: return decodeQ8_0(block, element);
    case WB_Q8_1: return decodeQ8_1(block, element);
    case WB_Q2_K: return decodeQ2_K(block, element);
    case WB_Q3_K: return decodeQ3_K(block, element);
    case WB_Q4_K: return decodeQ4_K(block, element);
    case WB_Q5_K: return decodeQ5_K(block, element);
    case WB_Q6_K: return decodeQ6_K(block, element);
    case WB_Q8_K: return decodeQ8_K(block, element);
    case WB_IQ1_S: return decodeIQ1_S(block, element);
    case WB_IQ1_M: return decodeIQ1_M(block, element);
    case WB_IQ2_XXS: return decodeIQ2_XXS(block, element);
    case WB_IQ2_XS: return decodeIQ2_XS(block, element);
    case WB_IQ2_S: return decodeIQ2_S(block, element);
    case WB_IQ3_XXS: return decodeIQ3_XXS(block, element);
    case WB_IQ3_S: return decodeIQ3_S(block, element);
    case WB_IQ4_NL: return decodeIQ4_NL(block, element);
    case WB_IQ4_XS: return decodeIQ4_XS(block, element);
    case WB_TQ1_0: return decodeTQ1_0(block, element);
    case WB_TQ2_0: return decodeTQ2_0(block, element);
    case WB_MXFP4: return decodeMXFP4(block, element);
    case WB_NVFP4: return decodeNVFP4(block, element);
    case WB_Q1_0: return decodeQ1_0(block, element);
    case WB_Q2_0: return decodeQ2_0(block, element);
    }
    return decodePlain(block, element);
}

uint decodeBitsAt(uint first, uint index) {
    return decodeBits(first + index / blockElements() * blockBytes(), index % blockElements());
}

#endif
