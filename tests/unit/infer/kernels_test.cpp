// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/exact.h"
#include "core/infer/cpu/kernels/kernels.h"
#include "core/tensor/decode.h"
#include "core/tensor/half.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

namespace wb::infer::cpu {
namespace {

// Columns of more than one step of every form, and not a whole number of them for types with blocks of 32.
constexpr std::size_t columns = 768, testGroups = 3;

// Every type with its own panel: three float types and all block types.
constexpr auto storedTypes = std::to_array<Dtype>(
    {Dtype::F32,    Dtype::F16,   Dtype::BF16,    Dtype::Q8_0,  Dtype::Q8_1,  Dtype::Q8_K, Dtype::Q4_0, Dtype::Q4_1,
     Dtype::Q4_K,   Dtype::Q6_K,  Dtype::Q5_0,    Dtype::Q5_1,  Dtype::Q5_K,  Dtype::Q2_K, Dtype::Q3_K, Dtype::IQ4_NL,
     Dtype::IQ4_XS, Dtype::MXFP4, Dtype::NVFP4,   Dtype::TQ1_0, Dtype::TQ2_0, Dtype::Q1_0, Dtype::Q2_0, Dtype::IQ2_XXS,
     Dtype::IQ2_XS, Dtype::IQ2_S, Dtype::IQ3_XXS, Dtype::IQ3_S, Dtype::IQ1_S, Dtype::IQ1_M});

// Where the f16 scales of a block lie.
std::vector<std::size_t> scalePlaces(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q6_K: return {208};
    case Dtype::Q2_K: return {80, 82};
    case Dtype::Q3_K: return {108};
    case Dtype::TQ1_0: return {52};
    case Dtype::TQ2_0: return {64};
    case Dtype::Q4_1:
    case Dtype::Q5_1:
    case Dtype::Q5_K:
    case Dtype::Q4_K: return {0, 2};
    case Dtype::MXFP4:
    case Dtype::NVFP4:
    case Dtype::IQ1_M: return {};
    default: return {0};
    }
}

// Whole stored blocks with random codes and scales of usual size.
std::vector<std::byte> randomBlocks(Dtype dtype, std::size_t rows, std::mt19937& random) {
    std::vector<std::byte> bytes(*rowBytes(dtype, columns) * rows);
    std::normal_distribution<float> normal;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const std::size_t block = info(dtype).blockBytes;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        std::byte* const to = bytes.data() + at;
        if (dtype == Dtype::F32) store(to, normal(random));
        else if (dtype == Dtype::F16) store(to, f32ToF16(normal(random)));
        else if (dtype == Dtype::BF16) store(to, f32ToBf16(normal(random)));
        else if (dtype == Dtype::Q8_K) store(to, 0.01F * normal(random));
        else
            for (const std::size_t place : scalePlaces(dtype)) store(to + place, f32ToF16(0.01F * normal(random)));
        if (dtype == Dtype::MXFP4) to[0] = static_cast<std::byte>(120 + random() % 8);
        if (dtype == Dtype::NVFP4)
            for (std::size_t i = 0; i < 4; ++i) to[i] = static_cast<std::byte>(40 + random() % 30);
        // The scale's bits lie in the top nibbles of four words; 0x2xxx is a number of usual size.
        if (dtype == Dtype::IQ1_M) to[55] = static_cast<std::byte>(0x20 | (std::to_integer<unsigned>(to[55]) & 15));
    }
    return bytes;
}

// Where the codes of a panel's block lie: in panels.h, all but scales.
std::pair<std::size_t, std::size_t> codeBytes(PanelType type) {
    switch (type) {
    case PanelType::Q8_0:
    case PanelType::Q8_1: return {0, 512};
    case PanelType::Q8_K: return {64, 4160};
    case PanelType::NVFP4: return {64, 576};
    case PanelType::Q1_0:
    case PanelType::Q2_0: return {32, 288};
    case PanelType::TQ1_0: return {32, 864};
    case PanelType::TQ2_0:
    case PanelType::IQ2_XXS: return {32, 1056};
    case PanelType::IQ1_S: return {32, 800};
    case PanelType::IQ1_M: return {160, 928};
    case PanelType::IQ2_XS: return {160, 1184};
    case PanelType::IQ2_S: return {160, 1312};
    case PanelType::IQ3_XXS: return {32, 1568};
    case PanelType::IQ3_S: return {96, 1760};
    case PanelType::Q5_0:
    case PanelType::Q5_1: return {0, 320};
    case PanelType::Q2_K: return {320, 1344};
    case PanelType::Q3_K: return {288, 1824};
    case PanelType::Q4_K: return {320, 2368};
    case PanelType::Q5_K: return {320, 2880};
    case PanelType::Q6_K: return {288, 3360};
    case PanelType::IQ4_XS: return {160, 2208};
    default: return {0, 256};
    }
}

