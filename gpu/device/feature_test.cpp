// SPDX-License-Identifier: MIT
#include "gpu/device/feature_test.h"

#include "gpu/device/matrix_shape.h"
#include "gpu/device/run_once.h"
#include "gpu/shaders/self_test_dot.spv.h"
#include "gpu/shaders/self_test_matrix.spv.h"

#include <bit>

namespace wb::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

// Deterministic words (a linear congruence of Knuth's MMIX, the upper half).
Words someWords(std::size_t count) {
    Words words(count);
    std::uint64_t state = 20261122;
    for (std::uint32_t& word : words) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        word = static_cast<std::uint32_t>(state >> 32);
    }
    return words;
}

template <typename Byte>
std::uint32_t dot(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
    for (int at = 0; at < 4; ++at)
        sum += static_cast<std::uint32_t>(int{static_cast<Byte>(a >> (8 * at))} * int{static_cast<Byte>(b >> (8 * at))});
    return sum;
}

Result<bool> dotsAreRight(const DevicePtr& device) {
    constexpr std::uint32_t cases = 4096;
    const std::vector<Words> inputs = {someWords(std::size_t{cases} * 3)};
    const KernelCode code{"self_test_dot", shaders::self_test_dot, 2, 4};
    WB_TRY_ASSIGN(const Words results, runOnce(device, code, inputs, std::size_t{cases} * 2, cases, cases / 128));
    for (std::size_t at = 0; at < cases; ++at) {
        const std::uint32_t* in = &inputs[0][at * 3];
        if (results[at * 2] != dot<std::int8_t>(in[0], in[1], in[2]) ||
            results[at * 2 + 1] != dot<std::uint8_t>(in[0], in[1], in[2]))
            return false;
    }
    return true;
}

// Numbers whose products and sums are exact in f16 and f32.
struct Half {
    std::uint32_t bits;
    float value;
};
constexpr std::array halves = {Half{0x3c00, 1}, Half{0xbc00, -1}, Half{0x4000, 2}, Half{0x3800, 0.5F}, Half{0, 0}};

struct Matrix {
    std::vector<float> values;
    Words packed; // two f16 a word
};

// All shapes have an even number of elements.
Matrix someMatrix(std::size_t elements, std::size_t offset) {
    Matrix matrix;
    const Words words = someWords(elements + offset);
    matrix.packed.resize(elements / 2);
    for (std::size_t at = 0; at < elements; ++at) {
        const Half& half = halves[words[offset + at] % halves.size()];
        matrix.values.push_back(half.value);
        matrix.packed[at / 2] |= half.bits << (16 * (at % 2));
    }
    return matrix;
}

Result<bool> matricesAreRight(const DevicePtr& device) {
    const auto shape = halfMatrixShape(device->physical());
    if (!shape) return false;
    const auto [rows, columns, depth] = *shape;
    const Matrix left = someMatrix(std::size_t{rows} * depth, 0), right = someMatrix(std::size_t{depth} * columns, 7);
    const KernelCode code{"self_test_matrix", shaders::self_test_matrix, 3, 0, {device->info().subgroup, rows, columns, depth}};
    WB_TRY_ASSIGN(const Words results,
                  runOnce(device, code, std::vector{left.packed, right.packed}, std::size_t{rows} * columns, 0, 1));
    for (std::size_t at = 0; at < results.size(); ++at) {
        float sum = 0;
        for (std::size_t inner = 0; inner < depth; ++inner)
            sum += left.values[at / columns * depth + inner] * right.values[inner * columns + at % columns];
        if (std::bit_cast<float>(results[at]) != sum) return false;
    }
    return true;
}

} // namespace

bool isBuilt(Feature feature) {
    const std::span<const std::uint32_t> dot = shaders::self_test_dot, matrix = shaders::self_test_matrix;
    return feature == Feature::IntegerDot ? !dot.empty() : !matrix.empty();
}

bool computesRightly(const DevicePtr& device, Feature feature) {
    return (feature == Feature::IntegerDot ? dotsAreRight(device) : matricesAreRight(device)).value_or(false);
}

} // namespace wb::gpu
