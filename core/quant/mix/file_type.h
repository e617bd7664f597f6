// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/file_type.h"

// Quantizing speaks of the file types of GGUF.
namespace wb::quant {

using gguf::allFileTypes;
using gguf::FileType;
using gguf::fileTypeAround;
using gguf::fileTypeFromName;
using gguf::FileTypeInfo;
using gguf::info;

// The name of the target that leaves every tensor its type, next to those of the file types.
inline constexpr const char* copyTarget = "COPY";

// The user's name of the target: the file type's name, or copyTarget.
inline const char* targetName(FileType type, bool isCopy) { return isCopy ? copyTarget : info(type).name; }

} // namespace wb::quant
