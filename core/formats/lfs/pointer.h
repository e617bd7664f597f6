// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

namespace wb::lfs {

// A file of Git LFS that was not fetched: a few lines of text in the place of the content (git-lfs/git-lfs: docs/spec.md).
struct Pointer {
    std::uint64_t bytes = 0; // of the real file
    std::string sha256;      // of the real file, 64 hex digits
};

// Empty where the source is no pointer.
std::optional<Pointer> readPointer(const io::ByteSource& source);

// Says that `name` is a pointer and what to do about it.
Error pointerError(const std::string& name, const Pointer& pointer);

} // namespace wb::lfs
