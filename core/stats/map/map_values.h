// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"
#include "core/stats/value_reader.h"

namespace wb::stats {

// Reads runs of elements as a map shows them: as f32, finite values beyond its range as the largest one, complex ones as
// magnitudes, the difference where two tensors are compared (formed in f64). For one thread.
class MapValues {
public:
    explicit MapValues(const MapInput& input);

    // The values of `count` elements from flat index `first`; valid until the next call.
    Result<std::span<const float>> read(std::uint64_t first, std::size_t count);

private:
    Result<std::span<const float>> readNarrow(std::uint64_t first, std::size_t count);

    const TensorReader* m_tensor;
    bool m_narrow; // every value is what readF32 makes of it
    ValueReader m_values;
    std::optional<ValueReader> m_minus;
    std::vector<std::byte> m_bytes;
    std::vector<float> m_floats;
};

} // namespace wb::stats
