// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels.h"

#include "core/tensor/decode.h"
#include "core/tensor/half.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <random>

namespace wb::infer::cpu {
namespace {

constexpr std::size_t columns = 512;

// Whole stored blocks with random codes and scales of usual size.
std::vector<std::byte> randomBlocks(const PanelFormat& format, std::size_t rows, std::mt19937& random) {
    std::vector<std::byte> bytes(*rowBytes(format.dtype, columns) * rows);
    std::normal_distribution<float> normal;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const auto halfAt = [&](std::size_t at) { store(bytes.data() + at, f32ToF16(0.01F * normal(random))); };
    const std::size_t block = info(format.dtype).blockBytes;
    for (std::size_t at = 0; at < bytes.size(); at += block) switch (format.type) {
        case PanelType::F32: store(bytes.data() + at, normal(random)); break;
        case PanelType::F16: store(bytes.data() + at, f32ToF16(normal(random))); break;
        case PanelType::BF16: store(bytes.data() + at, f32ToBf16(normal(random))); break;
        case PanelType::Q6_K: halfAt(at + 208); break;
        case PanelType::Q4_1:
        case PanelType::Q4_K: halfAt(at + 2); [[fallthrough]];
        default: halfAt(at);
        }
    return bytes;
}

struct Problem {
    PanelMatrix matrix;
    std::vector<float> decoded;     // [rows][columns]
    std::vector<float> activations; // [groupTokens][columns]
};

Problem makeProblem(const PanelFormat& format) {
    std::mt19937 random(static_cast<unsigned>(format.type) + 1);
    const std::size_t rows = widePanels * panelRows;
    const auto bytes = randomBlocks(format, rows, random);
    Problem problem;
    problem.matrix.format = &format;
    problem.matrix.rows = rows;
    problem.matrix.columns = columns;
    problem.matrix.bytes = *Buffer::make(problem.matrix.panels() * problem.matrix.panelBytes());
    const std::size_t rowSize = bytes.size() / rows, block = rowSize / problem.matrix.blocks();
    for (std::size_t p = 0; p < problem.matrix.panels(); ++p)
        for (std::size_t b = 0; b < problem.matrix.blocks(); ++b) {
            std::array<const std::byte*, panelRows> at;
            for (std::size_t r = 0; r < panelRows; ++r) at[r] = bytes.data() + (p * panelRows + r) * rowSize + b * block;
            format.pack(at, problem.matrix.bytes.data() + p * problem.matrix.panelBytes() + b * format.blockBytes);
        }
    problem.decoded.resize(rows * columns);
    decode(format.dtype, bytes, problem.decoded);
    std::normal_distribution<float> normal;
    problem.activations.resize(groupTokens * columns);
    for (float& value : problem.activations) value = normal(random);
    return problem;
}

// The group of activations as the kernels read it.
std::vector<std::byte> group(const Problem& problem, const Kernels& kernels, std::size_t width) {
    if (problem.matrix.format->integer) {
        std::vector<std::byte> out(integerGroupBytes(columns, width));
        for (std::size_t t = 0; t < width; ++t)
            kernels.quantize(problem.activations.data() + t * columns, columns, out.data(), t, width);
        return out;
    }
    std::vector<std::byte> out(floatGroupBytes(columns, width));
    for (std::size_t k = 0; k < columns; ++k)
        for (std::size_t t = 0; t < width; ++t) store(out.data() + 4 * (k * width + t), problem.activations[t * columns + k]);
    return out;
}

// Rows times tokens, [token][row], by the kernel for `panels` panels and `width` tokens.
std::vector<float> multiply(const Problem& problem, const Kernels& kernels, Multiply kernel, std::size_t panels,
                            std::size_t width) {
    const auto activations = group(problem, kernels, width);
    std::vector<float> out(width * problem.matrix.rows);
    for (std::size_t p = 0; p < problem.matrix.panels(); p += panels)
        kernel({problem.matrix.panel(p), problem.matrix.panelBytes(), problem.matrix.blocks(), activations.data(),
                out.data() + p * panelRows, problem.matrix.rows});
    return out;
}

std::vector<float> exactProduct(const Problem& problem) {
    std::vector<float> out;
    for (std::size_t t = 0; t < groupTokens; ++t)
        for (std::size_t r = 0; r < problem.matrix.rows; ++r) {
            double sum = 0;
            for (std::size_t k = 0; k < columns; ++k)
                sum += static_cast<double>(problem.decoded[r * columns + k]) *
                       static_cast<double>(problem.activations[t * columns + k]);
            out.push_back(static_cast<float>(sum));
        }
    return out;
}

class PanelKernels : public testing::TestWithParam<std::size_t> {
protected:
    const PanelFormat& format() const { return panelFormat(static_cast<PanelType>(GetParam())); }
};

TEST_P(PanelKernels, ReadableFormMultipliesWhatTheFileHolds) {
    const Problem problem = makeProblem(format());
    const Kernels& k = scalarKernels();
    // The activations are rounded to 8 bits for integer types.
    EXPECT_LE(test::nmse(multiply(problem, k, k.multiplyGroup[GetParam()], 1, groupTokens), exactProduct(problem)),
              format().integer ? 1e-4 : 1e-12);
}

TEST_P(PanelKernels, SimdFormsEqualTheReadableOne) {
    const Problem problem = makeProblem(format());
    const Kernels& scalar = scalarKernels();
    const auto expected = multiply(problem, scalar, scalar.multiplyGroup[GetParam()], 1, groupTokens);
    test::forEachSimdTarget([&] {
        for (const Kernels& k : {simdKernels(), plainSimdKernels()}) {
            const auto grouped = multiply(problem, k, k.multiplyGroup[GetParam()], 1, groupTokens);
            EXPECT_EQ(grouped, expected);
            // One token alone gives the bits it gives among others.
            const std::vector<float> first(grouped.begin(), grouped.begin() + static_cast<std::ptrdiff_t>(problem.matrix.rows));
            EXPECT_EQ(multiply(problem, k, k.multiply[GetParam()], 1, 1), first);
            EXPECT_EQ(multiply(problem, k, k.multiplyWide[GetParam()], widePanels, 1), first);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Types, PanelKernels, testing::Range(std::size_t{0}, panelTypes),
                         [](const auto& type) { return std::string(name(panelFormat(static_cast<PanelType>(type.param)).dtype)); });

std::vector<float> randomRow(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> row(count);
    for (float& value : row) value = normal(random);
    return row;
}

TEST(RowKernels, SimdFormsAgreeWithTheReadableOnes) {
    const std::vector<float> x = randomRow(203, 1), w = randomRow(203, 2);
    const Kernels& scalar = scalarKernels();
    std::vector<float> norm(203), silu = x, sum = x;
    std::vector<std::uint16_t> halves(203);
    scalar.rmsNorm(x.data(), w.data(), 1e-5F, 203, norm.data());
    scalar.siluMultiply(silu.data(), w.data(), 203);
    scalar.addScaled(sum.data(), w.data(), 0.22F, 203);
    scalar.toF16(x.data(), 203, halves.data());
    test::forEachSimdTarget([&] {
        const Kernels k = simdKernels();
        std::vector<float> ourNorm(203), ourSilu = x, ourSum = x;
        std::vector<std::uint16_t> ourHalves(203);
        k.rmsNorm(x.data(), w.data(), 1e-5F, 203, ourNorm.data());
        k.siluMultiply(ourSilu.data(), w.data(), 203);
        k.addScaled(ourSum.data(), w.data(), 0.22F, 203);
        k.toF16(x.data(), 203, ourHalves.data());
        EXPECT_LE(test::nmse(ourNorm, norm), 1e-13);
        EXPECT_LE(test::nmse(ourSilu, silu), 1e-13);
        EXPECT_EQ(ourSum, sum);
        EXPECT_EQ(ourHalves, halves);
    });
}

TEST(AttentionKernels, SimdFormsAgreeWithTheReadableOnes) {
    constexpr std::size_t dimensions = 24, positions = 48, queries = 7;
    const std::vector<float> q = randomRow(queries * dimensions, 3), cache = randomRow(positions * dimensions, 4);
    const auto run = [&](const Kernels& k) {
        std::vector<float> scores(queries * positions), out(queries * dimensions);
        k.scores[1](
            {q.data(), dimensions, queries, cache.data(), dimensions, 0, positions / keyTile, 0.2F, scores.data(), positions});
        for (std::size_t i = 0; i < queries; ++i) k.softmax(scores.data() + i * positions, 3 + i, 20 + 3 * i, positions);
        for (std::size_t i = 0; i < queries; ++i) std::fill_n(scores.data() + i * positions, (3 + i) / keyTile * keyTile, 0.0F);
        k.mix[1]({scores.data(), positions, queries, cache.data(), dimensions, 0, positions, out.data(), dimensions});
        return out;
    };
    const std::vector<float> expected = run(scalarKernels());
    test::forEachSimdTarget([&] { EXPECT_LE(test::nmse(run(simdKernels()), expected), 1e-12); });
}

} // namespace
} // namespace wb::infer::cpu
