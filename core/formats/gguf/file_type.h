// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace wb::gguf {

// The quantization type of a whole file, as general.file_type says: one type for all, or a mix around a base type
// (ggml-org/llama.cpp: include/llama.h, enum llama_ftype; docs/reference/gguf.md, "`general.file_type` and default tensor type").
// The one table of these types.
enum class FileType : std::uint8_t {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2_K,
    Q2_K_S,
    Q3_K_S,
    Q3_K_M,
    Q3_K_L,
    Q4_K_S,
    Q4_K_M,
    Q5_K_S,
    Q5_K_M,
    Q6_K,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ2_M,
    IQ3_XXS,
    IQ3_XS,
    IQ3_S,
    IQ3_M,
    IQ4_NL,
    IQ4_XS,
    TQ1_0,
    TQ2_0,
    MXFP4_MOE,
    Q1_0,
    Q2_0,
    MXFP4,
    NVFP4 // not targets of the reference tool: that type for every tensor that may be quantized
};

struct FileTypeInfo {
    FileType type;
    const char* name;
    std::uint32_t value; // general.file_type
    Dtype base;          // the type of a tensor that no rule names
    bool isMix;          // whether rules give some tensors other types; the uniform ones only have shape fallbacks
};

const FileTypeInfo& info(FileType type);
std::span<const FileTypeInfo> allFileTypes();

// By general.file_type; null where no type has the number.
const FileTypeInfo* fileTypeOfValue(std::uint64_t value);

// The best name for a file whose tensors have any types: called when most of its bytes are of this one: the middle mix around it,
// as the reference's reader guesses. Empty where no file is called after the type.
std::optional<FileType> fileTypeAround(Dtype base);

// By name, upper or lower case; Q3_K, Q4_K and Q5_K mean the _M mixes.
std::optional<FileType> fileTypeFromName(std::string_view name);

} // namespace wb::gguf
