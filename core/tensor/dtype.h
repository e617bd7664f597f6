// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace wb {

// Every stored element type. The values are ours and never come from a file: readers map their own ids and names onto them.
// clang-format off
enum class Dtype : std::uint8_t {
    Unknown, // a type this program cannot decode; the tensor is listed, its bytes are not interpreted
    F64, F32, F16, BF16,
    F8_E4M3, F8_E5M2, F8_E4M3FNUZ, F8_E5M2FNUZ, F8_E8M0, F6_E2M3, F6_E3M2, F4,
    I64, I32, I16, I8, U64, U32, U16, U8, Bool,
    C64, C128,
    Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1,
    Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, Q8_K,
    IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_NL, IQ4_XS,
    TQ1_0, TQ2_0, MXFP4, NVFP4, Q1_0, Q2_0,
    I4, U4, I2, U2, // once they are read a byte an element, of which the lowest bits count; see storedBytes()
    C32,
    Count
};
// clang-format on

// How the elements of a type are to be understood; statistics choose their arithmetic by it.
enum class DtypeKind : std::uint8_t { Unknown, Float, Integer, Bool, Complex, Block };

// One row of the table of types.
// clang-format off
struct DtypeInfo {
    Dtype dtype;
    const char* name;            // as printed: the format's own name in upper case (Q4_K, F8_E4M3)
    DtypeKind kind;
    std::uint16_t blockElements; // elements that are stored together: 1 for plain types, 2 for F4, 4 for the 6-bit types
    std::uint16_t blockBytes;    // bytes of such a block
    bool isSigned;               // integers only
};
// clang-format on

const DtypeInfo& info(Dtype dtype);
inline const char* name(Dtype dtype) { return info(dtype).name; }

// All types but Unknown, in the order of the enumeration.
std::span<const DtypeInfo> allDtypes();

// The type with this printed name, upper or lower case; empty if none exists.
std::optional<Dtype> dtypeFromName(std::string_view name);

// GGUF type id (ggml-org/llama.cpp: ggml/include/ggml.h, enum ggml_type, 0..42) to and from Dtype. Removed ids (4, 5, 31–33,
// 36–38) and ids above 42 are empty. Types that GGUF cannot hold have no id.
std::optional<Dtype> dtypeFromGgmlId(std::uint32_t id);
std::optional<std::uint32_t> ggmlId(Dtype dtype);

// Bits of an element of I4, U4, I2 and U2 where a file packs them, lowest bits first; 0 for all other types.
unsigned packedBits(Dtype dtype);

// Bytes of this many packed elements: of I4, U4, I2 and U2 whole bytes, the last of which may be filled in
// part; rowBytes() of all other types.
std::optional<std::uint64_t> storedBytes(Dtype dtype, std::uint64_t elements);

// Bytes of `elements` elements stored as one row: a whole number of blocks, empty if it is not one or if it overflows.
std::optional<std::uint64_t> rowBytes(Dtype dtype, std::uint64_t elements);

} // namespace wb
