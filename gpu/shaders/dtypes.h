// SPDX-License-Identifier: MIT
// The numbers of wb::Dtype (core/tensor/dtype.h) for shaders. Read by both compilers; gpu/decode checks at compile time that they
// agree.
#ifndef WB_DTYPES_H
#define WB_DTYPES_H

#define WB_F64 1
#define WB_F32 2
#define WB_F16 3
#define WB_BF16 4
#define WB_F8_E4M3 5
#define WB_F8_E5M2 6
#define WB_F8_E4M3FNUZ 7
#define WB_F8_E5M2FNUZ 8
#define WB_F8_E8M0 9
#define WB_F6_E2M3 10
#define WB_F6_E3M2 11
#define WB_F4 12
#define WB_I64 13
#define WB_I32 14
#define WB_I16 15
#define WB_I8 16
#define WB_U64 17
#define WB_U32 18
#define WB_U16 19
#define WB_U8 20
#define WB_BOOL 21
#define WB_Q4_0 24
#define WB_Q4_1 25
#define WB_Q5_0 26
#define WB_Q5_1 27
#define WB_Q8_0 28
#define WB_Q8_1 29
#define WB_Q2_K 30
#define WB_Q3_K 31
#define WB_Q4_K 32
#define WB_Q5_K 33
#define WB_Q6_K 34
#define WB_Q8_K 35
#define WB_IQ1_S 36
#define WB_IQ1_M 37
#define WB_IQ2_XXS 38
#define WB_IQ2_XS 39
#define WB_IQ2_S 40
#define WB_IQ3_XXS 41
#define WB_IQ3_S 42
#define WB_IQ4_NL 43
#define WB_IQ4_XS 44
#define WB_TQ1_0 45
#define WB_TQ2_0 46
#define WB_MXFP4 47
#define WB_NVFP4 48
#define WB_Q1_0 49
#define WB_Q2_0 50
#define WB_I4 51
#define WB_U4 52
#define WB_I2 53
#define WB_U2 54

#endif