struct Problem {
    PanelMatrix matrix;
    std::vector<float> decoded;     // [rows][columns]
    std::vector<float> activations; // [testGroups * groupTokens][columns]
};

Problem makeProblem(Dtype dtype) {
    const PanelFormat& format = dtypePanelFormat(dtype);
    std::mt19937 random(static_cast<unsigned>(dtype) + 1);
    const std::size_t rows = widePanels * panelRows;
    const auto bytes = randomBlocks(dtype, rows, random);
    Problem problem;
    problem.matrix.format = &format;
    problem.matrix.rows = rows;
    problem.matrix.columns = columns;
    problem.matrix.bytes = *Buffer::make(problem.matrix.panels() * problem.matrix.panelBytes());
    const std::size_t rowSize = bytes.size() / rows;
    for (std::size_t p = 0; p < problem.matrix.panels(); ++p)
        for (std::size_t b = 0; b < problem.matrix.blocks(); ++b) {
            std::array<const std::byte*, panelRows> at;
            for (std::size_t r = 0; r < panelRows; ++r)
                at[r] = bytes.data() + (p * panelRows + r) * rowSize + b * info(format.dtype).blockBytes;
            format.pack(at, problem.matrix.bytes.data() + p * problem.matrix.panelBytes() + b * format.blockBytes);
        }
    problem.decoded.resize(rows * columns);
    decode(dtype, bytes, problem.decoded);
    std::normal_distribution<float> normal;
    problem.activations.resize(testGroups * groupTokens * columns);
    for (float& value : problem.activations) value = normal(random);
    return problem;
}

// Groups of activations as the kernels read them, of tokens [0, groups * width).
std::vector<std::byte> problemGroups(const Problem& problem, const Kernels& kernels, std::size_t width, std::size_t groups) {
    const bool integer = problem.matrix.format->integer;
    const std::size_t size = integer ? integerGroupBytes(columns, width) : floatGroupBytes(columns, width);
    std::vector<std::byte> out(groups * size);
    for (std::size_t g = 0; g < groups; ++g)
        for (std::size_t t = 0; t < width; ++t) {
            const float* const token = problem.activations.data() + (g * width + t) * columns;
            std::byte* const group = out.data() + g * size;
            if (integer) kernels.quantize(token, columns, group, t, width);
            else
                for (std::size_t k = 0; k < columns; ++k) store(group + 4 * (k * width + t), token[k]);
        }
    return out;
}

