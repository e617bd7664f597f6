// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/quant/quantize.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::quant {

// Whole rows of one matrix, row after row, all values finite. `weights` is empty or holds one number a column.
struct Rows {
    std::span<const float> values;
    std::uint64_t columns = 0; // a multiple of the block size
    std::span<const float> weights;

    std::uint64_t count() const { return columns == 0 ? 0 : values.size() / columns; }
};

// The same as a model stores them: whole blocks of `dtype` in little-endian order, any values.
struct StoredRows {
    std::span<const std::byte> bytes;
    Dtype dtype = Dtype::Unknown;
    std::uint64_t columns = 0; // a multiple of the block elements of both types
    std::span<const float> weights;
};

// Sums over elements w of a source and v of what became of it: (v - w)², w², v², w·v. w2 is not finite where a w is not, v2 where a
// v is not.
struct ErrorSums {
    double e2 = 0;
    double w2 = 0;
    double v2 = 0;
    double wv = 0;
    ErrorSums& operator+=(const ErrorSums& other);
};

// Who quantizes: the SIMD engine here, or a GPU. The bytes are the same from every backend, so one that fails in the
// middle of a job may hand the rest to the CPU. Thread-safe.
class Backend {
public:
    virtual ~Backend() = default;

    // As documents name it: "cpu", "gpu:1".
    virtual std::string name() const = 0;

    // How many values a call does best with: those a core's cache holds, or all there are for a device.
    virtual std::uint64_t bestValues() const { return std::numeric_limits<std::uint64_t>::max(); }

    // Fills `out`, rowBytes(dtype, columns) bytes per row.
    virtual Result<void> quantize(Dtype dtype, const Rows& rows, std::span<std::byte> out) = 0;

    // Decodes, quantizes and compares in one go; the sums agree with those of the CPU within 1e-9 of themselves. Empty, and nothing
    // done, where the backend does not do all of that for these types: then the caller decodes, calls quantize() and compares.
    virtual Result<std::optional<ErrorSums>> quantizeStored(Dtype, const StoredRows&, std::span<std::byte>) { return std::nullopt; }

    // Told how many values a job has in all, before its first: small ones may not be worth what a device takes to start.
    virtual void expect(std::uint64_t) {}

    // Told that the CPU made something else of rows: leaves the type to it from now on, and see remarks().
    virtual void distrust(Dtype) {}

    // Remarks for the user about the work so far: types or devices that were abandoned in favor of the CPU.
    virtual std::vector<Problem> remarks() const { return {}; }
};

// `remarks` say why it is the CPU, where another device was asked for.
std::unique_ptr<Backend> makeCpuBackend(std::vector<Problem> remarks = {});

} // namespace wb::quant
