// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"
#include "core/model/tensor_reader.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Statistics over every element of a tensor after decoding; definitions in docs/reference/command_line.md (inspect --stats) and
// docs/reference/statistics.md, "Statistics".
namespace wb::stats {

// A value that is an element of the tensor: exact for integers (and booleans), f64 for everything else. Of complex types the
// elements are the magnitudes. The magnitude of an integer is unsigned, so that the lowest one has one, too.
using Element = std::variant<double, std::int64_t, std::uint64_t>;
double asDouble(const Element& element);

// The percentiles that are always computed, in percent.
inline constexpr std::array<double, 9> percentileLevels = {0.1, 1, 5, 25, 50, 75, 95, 99, 99.9};
inline constexpr std::size_t topCount = 10;

enum class Axis { Row, Column };

struct Options {
    std::uint32_t bins = 256;          // of the histogram; 1 … 65,536
    std::optional<Axis> channels = {}; // also compute absmax and rms per row or column
    unsigned threads = 0;              // 0: as many as the machine has; the result does not depend on it
};

struct Histogram {
    double low = 0;  // the minimum
    double high = 0; // the maximum; bin = floor((v - low) / (high - low) * bins), the maximum in the last bin
    std::vector<std::uint64_t> counts;
};

struct TopElement {
    std::uint64_t index = 0; // row-major
    Element value;           // signed
};

// One value a row or a column, over finite elements; NaN if none exists. Rank 1 is one row; rank 3 has d0·d1 rows and d2
// columns; rank >= 4 has d0 rows.
struct Channels {
    Axis axis = Axis::Row;
    std::vector<double> absmax;
    std::vector<double> rms;
};

struct TensorStats {
    std::uint64_t count = 0; // all elements, NaN included
    std::uint64_t finite = 0;
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;       // both signs
    std::uint64_t zeros = 0;     // both signs
    std::uint64_t denormal = 0;  // subnormal in the stored type; for block types in the decoded f32
    std::uint64_t outliers6 = 0; // |x - mean| > 6 std
    std::optional<Element> min, max, absmax;
    // Moments over finite elements; empty where undefined (nothing finite; skew and kurtosis also if constant or fewer than two).
    std::optional<double> mean, std, rms, skew, kurtosis;
    std::optional<std::array<Element, percentileLevels.size()>> percentiles; // nearest rank, always elements
    std::optional<Histogram> histogram;
    std::vector<TopElement> top; // by |x| descending, then index ascending; up to topCount
    std::optional<Channels> channels;
    // Where they were computed, as `wb devices` counts ("cpu", "gpu:1"). `deviceNote` says why, where the user should know: a note
    // about the choice, or a warning that a device failed.
    std::string device = "cpu";
    std::optional<Problem> deviceNote;
};

// Computes statistics: the SIMD engine of this room, or its twin on a Vulkan device in gpu/stats. Implementations are thread-safe
// and keep no tensor in memory: they stream slabs of some MiB. Progress counts the bytes of all passes. A stop takes effect within
// 100 ms.
class Backend {
public:
    virtual ~Backend() = default;
    virtual const char* name() const = 0;
    virtual Result<TensorStats> compute(const TensorReader& reader, const Options& options, const Progress& progress) = 0;
};

// Streams a tensor once or twice (64-bit types up to four times, channels again) through the requested number of threads, with
// some MiB of tables a thread. The result does not depend on the threads, bit for bit. -0 is below +0 wherever values are ordered.
std::unique_ptr<Backend> makeCpuBackend();

// The readable reference: one thread, plain loops, the whole tensor as Elements. For tests and small tensors only.
Result<TensorStats> computeScalar(const TensorReader& reader, const Options& options);

} // namespace wb::stats