// Rows times tokens, [token][row], by the kernel for `panels` panels and groups of `width` tokens.
std::vector<float> multiply(const Problem& problem, const Kernels& kernels, Multiply kernel, std::size_t panels, std::size_t width,
                            std::size_t groups = 1) {
    const auto activations = problemGroups(problem, kernels, width, groups);
    std::vector<float> out(groups * width * problem.matrix.rows);
    for (std::size_t p = 0; p < problem.matrix.panels(); p += panels)
        kernel({problem.matrix.panel(p), problem.matrix.panelBytes(), problem.matrix.blocks(), activations.data(),
                out.data() + p * panelRows, problem.matrix.rows, problem.matrix.panel(problem.matrix.panels()), groups,
                activations.size() / groups});
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

class PanelKernels : public testing::TestWithParam<Dtype> {
protected:
    const PanelFormat& format() const { return dtypePanelFormat(GetParam()); }
    std::size_t type() const { return static_cast<std::size_t>(format().type); }
};

class IntegerPanelKernels : public PanelKernels {};

TEST(Arithmetic, ProductsAndSumsAreRoundedOnce) {
    const float a = 1 + 0x1p-12F, b = 1 - 0x1p-23F;
    EXPECT_EQ(fusedMultiplyAdd(a, a, -(1 + 0x1p-11F)), 0x1p-24F);
    EXPECT_EQ(fusedMultiplyAdd(b, b, -(1 - 0x1p-22F)), 0x1p-46F);
    EXPECT_EQ(fusedMultiplyAdd(a, a, 0x1p-60F), 1 + 0x1p-11F + 0x1p-23F); // beyond a tie of 24 bits
    EXPECT_EQ(fusedMultiplyAdd(3.0e38F, 2.0F, 0.0F), std::numeric_limits<float>::infinity());
}

TEST_P(PanelKernels, ReadableFormMultipliesWhatTheFileHolds) {
    const Problem problem = makeProblem(GetParam());
    const Kernels& k = scalarKernels();
    // The activations are rounded to 8 bits for integer types.
    EXPECT_LE(test::nmse(multiply(problem, k, k.multiplyGroups[type()], 1, groupTokens), exactProduct(problem)),
              format().integer ? 1e-4 : 1e-12);
}

TEST_P(PanelKernels, SimdFormsEqualTheReadableOne) {
    const Problem problem = makeProblem(GetParam());
    const Kernels& scalar = scalarKernels();
    const auto expected = multiply(problem, scalar, scalar.multiplyGroups[type()], 1, groupTokens, testGroups);
    const auto part = [&](std::size_t tokens) {
        return std::vector(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(tokens * problem.matrix.rows));
    };
    test::forEachSimdTarget([&] {
        for (const ByteProducts products : byteProducts()) {
            const Kernels k = simdKernels(products);
            SCOPED_TRACE(static_cast<int>(products));
            for (std::size_t groups = 1; groups <= testGroups; ++groups)
                EXPECT_EQ(multiply(problem, k, k.multiplyGroups[type()], 1, groupTokens, groups), part(groups * groupTokens));
            // One token alone gives the bits it gives among others.
            EXPECT_EQ(multiply(problem, k, k.multiply[type()], 1, 1), part(1));
            EXPECT_EQ(multiply(problem, k, k.multiplyWide[type()], widePanels, 1), part(1));
        }
    });
}

// The largest products: where sums in 16 bits would overflow, they would here.
TEST_P(IntegerPanelKernels, ExtremeCodesDoNotOverflow) {
    Problem problem = makeProblem(GetParam());
    const Kernels& scalar = scalarKernels();
    for (std::size_t i = 0; i < problem.activations.size(); ++i) problem.activations[i] = i / columns % 2 == 0 ? 1.0F : -1.0F;
    const std::size_t header = problem.matrix.panelBytes() / problem.matrix.blocks();
    for (const int code : {0, 255}) {
        for (std::size_t p = 0; p < problem.matrix.panels(); ++p)
            for (std::size_t b = 0; b < problem.matrix.blocks(); ++b) {
                std::byte* const block = problem.matrix.bytes.data() + p * problem.matrix.panelBytes() + b * header;
                const auto [first, end] = codeBytes(format().type);
                std::fill(block + first, block + end, static_cast<std::byte>(code));
            }
        const auto expected = multiply(problem, scalar, scalar.multiplyGroups[type()], 1, groupTokens);
        const std::vector<float> first(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(problem.matrix.rows));
        test::forEachSimdTarget([&] {
            for (const ByteProducts products : byteProducts()) {
                const Kernels k = simdKernels(products);
                EXPECT_EQ(multiply(problem, k, k.multiplyGroups[type()], 1, groupTokens), expected) << code;
                EXPECT_EQ(multiply(problem, k, k.multiplyWide[type()], widePanels, 1), first) << code;
            }
        });
    }
}

// The bytes that a panel has more than the file: scales of 6 and 3 bits become bytes. Sums of codes are not counted.
TEST_P(PanelKernels, TakeLittleMoreThanTheFile) {
    EXPECT_EQ(format().dtype, GetParam());
    const double ratio = format().blockBytes / static_cast<double>(panelRows * info(GetParam()).blockBytes);
    const bool hasSums = GetParam() == Dtype::Q8_1 || GetParam() == Dtype::Q8_K;
    EXPECT_LE(ratio, 1.04);
    EXPECT_GE(ratio, hasSums ? 0.8 : 1.0);
}

TEST(Panels, EveryBlockTypeHasItsOwn) {
    for (const DtypeInfo& dtype : allDtypes()) {
        const bool isTested = std::ranges::find(storedTypes, dtype.dtype) != storedTypes.end();
        EXPECT_TRUE(isTested || dtype.kind != DtypeKind::Block) << dtype.name;
    }
}

std::string typeName(const testing::TestParamInfo<Dtype>& type) { return std::string(name(type.param)); }

template <class Keep>
std::vector<Dtype> typesWhere(Keep keep) {
    std::vector<Dtype> types;
    std::ranges::copy_if(storedTypes, std::back_inserter(types), [&](Dtype type) { return keep(dtypePanelFormat(type)); });
    return types;
}

INSTANTIATE_TEST_SUITE_P(Types, PanelKernels, testing::ValuesIn(storedTypes), typeName);
INSTANTIATE_TEST_SUITE_P(Types, IntegerPanelKernels,
                         testing::ValuesIn(typesWhere([](const PanelFormat& format) { return format.integer; })), typeName);
std::vector<float> randomRow(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> row(count);
    for (float& value : row) value = normal(random);
    return row;
}

TEST(RowKernels, SimdFormsAgreeWithTheReadableOnes) {
    const std::vector<float> x = randomRow(203, 1), w = randomRow(203, 2);
    const auto run = [&](const Kernels& k) {
        std::vector<float> norm(203), layer(203), layerWithBias(203), capped = x;
        k.rmsNorm(x.data(), w.data(), 1e-5F, 203, norm.data());
        k.layerNorm(x.data(), w.data(), nullptr, 1e-5F, 203, layer.data());
        k.layerNorm(x.data(), w.data(), x.data(), 1e-5F, 203, layerWithBias.data());
        k.softcap(capped.data(), 203, 0.7F);
        return std::vector{norm, layer, layerWithBias, capped};
    };
    const auto expected = run(scalarKernels());
    std::vector<float> sum = x;
    std::vector<std::uint16_t> halves(203);
    scalarKernels().addScaled(sum.data(), w.data(), 0.22F, 203);
    scalarKernels().toF16(x.data(), 203, halves.data());
    test::forEachSimdTarget([&] {
        const Kernels k = simdKernels();
        const auto ours = run(k);
        EXPECT_EQ(ours[0], expected[0]) << "the order of the sum of squares is fixed";
        for (std::size_t i = 1; i < ours.size(); ++i) EXPECT_LE(test::nmse(ours[i], expected[i]), 1e-12) << i;
        std::vector<float> ourSum = x;
        std::vector<std::uint16_t> ourHalves(203);
        k.addScaled(ourSum.data(), w.data(), 0.22F, 203);
        k.toF16(x.data(), 203, ourHalves.data());
        EXPECT_EQ(ourSum, sum);
        EXPECT_EQ(ourHalves, halves);
    });
}

TEST(RowKernels, ActivationsAgreeFarFromZeroToo) {
    std::vector<float> x = randomRow(203, 5);
    const std::vector<float> up = randomRow(203, 6);
    x[0] = 300;
    x[1] = -300;
    x[2] = 0;
    const auto run = [&](Activate activate, const float* with) {
        std::vector<float> gate = x;
        activate(gate.data(), with, gate.size());
        return gate;
    };
    for (std::size_t type = 0; type < activationTypes; ++type) {
        const bool needsUp = type == static_cast<std::size_t>(Activation::ClampedSwiglu);
        const auto gated = run(scalarKernels().activate[type], up.data());
        test::forEachSimdTarget([&] {
            const Activate ours = simdKernels().activate[type];
            EXPECT_LE(test::nmse(run(ours, up.data()), gated), 1e-12) << type;
            if (needsUp) return;
            EXPECT_LE(test::nmse(run(ours, nullptr), run(scalarKernels().activate[type], nullptr)), 1e-12) << type;
        });
    }
}

TEST(RowKernels, TheExponentialIsThatOfTheLibrary) {
    for (float x = minExponent; x <= maxExponent; x += 0.0173F) {
        const double truth = std::exp(static_cast<double>(x));
        EXPECT_NEAR(exponential(x), truth, 1.5e-7 * truth) << x;
    }
    EXPECT_EQ(exponential(0), 1);
}

TEST(RowKernels, SiluHasTheSameBitsInEveryForm) {
    std::vector<float> x = randomRow(203, 5);
    for (std::size_t i = 0; i < 40; ++i) x[i] *= 40;
    const auto silu = static_cast<std::size_t>(Activation::Silu);
    std::vector<float> expected = x;
    scalarKernels().activate[silu](expected.data(), x.data(), x.size());
    test::forEachSimdTarget([&] {
        std::vector<float> ours = x;
        simdKernels().activate[silu](ours.data(), x.data(), x.size());
        EXPECT_EQ(ours, expected);
    });
}

TEST(RowKernels, ActivationsAreThoseOfTheirNames) {
    const auto at = [](Activation type, float x) {
        scalarKernels().activate[static_cast<std::size_t>(type)](&x, nullptr, 1);
        return x;
    };
    EXPECT_NEAR(at(Activation::Silu, 1), 0.731058579, 1e-6);
    EXPECT_NEAR(at(Activation::GeluTanh, 1), 0.841191990, 1e-6);
    EXPECT_NEAR(at(Activation::GeluErf, 1), 0.841344746, 1e-6);
    EXPECT_EQ(at(Activation::Relu, -2), 0);
    EXPECT_EQ(at(Activation::ReluSquared, 3), 9);
}

TEST(AttentionKernels, ASinkTakesItsPartOfTheSum) {
    const std::vector<float> scores = {0.5F, -1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const double below = std::exp(0.5) + std::exp(-1.0) + std::exp(2.0) + std::exp(3.0);
    const auto run = [&](const Kernels& k) {
        std::vector<float> row = scores;
        k.softmax(row.data(), 0, 3, 16, 3);
        return row;
    };
    const auto check = [&](const std::vector<float>& row) {
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(row[i], std::exp(static_cast<double>(scores[i])) / below, 1e-6);
        EXPECT_EQ(row[3], 0);
    };
    check(run(scalarKernels()));
    test::forEachSimdTarget([&] { check(run(simdKernels())); });
}

TEST(AttentionKernels, SimdFormsAgreeWithTheReadableOnes) {
    constexpr std::size_t dimensions = 24, positions = 48, queries = 7;
    const std::vector<float> q = randomRow(queries * dimensions, 3), cache = randomRow(positions * dimensions, 4);
    constexpr float none = -std::numeric_limits<float>::infinity();
    const auto run = [&](const Kernels& k) {
        std::vector<float> scores(queries * positions), out(queries * dimensions);
        k.scoreKeys[1](
            {q.data(), dimensions, queries, cache.data(), dimensions, 0, positions / keyTile, 0.2F, scores.data(), positions});
        for (std::size_t i = 0; i < queries; ++i) k.softmax(scores.data() + i * positions, 3 + i, 20 + 3 * i, positions, none);
        for (std::size_t i = 0; i < queries; ++i) std::fill_n(scores.data() + i * positions, (3 + i) / keyTile * keyTile, 0.0F);
        k.sumValues[1]({scores.data(), positions, queries, cache.data(), dimensions, 0, positions, out.data(), dimensions});
        return out;
    };
    const std::vector<float> expected = run(scalarKernels());
    test::forEachSimdTarget([&] { EXPECT_EQ(run(simdKernels()), expected); });
}

// Lanes are positions, then dimensions, and every sum has one order: the forms are equal bit for bit.
TEST(AttentionKernels, CodesGiveTheSameBitsInEveryForm) {
    constexpr std::size_t positions = 48, queries = 7;
    for (const std::size_t dimensions : {24u, 64u, 80u}) {
        std::mt19937 random(7);
        std::vector<std::byte> keys(positions * positionBytes(CacheType::Q8_0, dimensions)), values = keys;
        for (auto* cache : {&keys, &values})
            for (std::byte& byte : *cache) byte = static_cast<std::byte>(random());
        const auto halves = [&](std::byte* at, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) store(at + 2 * i, f32ToF16(0.001F * static_cast<float>(random() % 100)));
        };
        const std::size_t groups = cacheGroups(dimensions);
        for (std::size_t t = 0; t < positions / keyTile; ++t)
            halves(keys.data() + t * keyTile * positionBytes(CacheType::Q8_0, dimensions) + keyTile * dimensions, keyTile * groups);
        for (std::size_t p = 0; p < positions; ++p)
            halves(values.data() + p * positionBytes(CacheType::Q8_0, dimensions) + dimensions, groups);
        const std::vector<float> q = randomRow(queries * dimensions, 3), weights = randomRow(queries * positions, 4);
        const auto run = [&](const Kernels& k) {
            std::vector<float> scores(queries * positions), out(queries * dimensions);
            k.scoreKeys[2](
                {q.data(), dimensions, queries, keys.data(), dimensions, 0, positions / keyTile, 0.2F, scores.data(), positions});
            k.sumValues[2]({weights.data(), positions, queries, values.data(), dimensions, 3, 40, out.data(), dimensions});
            scores.insert(scores.end(), out.begin(), out.end());
            return scores;
        };
        const auto expected = run(scalarKernels());
        test::forEachSimdTarget([&] { EXPECT_EQ(run(simdKernels()), expected) << dimensions; });
    }
}

} // namespace
} // namespace wb::infer::cpu
