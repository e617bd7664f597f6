// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"

#include <span>
#include <string>

namespace wb::npy {

// numpy itself stops at 10,000 characters unless it is reported to trust the file.
inline constexpr std::uint64_t maxHeaderText = 64 << 10;
inline constexpr std::uint64_t maxHeaderBytes = 12 + maxHeaderText;

// The header of an array.
struct Header {
    std::string version;     // "1.0"
    std::uint64_t bytes = 0; // of the header: the elements follow
    Dtype dtype = Dtype::Unknown;
    std::string typeText; // descr as it is written
    bool isBigEndian = false;
    bool isColumnMajor = false;
    bool isInterpreted = false; // stored as two bytes without a type, which ml_dtypes writes for bfloat16
    bool holdsObjects = false;  // Python objects: the elements are a pickle
    bool isPlain = false;       // certainly none: numbers, texts, dates, and records of these
    Shape shape;
    ValueObject description; // the dictionary: descr, fortran_order, shape
};

// Reads the header at the beginning of `head`, which has the first maxHeaderBytes of the array's file or all that it has. `name` is
// the file in sentences. Malformed, TooLarge.
Result<Header> parseHeader(std::span<const std::byte> head, const std::string& name);

} // namespace wb::npy
