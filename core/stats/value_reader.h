// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <span>

namespace wb::stats {

// Reads any run of elements of any type as f64, also one that starts or ends inside a block. For one thread.
class ValueReader {
public:
    explicit ValueReader(const TensorReader& reader) : m_reader(&reader) {}

    // The values of `count` elements from `first`; valid until the next call.
    Result<std::span<const double>> read(std::uint64_t first, std::size_t count);

private:
    const TensorReader* m_reader;
    std::vector<std::byte> m_bytes;
    std::vector<float> m_floats;
    std::vector<double> m_values;
};

} // namespace wb::stats
