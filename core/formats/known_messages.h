// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/known_files.h"
#include "core/io/byte_source.h"

namespace wb::formats {

// The form of a Protocol Buffers message without a magic number, by the numbers and wire types of its outermost fields to the
// last byte (docs/reference/formats.md, "Recognizing a file"); reads some bytes per field. Empty for other data and
// for ONNX, which has a reader.
std::optional<KnownFile> recognizeMessage(const io::ByteSource& source);

} // namespace wb::formats
