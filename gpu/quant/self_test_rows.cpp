// SPDX-License-Identifier: MIT
#include "gpu/quant/self_test_rows.h"

#include <cstddef>
#include <cstdint>

namespace wb::gpu {
namespace {

constexpr std::size_t columns = 512;

// Deterministic numbers in [-1, 1), heavier in the middle (the mean of four uniform ones).
class Numbers {
public:
    float next() {
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += static_cast<float>(static_cast<std::int32_t>(step()) >> 8) * (1.0f / 8388608.0f);
        return sum * 0.25f;
    }
    std::uint32_t step() {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 17;
        m_state ^= m_state << 5;
        return m_state;
    }

private:
    std::uint32_t m_state = 2463534242u;
};

std::vector<float> makeRows() {
    Numbers numbers;
    std::vector<float> values;
    const auto row = [&values](auto valueAt) {
        for (std::size_t i = 0; i < columns; ++i) values.push_back(valueAt(i));
    };
    row([&](std::size_t) { return numbers.next() * 0.1f; });
    row([&](std::size_t i) { return numbers.next() * (i % 97 == 0 ? 8.0f : 0.05f); });
    row([](std::size_t) { return 0.0f; });
    row([](std::size_t i) { return i < columns / 2 ? -0.0f : 0.25f; });
    row([](std::size_t i) { return static_cast<float>(static_cast<int>(i % 17) - 8) * 0.5f; });
    row([&](std::size_t) { return numbers.next() * 60000.0f; });
    row([&](std::size_t i) { return i % 64 < 32 ? 0.0f : numbers.next() * 1e-9f; }); // the first that is not ordinary
    constexpr double halfDecade = 0.31622776601683794;
    for (double magnitude = 0.1; magnitude > 1e-45; magnitude *= halfDecade)
        row([&](std::size_t i) { return i % 61 == 0 ? 0.0f : static_cast<float>(numbers.next() * magnitude); });
    return values;
}

std::vector<float> makeWeights() {
    Numbers numbers;
    std::vector<float> weights;
    // The second half is sparse: scales below 0 are found there.
    const auto isZero = [](std::size_t i) { return i % 61 == 0 || (i >= columns / 2 && i % 32 >= 3); };
    for (std::size_t i = 0; i < columns; ++i) weights.push_back(isZero(i) ? 0.0f : 1.0f + numbers.next());
    return weights;
}

} // namespace

const std::vector<float>& selfTestRows() {
    static const std::vector<float> rows = makeRows();
    return rows;
}

const std::vector<float>& selfTestWeights() {
    static const std::vector<float> weights = makeWeights();
    return weights;
}

} // namespace wb::gpu
